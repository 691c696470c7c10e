#include "toccata/query/deforming/cluster_tree.hpp"

#include <numeric>
#include <utility>

#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

/// Loose edges make a cluster of their own.
Index cluster_count(const KdopSource& source, const LeafClusters& clusters) {
  return clusters.faces.count() + !source.features.loose.empty();
}

/// That no tree can have more of.
std::size_t node_count(const KdopSource& source, const LeafClusters& clusters) {
  return 2 * source.features.element_count() + static_cast<std::size_t>(clusters.faces.count());
}

}  // namespace

ClusterTree::ClusterTree(const KdopSource& source, const LeafClusters& clusters,
                         StepMemory& memory, unsigned threads)
    : source_(source), first_(clusters.faces.first), items_(memory.items), nodes_(memory.nodes),
      begins_(memory.begins), states_(node_count(source, clusters) + Room::size * threads),
      next_(cluster_count(source, clusters)), rooms_(threads) {
  renew(items_, source.features.element_count());
  nodes_.reset(states_.size(), !source.covers.empty());
  renew(begins_, states_.size());
  parallel_for(clusters.faces.count(), 16, threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (Index c = static_cast<Index>(begin); c < static_cast<Index>(end); ++c)
                   add_cluster(c, clusters.faces.part(c));
               });
  std::vector<KdopItem> roots;
  for (std::size_t g = 0; g + 1 < clusters.first.size(); ++g)
    roots.push_back(item_of_node(join_clusters(clusters.first[g], clusters.first[g + 1])));
  if (const std::size_t loose = source.features.loose.size(); loose > 0) {
    std::vector<Index> elements(loose);
    std::iota(elements.begin(), elements.end(), first_.back());
    first_.push_back(first_.back() + static_cast<Index>(loose));
    add_cluster(clusters.faces.count(), elements);
    roots.push_back(item_of_node(clusters.faces.count()));
  }
  root_ = join(roots);
}

void ClusterTree::add_cluster(Index c, std::span<const Index> elements) {
  KdopItem* item = items_.data() + first_[c];
  for (const Index element : elements) *item++ = item_of(source_.element(element), element);
  add_node(c, first_[c], first_[c + 1]);
}

/// A node over some items of a cluster, with nothing below it yet.
void ClusterTree::add_node(Index node, Index begin, Index end) {
  const std::span items(items_.data() + begin, items_.data() + end);
  Kdop volume = empty_kdop();
  for (const KdopItem& item : items)
    for (const Index v : source_.features.corners(item.id)) extend(volume, source_.slabs[v]);
  nodes_.volumes[node] = grown(volume, source_.margin);
  if (nodes_.has_covers()) nodes_.covers[node] = cover(items);
  const Index count = end - begin;
  if (count == 1) {
    nodes_.links[node] = KdopLink::leaf(items[0].id);
    return;
  }
  nodes_.links[node] = KdopLink::inner(KdopLink::none, KdopLink::none, count);
  begins_[node] = begin;
  states_[node].store(State::closed, std::memory_order_relaxed);
}

Cover ClusterTree::cover(std::span<const KdopItem> items) const {
  // All of a cluster are in one group, so that without bridges there is nothing to compare.
  Cover all = source_.cover(items[0].id);
  for (std::size_t i = 1; i < items.size() && on_some_bridge(all); ++i)
    all = common(all, source_.cover(items[i].id));
  return all;
}

/// Two nodes side by side.
Index ClusterTree::next_pair(unsigned worker) {
  auto& [next, end] = rooms_[worker];
  if (next == end) {
    next = next_.fetch_add(Room::size, std::memory_order_relaxed);
    end = next + Room::size;
  }
  return std::exchange(next, next + 2);
}

void ClusterTree::split_once(Index node, unsigned worker) {
  std::atomic<State>& state = states_[node];
  State seen = State::closed;
  if (!state.compare_exchange_strong(seen, State::busy, std::memory_order_acquire)) {
    for (; seen != State::open; seen = state.load(std::memory_order_acquire)) state.wait(seen);
    return;
  }
  KdopLink& link = nodes_.links[node];
  const Index begin = begins_[node], end = begin + link.count;
  const Index middle =
      begin + static_cast<Index>(split({items_.data() + begin, items_.data() + end}));
  link.left = next_pair(worker);
  link.right = link.left + 1;
  add_node(link.left, begin, middle);
  add_node(link.right, middle, end);
  state.store(State::open, std::memory_order_release);
  state.notify_all();
}

/// A tree by median splits over nodes.
Index ClusterTree::join(std::span<KdopItem> roots) {
  if (roots.size() == 1) return roots[0].id;
  const std::size_t half = split(roots);
  const Index left = join(roots.first(half)), right = join(roots.subspan(half));
  const Index node = next_++;
  nodes_.join(node, left, right);
  states_[node] = State::open;
  return node;
}

Index ClusterTree::join_clusters(Index begin, Index end) {
  std::vector<KdopItem> roots;
  for (Index c = begin; c < end; ++c) roots.push_back(item_of_node(c));
  return join(roots);
}

KdopItem ClusterTree::item_of_node(Index node) const {
  return item_of(nodes_.volumes[node], node);
}

}  // namespace toccata
