// Subdivision of intermediate clusters into blocks of bounded size, in parallel.
#include "toccata/query/deforming/clusters/patches.hpp"

#include <memory>
#include <numeric>

#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

/// Data that all threads share.
struct CutProblem {
  const Features& features;
  const Patches& patches;
  const Partition& clusters;
  Index most;
  std::vector<Index> first;  ///< by cluster: first index of its faces, and of its blocks
  AtomicIndices blocks;      ///< by face; `free_in` its cluster if unassigned

  static Index free_in(Index cluster) { return -1 - cluster; }
  template <class Visit>
  void for_each_face(Index g, const Visit& visit) const {
    for (const Index patch : clusters.part(g))
      for (const Index face : patches.faces.part(patch)) visit(face);
  }
};

/// Subdivision of one cluster.
class Cut {
 public:
  /// Writes the faces to `out`, block by block.
  Cut(CutProblem& problem, Index cluster, std::span<Index> out)
      : problem_(problem), cluster_(cluster), first_(problem.first[cluster]), out_(out) {}

  /// Returns the sizes of the blocks.
  std::vector<Index> run() {
    problem_.for_each_face(cluster_, [this](Index face) {
      if (is_free(face)) add_block(face);
    });
    if (join_small()) sort();
    std::vector<Index> sizes;
    for (Index i = 0; i < count(); ++i)
      if (blocks_[i].into == i) sizes.push_back(blocks_[i].size);
    return sizes;
  }

 private:
  struct Block {
    Index begin;  ///< first index of its faces in `out`, until they are sorted
    Index size;   ///< number of faces, including those of blocks that it took
    Index into;   ///< the block that took it, or itself
  };

  Index count() const { return static_cast<Index>(blocks_.size()); }
  bool is_free(Index face) const { return number(face) == CutProblem::free_in(cluster_); }
  Index number(Index face) const { return problem_.blocks[face].load(std::memory_order_relaxed); }

  /// Grows rings around a seed.
  void add_block(Index seed) {
    const Index begin = end_, block = first_ + count();
    const auto take = [&](Index face) {
      problem_.blocks[face].store(block, std::memory_order_relaxed);
      out_[end_++] = face;
    };
    take(seed);
    for (Index next = begin; next < end_ && end_ - begin < problem_.most; ++next)
      for (const Index other : problem_.features.across[out_[next]])
        if (other != Features::none && is_free(other)) take(other);
    blocks_.push_back({begin, end_ - begin, count()});
  }

  bool is_small(Index block) const { return blocks_[block].size <= problem_.most / 8; }

  std::span<const Index> faces(Index block) const {
    const Index begin = blocks_[block].begin;
    return out_.subspan(begin, (block + 1 < count() ? blocks_[block + 1].begin : end_) - begin);
  }

  /// Joins small blocks, which remain between large ones, with the first large block across their
  /// sides. Returns whether there were any.
  bool join_small() {
    bool some = false;
    for (Index i = 0; i < count(); ++i) {
      if (!is_small(i)) continue;
      const Index other = large_beside(i);
      if (other == Features::none) continue;
      blocks_[i].into = other;
      blocks_[other].size += blocks_[i].size;
      some = true;
    }
    return some;
  }

  Index large_beside(Index block) const {
    for (const Index face : faces(block))
      for (const Index neighbor : problem_.features.across[face]) {
        if (neighbor == Features::none) continue;
        // Faces of other clusters are not in the blocks of this one.
        const Index other = number(neighbor) - first_;
        if (other >= 0 && other < count() && !is_small(other)) return other;
      }
    return Features::none;
  }

  /// Sorts the faces of joined blocks behind those of the block that took them.
  void sort() {
    const std::vector<Index> before(out_.begin(), out_.end());
    std::vector<Index> next(blocks_.size());
    Index begin = 0;
    for (Index i = 0; i < count(); ++i)
      if (blocks_[i].into == i) {
        next[i] = begin;
        begin += blocks_[i].size;
      }
    for (Index i = 0; i < count(); ++i)
      for (const Index face : std::span(before).subspan(blocks_[i].begin, faces(i).size()))
        out_[next[blocks_[i].into]++] = face;
  }

  CutProblem& problem_;
  Index cluster_, first_;
  std::span<Index> out_;
  Index end_ = 0;  ///< end of the faces in `out`
  std::vector<Block> blocks_;
};

/// Returns the first index of the faces of each cluster.
std::vector<Index> starts(const Patches& patches, const Partition& clusters) {
  std::vector<Index> first{0};
  for (Index g = 0; g < clusters.count(); ++g) {
    first.push_back(first.back());
    for (const Index patch : clusters.part(g))
      first.back() += static_cast<Index>(patches.faces.part(patch).size());
  }
  return first;
}

}  // namespace

Blocks cut_clusters(const Features& features, const Patches& patches, const Partition& clusters,
                    Index most, unsigned threads) {
  CutProblem problem{features,
                     patches,
                     clusters,
                     most,
                     starts(patches, clusters),
                     AtomicIndices(features.faces.size())};
  Blocks out;
  out.elements.order.resize(features.element_count());
  std::vector<std::vector<Index>> sizes(clusters.count());
  const auto for_each_cluster = [&](const auto& visit) {
    parallel_for(sizes.size(), sizes.size() / 128 + 1, threads,
                 [&](std::size_t begin, std::size_t end, unsigned) {
                   for (std::size_t g = begin; g < end; ++g) visit(static_cast<Index>(g));
                 });
  };
  for_each_cluster([&](Index g) {
    problem.for_each_face(
        g, [&](Index face) { std::construct_at(&problem.blocks[face], CutProblem::free_in(g)); });
  });
  for_each_cluster([&](Index g) {
    const Index first = problem.first[g], count = problem.first[g + 1] - first;
    sizes[g] = Cut(problem, g, std::span(out.elements.order).subspan(first, count)).run();
  });
  for (const auto& cluster : sizes) {
    for (const Index size : cluster) out.elements.first.push_back(out.elements.first.back() + size);
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
