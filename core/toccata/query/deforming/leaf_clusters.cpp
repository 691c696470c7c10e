#include "toccata/query/deforming/leaf_clusters.hpp"

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
  std::vector<Index> group;   ///< of each patch
  UnfilledVector<Index> pieces;  ///< of each face, once its group is being cut

  Index group_of(Index face) const { return group[patches.owner(face)]; }
  template <class Visit>
  void for_each_face(Index g, const Visit& visit) const {
    for (const Index patch : groups.part(g))
      for (const Index face : patches.faces.part(patch)) visit(face);
  }
};

/// Cuts one group, into pieces that are counted from 0.
class Cut {
 public:
  Cut(CutProblem& problem, Index group) : problem_(problem), group_(group) {}

  /// Writes the faces piece by piece, and returns the sizes of the pieces.
  std::vector<Index> run(std::span<Index> out) {
    order_.reserve(out.size());
    problem_.for_each_face(group_, [&](Index face) { problem_.pieces[face] = Features::none; });
    problem_.for_each_face(group_, [&](Index face) {
      if (problem_.pieces[face] == Features::none) add_piece(face);
    });
    join_small();
    return write(out);
  }

 private:
  /// Calls visit(face) for the faces of the group across the sides of a face.
  template <class Visit>
  void for_each_across(Index face, const Visit& visit) const {
    for (const Index other : problem_.features.across[face])
      if (other != Features::none && problem_.group_of(other) == group_) visit(other);
  }

  /// Rings around a seed.
  void add_piece(Index seed) {
    const Index piece = static_cast<Index>(sizes_.size()), begin = size();
    const auto take = [&](Index face) {
      if (problem_.pieces[face] != Features::none) return;
      problem_.pieces[face] = piece;
      order_.push_back(face);
    };
    take(seed);
    for (Index next = begin; next < size() && size() - begin < problem_.most; ++next)
      for_each_across(order_[next], take);
    sizes_.push_back(size() - begin);
    into_.push_back(piece);
  }

  bool is_small(Index piece) const { return sizes_[piece] <= problem_.most / 8; }

  /// Small pieces are left between large ones: the first one across takes them.
  void join_small() {
    for (const Index face : order_) {
      const Index piece = problem_.pieces[face];
      if (into_[piece] != piece || !is_small(piece)) continue;
      for_each_across(face, [&](Index neighbour) {
        const Index other = problem_.pieces[neighbour];
        if (into_[piece] != piece || other == piece || is_small(other)) return;
        into_[piece] = other;
        sizes_[other] += sizes_[piece];
      });
    }
  }

  std::vector<Index> write(std::span<Index> out) const {
    std::vector<Index> next(sizes_.size()), left;
    Index begin = 0;
    for (std::size_t piece = 0; piece < sizes_.size(); ++piece)
      if (into_[piece] == static_cast<Index>(piece)) {
        next[piece] = begin;
        begin += sizes_[piece];
        left.push_back(sizes_[piece]);
      }
    for (const Index face : order_) out[next[into_[problem_.pieces[face]]]++] = face;
    return left;
  }

  Index size() const { return static_cast<Index>(order_.size()); }

  CutProblem& problem_;
  Index group_;
  std::vector<Index> sizes_, into_;  ///< of each piece: its faces, and the piece that took it
  std::vector<Index> order_;         ///< faces, piece by piece
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

LeafClusters cut_clusters(const Features& features, const Patches& patches,
                          const Partition& groups, Index most, unsigned threads) {
  CutProblem problem{features, patches, groups, most, std::vector<Index>(groups.order.size()),
                     UnfilledVector<Index>(features.faces.size())};
  for (Index g = 0; g < groups.count(); ++g)
    for (const Index patch : groups.part(g)) problem.group[patch] = g;
  const std::vector<Index> first = starts(patches, groups);
  LeafClusters out;
  out.elements.order.resize(features.element_count());
  std::vector<std::vector<Index>> sizes(groups.count());
  parallel_for(sizes.size(), sizes.size() / 128 + 1, threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (std::size_t g = begin; g < end; ++g)
                   sizes[g] = Cut(problem, static_cast<Index>(g))
                                  .run(std::span(out.elements.order)
                                           .subspan(first[g], first[g + 1] - first[g]));
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
