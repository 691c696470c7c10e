#include "toccata/query/deforming/clusters/patches.hpp"

#include <memory>
#include <numeric>

#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

/// What all threads share.
struct CutProblem {
  const Features& features;
  const Patches& patches;
  const Partition& groups;
  Index most;
  std::vector<Index> first;  ///< of each group: where its faces start, and count of its pieces
  AtomicIndices pieces;      ///< of each face; `free_in` its group while it is in none

  static Index free_in(Index group) { return -1 - group; }
  template <class Visit>
  void for_each_face(Index g, const Visit& visit) const {
    for (const Index patch : groups.part(g))
      for (const Index face : patches.faces.part(patch)) visit(face);
  }
};

/// Cuts one group.
class Cut {
 public:
  /// The faces go to `out`, piece by piece.
  Cut(CutProblem& problem, Index group, std::span<Index> out)
      : problem_(problem), group_(group), first_(problem.first[group]), out_(out) {}

  /// Returns the sizes of the pieces.
  std::vector<Index> run() {
    problem_.for_each_face(group_, [this](Index face) {
      if (is_free(face)) add_piece(face);
    });
    if (join_small()) sort();
    std::vector<Index> sizes;
    for (Index i = 0; i < count(); ++i)
      if (pieces_[i].into == i) sizes.push_back(pieces_[i].size);
    return sizes;
  }

 private:
  struct Piece {
    Index begin;  ///< of its faces in `out`, as long as they are not sorted
    Index size;   ///< with those that it took
    Index into;   ///< the piece that took it, or itself
  };

  Index count() const { return static_cast<Index>(pieces_.size()); }
  bool is_free(Index face) const { return number(face) == CutProblem::free_in(group_); }
  Index number(Index face) const { return problem_.pieces[face].load(std::memory_order_relaxed); }

  /// Rings around a seed.
  void add_piece(Index seed) {
    const Index begin = end_, piece = first_ + count();
    const auto take = [&](Index face) {
      problem_.pieces[face].store(piece, std::memory_order_relaxed);
      out_[end_++] = face;
    };
    take(seed);
    for (Index next = begin; next < end_ && end_ - begin < problem_.most; ++next)
      for (const Index other : problem_.features.across[out_[next]])
        if (other != Features::none && is_free(other)) take(other);
    pieces_.push_back({begin, end_ - begin, count()});
  }

  bool is_small(Index piece) const { return pieces_[piece].size <= problem_.most / 8; }

  std::span<const Index> faces(Index piece) const {
    const Index begin = pieces_[piece].begin;
    return out_.subspan(begin, (piece + 1 < count() ? pieces_[piece + 1].begin : end_) - begin);
  }

  /// Small pieces are left between large ones: the first one across takes them. Returns whether
  /// there are some.
  bool join_small() {
    bool some = false;
    for (Index i = 0; i < count(); ++i) {
      if (!is_small(i)) continue;
      const Index other = large_beside(i);
      if (other == Features::none) continue;
      pieces_[i].into = other;
      pieces_[other].size += pieces_[i].size;
      some = true;
    }
    return some;
  }

  Index large_beside(Index piece) const {
    for (const Index face : faces(piece))
      for (const Index neighbour : problem_.features.across[face]) {
        if (neighbour == Features::none) continue;
        // What is not of this group is not among its pieces.
        const Index other = number(neighbour) - first_;
        if (other >= 0 && other < count() && !is_small(other)) return other;
      }
    return Features::none;
  }

  /// Puts faces behind those of the piece that took them.
  void sort() {
    const std::vector<Index> before(out_.begin(), out_.end());
    std::vector<Index> next(pieces_.size());
    Index begin = 0;
    for (Index i = 0; i < count(); ++i)
      if (pieces_[i].into == i) {
        next[i] = begin;
        begin += pieces_[i].size;
      }
    for (Index i = 0; i < count(); ++i)
      for (const Index face : std::span(before).subspan(pieces_[i].begin, faces(i).size()))
        out_[next[pieces_[i].into]++] = face;
  }

  CutProblem& problem_;
  Index group_, first_;
  std::span<Index> out_;
  Index end_ = 0;  ///< of the faces in `out`
  std::vector<Piece> pieces_;
};

/// Where the faces of each group start.
std::vector<Index> starts(const Patches& patches, const Partition& groups) {
  std::vector<Index> first{0};
  for (Index g = 0; g < groups.count(); ++g) {
    first.push_back(first.back());
    for (const Index patch : groups.part(g))
      first.back() += static_cast<Index>(patches.faces.part(patch).size());
  }
  return first;
}

}  // namespace

LeafClusters cut_clusters(const Features& features, const Patches& patches, const Partition& groups,
                          Index most, unsigned threads) {
  CutProblem problem{features,
                     patches,
                     groups,
                     most,
                     starts(patches, groups),
                     AtomicIndices(features.faces.size())};
  LeafClusters out;
  out.elements.order.resize(features.element_count());
  std::vector<std::vector<Index>> sizes(groups.count());
  const auto for_each_group = [&](const auto& visit) {
    parallel_for(sizes.size(), sizes.size() / 128 + 1, threads,
                 [&](std::size_t begin, std::size_t end, unsigned) {
                   for (std::size_t g = begin; g < end; ++g) visit(static_cast<Index>(g));
                 });
  };
  for_each_group([&](Index g) {
    problem.for_each_face(
        g, [&](Index face) { std::construct_at(&problem.pieces[face], CutProblem::free_in(g)); });
  });
  for_each_group([&](Index g) {
    const Index first = problem.first[g], count = problem.first[g + 1] - first;
    sizes[g] = Cut(problem, g, std::span(out.elements.order).subspan(first, count)).run();
  });
  for (const auto& group : sizes) {
    for (const Index size : group) out.elements.first.push_back(out.elements.first.back() + size);
    out.first.push_back(out.elements.count());
  }
  if (!features.loose.empty()) {
    const Index faces = out.elements.first.back();
    std::iota(out.elements.order.begin() + faces, out.elements.order.end(), faces);
    out.elements.close_part();
    out.first.push_back(out.elements.count());
  }
  return out;
}

}  // namespace toccata
