#include "toccata/query/deforming/cluster_tree.hpp"

#include <numeric>

#include "toccata/base/parallel_for.hpp"

namespace toccata {

ClusterTree::ClusterTree(const KdopSource& source, const LeafClusters& clusters, bool proven,
                         unsigned threads)
    : source_(source), elements_(clusters.faces.order), first_(clusters.faces.first),
      items_(std::make_unique_for_overwrite<KdopItem[]>(source.features.element_count())),
      opened_(std::make_unique<std::once_flag[]>(first_.size())),
      nodes_(2 * source.features.element_count() + first_.size()),
      next_(2 * static_cast<Index>(source.features.element_count())) {
  const Index loose = clusters.faces.count();
  const bool has_loose = !source.features.loose.empty();
  if (has_loose) {
    elements_.resize(source.features.element_count());
    std::iota(elements_.begin() + first_.back(), elements_.end(), first_.back());
    first_.push_back(static_cast<Index>(elements_.size()));
  }
  parallel_for(first_.size() - 1, 16, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t c = begin; c < end; ++c) add_cluster(static_cast<Index>(c));
  });
  std::vector<KdopItem> roots;
  const auto add_root = [&](Index node) { roots.push_back(item_of(nodes_.volumes[node], node)); };
  for (std::size_t g = 0; g + 1 < clusters.first.size(); ++g)
    add_root(add_group(clusters.first[g], clusters.first[g + 1], proven));
  if (has_loose) add_root(add_group(loose, loose + 1, false));
  root_ = join(roots);
}

/// The root of a cluster's tree. It is complete, and never written again: the nodes below it have
/// their places, though there is nothing in them yet.
void ClusterTree::add_cluster(Index c) {
  const Index root = 2 * first_[c], count = first_[c + 1] - first_[c];
  Kdop volume = empty_kdop();
  for (Index i = first_[c]; i < first_[c + 1]; ++i)
    for (const Index v : source_.features.corners(elements_[i])) extend(volume, source_.slabs[v]);
  nodes_.volumes[root] = grown(volume, source_.margin);
  nodes_.links[root] = KdopLink::leaf(elements_[first_[c]]);
  if (count == 1) return;
  nodes_.links[root] = KdopLink::inner(root + 1, root + 2 * (count / 2), count);
  nodes_.links[root].cluster = c;
}

void ClusterTree::open(Index c) {
  std::call_once(opened_[c], [&] {
    const std::span items(items_.get() + first_[c], items_.get() + first_[c + 1]);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Index element = elements_[first_[c] + static_cast<Index>(i)];
      items[i] = item_of(source_.element(element), element);
    }
    const KdopLink& link = nodes_.links[2 * first_[c]];
    const std::size_t half = split(items);
    build_tree(source_, items.first(half), nodes_, link.left, 1);
    build_tree(source_, items.subspan(half), nodes_, link.right, 1);
  });
}

/// A tree by median splits over nodes.
Index ClusterTree::join(std::span<KdopItem> roots) {
  if (roots.size() == 1) return roots[0].id;
  const std::size_t half = split(roots);
  const Index left = join(roots.first(half)), right = join(roots.subspan(half));
  nodes_.join(next_, left, right);
  return next_++;
}

Index ClusterTree::add_group(Index begin, Index end, bool proven) {
  std::vector<KdopItem> roots;
  for (Index c = begin; c < end; ++c) {
    const Index root = 2 * first_[c];
    nodes_.links[root].proven = proven;
    roots.push_back(item_of(nodes_.volumes[root], root));
  }
  const Index root = join(roots);
  nodes_.links[root].proven = proven;
  return root;
}

}  // namespace toccata
