// Lazy construction and refitting of the tree over clusters.
#include "toccata/query/deforming/clusters/cluster_tree.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "toccata/base/parallel_for.hpp"
#include "toccata/base/spin.hpp"

namespace toccata {

void ClusterTree::reset(const Features& features, const Blocks& blocks, unsigned threads) {
  const std::size_t elements = features.element_count();
  most_ = 2 * blocks.elements.count() + 64;
  // The same number of elements may be put into other clusters. A tree over n items has fewer than
  // 2 n nodes.
  renew(items_, 2 * elements);
  const std::size_t nodes = 2 * most_ + 4 * elements + Room::size * threads;
  nodes_.reset(nodes, false);
  renew(begins_, nodes);
  if (states_.size() < nodes) states_ = UninitializedVector<std::atomic<State>>(nodes);
  next_ = 2 * most_;
  rooms_.assign(threads, {});
  const auto& order = blocks.elements.order;
  const auto& first = blocks.elements.first;
  parallel_for(order.size(), even_grain(order.size()), threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (std::size_t i = begin; i < end; ++i) items_[i].id = order[i];
               });
  used_ = static_cast<Index>(order.size());
  spans_.clear();
  for (Index c = 0; c < blocks.elements.count(); ++c) {
    spans_.push_back({first[c], first[c + 1] - first[c], first[c + 1] - first[c]});
    put_root(c);
  }
}

ClusterTree::Span ClusterTree::put_items(std::span<const Index> elements) {
  const Index begin = used_, count = static_cast<Index>(elements.size());
  // Without room, the elements are lost, and so is the tree (`has_room`).
  used_ += count;
  for (Index i = 0; i < count && static_cast<std::size_t>(used_) <= items_.size(); ++i)
    items_[begin + i].id = elements[i];
  return {begin, count, count};
}

Index ClusterTree::add(std::span<const Index> elements) {
  const Index block = count();
  spans_.push_back(put_items(elements));
  if (block < most_) put_root(block);
  return block;
}

void ClusterTree::replace(Index block, std::span<const Index> elements) {
  spans_[block] = put_items(elements);
  put_root(block);
}

void ClusterTree::remove(Index block, Index element) {
  const auto [first, count, present] = spans_[block];
  assert(static_cast<std::size_t>(first + count) <= items_.size());
  const auto begin = items_.begin() + first, end = begin + count;
  const auto at = std::find_if(begin, end, [&](const KdopItem& i) { return i.id == element; });
  assert(at != end);
  at->id = removed;
  spans_[block].present = present - 1;
}

bool ClusterTree::has_room() const {
  return static_cast<std::size_t>(used_) <= items_.size() && count() <= most_;
}

/// Makes a node over some items, without children.
void ClusterTree::put_node(Index node, Index begin, Index count) {
  nodes_.links[node] = KdopLink::inner(KdopLink::none, KdopLink::none, count);
  begins_[node] = begin;
}

void ClusterTree::start(const KdopSource& source, const Partition& clusters, unsigned threads) {
  source_ = &source;
  renew(nodes_.memberships, source.memberships.empty() ? 0 : nodes_.links.size());
  parallel_for(spans_.size(), 16, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t c = begin; c < end; ++c) refit(root_of(static_cast<Index>(c)));
  });
  next_above_ = 0;
  std::vector<KdopItem> above, roots;
  for (Index i = 0; i < clusters.count(); ++i) {
    roots.clear();
    for (const Index block : clusters.part(i))
      if (spans_[block].present > 0) roots.push_back(item_of_node(root_of(block)));
    if (!roots.empty()) above.push_back(item_of_node(join(roots)));
  }
  root_ = join(above);
}

/// Makes the volumes of a node and of all nodes below. Nodes that a previous step split are likely
/// to be needed again, and the volume of a node is computed faster from its children than from its
/// elements.
void ClusterTree::refit(Index node) {
  const auto [left, right, element, count] = nodes_.links[node];
  if (left == KdopLink::none) return fit(node);
  refit(left);
  refit(right);
  nodes_.volumes[node] = around(nodes_.volumes[left], nodes_.volumes[right]);
  if (nodes_.has_memberships()) nodes_.memberships[node] = membership(left, right);
  states_[node].store(State::expanded, std::memory_order_relaxed);
}

/// Makes the volume of a node for this step. Without elements it intersects nothing.
void ClusterTree::fit(Index node) {
  KdopLink& link = nodes_.links[node];
  const auto items = std::span(items_).subspan(begins_[node], link.count);
  Kdop volume = empty_kdop();
  // Local copies: the compiler cannot prove that these members do not change.
  const KdopPoint* const points = source_->points.data();
  const std::span<const Face> faces = source_->features.faces;
  for (const auto& [_, id] : items) {
    if (id == removed) continue;
    const bool is_face = static_cast<std::size_t>(id) < faces.size();
    const auto [a, b, c] = is_face ? faces[id] : source_->features.corners(id);
    extend(volume, points[a]);
    extend(volume, points[b]);
    extend(volume, points[c]);
  }
  nodes_.volumes[node] = grown(volume, source_->margin);
  if (nodes_.has_memberships()) nodes_.memberships[node] = membership(items);
  if (link.count == 1) link.element = items[0].id;
  states_[node].store(State::unexpanded, std::memory_order_relaxed);
}

Membership ClusterTree::membership(std::span<const KdopItem> items) const {
  const auto has = [](const KdopItem& item) { return item.id != removed; };
  auto next = std::find_if(items.begin(), items.end(), has);
  if (next == items.end()) return Membership::in(Membership::none);
  // All elements of a block are in one cluster, so without bridges there is nothing to
  // compare. A bridge rarely contains many faces of a node.
  Membership all = source_->membership(next->id);
  if (items.size() > most_with_bridges) {
    if (source_->inner_everywhere) return Membership::in(all.cluster);
    for (++next; next != items.end(); ++next)
      if (has(*next)) all.cluster &= source_->membership(next->id).cluster;
    return Membership::in(all.cluster);
  }
  const bool inner = source_->inner_everywhere;
  for (++next; next != items.end() && (!inner || on_some_bridge(all)); ++next)
    if (has(*next)) all = common(all, source_->membership(next->id));
  return all;
}

/// Returns the common membership of two nodes of a block. A node without a cluster has no
/// faces left.
Membership ClusterTree::membership(Index left, Index right) const {
  const Membership &l = nodes_.memberships[left], &r = nodes_.memberships[right];
  if (l.cluster == Membership::none) return r;
  if (r.cluster == Membership::none) return l;
  const Index count = nodes_.links[left].count + nodes_.links[right].count;
  return count > most_with_bridges ? Membership::in(l.cluster & r.cluster) : common(l, r);
}

/// Returns the first of two consecutive nodes.
Index ClusterTree::next_pair(unsigned worker) {
  // If there are more threads than in `reset`, there are enough nodes, but no ranges for the
  // others.
  if (worker >= rooms_.size()) return next_.fetch_add(2, std::memory_order_relaxed);
  auto& [next, end] = rooms_[worker];
  if (next == end) {
    next = next_.fetch_add(Room::size, std::memory_order_relaxed);
    end = next + Room::size;
  }
  return std::exchange(next, next + 2);
}

void ClusterTree::split_once(Index node, unsigned worker) {
  std::atomic<State>& state = states_[node];
  State seen = State::unexpanded;
  if (!state.compare_exchange_strong(seen, State::busy, std::memory_order_acquire)) {
    yield_until([&] { return state.load(std::memory_order_acquire) == State::expanded; });
    return;
  }
  KdopLink& link = nodes_.links[node];
  if (link.left == KdopLink::none) split(node, worker);
  fit(link.left);
  fit(link.right);
  state.store(State::expanded, std::memory_order_release);
}

/// Splits the items of a node for the first time.
void ClusterTree::split(Index node, unsigned worker) {
  KdopLink& link = nodes_.links[node];
  const auto items = std::span(items_).subspan(begins_[node], link.count);
  if (is_root(node)) locate(items);
  const Index half = static_cast<Index>(split_midway(items));
  link.left = next_pair(worker);
  link.right = link.left + 1;
  put_node(link.left, begins_[node], half);
  put_node(link.right, begins_[node] + half, link.count - half);
}

void ClusterTree::locate(std::span<KdopItem> items) const {
  for (KdopItem& item : items)
    item = item.id == removed ? KdopItem{Pack{}, removed} : source_->item(item.id);
}

/// Builds a tree over nodes.
Index ClusterTree::join(std::span<KdopItem> roots) {
  if (roots.size() == 1) return roots[0].id;
  const std::size_t half = split_midway(roots);
  const Index left = join(roots.first(half)), right = join(roots.subspan(half));
  const Index node = next_above_++;
  nodes_.join(node, left, right);
  states_[node].store(State::expanded, std::memory_order_relaxed);
  return node;
}

KdopItem ClusterTree::item_of_node(Index node) const {
  const Kdop& volume = nodes_.volumes[node];
  return {(volume.lo_0 + volume.hi_0) + (volume.lo_1 + volume.hi_1), node};
}

}  // namespace toccata
