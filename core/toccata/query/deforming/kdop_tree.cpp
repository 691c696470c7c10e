// Construction of 16-DOP trees by median or midpoint splits, in parallel.
#include "toccata/query/deforming/kdop_tree.hpp"

#include <cstring>

#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

class Builder {
 public:
  Builder(const KdopSource& source, KdopNodes& nodes) : source_(source), nodes_(nodes) {}

  struct Part {
    std::span<KdopItem> items;
    Index root;
  };

  /// Builds the tree of a part. If `later` is given, appends parts of at most `enough` items to it
  /// instead.
  void build(Part part, std::size_t enough, std::vector<Part>* later) {
    if (later && part.items.size() <= enough) return later->push_back(part);
    if (part.items.size() == 1) return leaf(part);
    const std::size_t half = split(part.items);
    const Index left = part.root + 1, right = part.root + 2 * static_cast<Index>(half);
    build({part.items.first(half), left}, enough, later);
    build({part.items.subspan(half), right}, enough, later);
    if (later)
      nodes_.links[part.root] = KdopLink::inner(left, right, static_cast<Index>(part.items.size()));
    else nodes_.join(part.root, left, right);
  }

  /// Computes the volumes of nodes above the parts that were built separately.
  void join_above(Index root, std::size_t enough) {
    const KdopLink link = nodes_.links[root];
    if (static_cast<std::size_t>(link.count) <= enough) return;
    join_above(link.left, enough);
    join_above(link.right, enough);
    nodes_.join(root, link.left, link.right);
  }

 private:
  void leaf(const Part& part) {
    const Index element = part.items[0].id;
    nodes_.volumes[part.root] = source_.element(element);
    nodes_.links[part.root] = KdopLink::leaf(element);
    if (nodes_.has_memberships()) nodes_.memberships[part.root] = source_.membership(element);
  }

  const KdopSource& source_;
  KdopNodes& nodes_;
};

}  // namespace

KdopSource::KdopSource(const Features& f, const LocalFrame& local,
                       UninitializedVector<KdopPoint>& workspace, unsigned threads)
    : features(f), margin(kdop_margin(local)), diagonal(local.diagonal) {
  renew(workspace, f.vertex_count);
  parallel_for(workspace.size(), even_grain(workspace.size()), threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (std::size_t v = begin; v < end; ++v) {
                   const Index i = static_cast<Index>(v);
                   workspace[v] = {along_directions(local.start(i)),
                                   along_directions(local.end(i))};
                 }
               });
  points = workspace;
}

void KdopNodes::reset(std::size_t count, bool has_memberships) {
  renew(volumes, count);
  renew(links, count);
  renew(memberships, has_memberships ? count : 0);
}

namespace {

/// Extent of items along the axis in which they extend most.
struct Extent {
  int axis;
  float lo, hi;
};

Extent extent(std::span<const KdopItem> items) {
  using Four = float __attribute__((vector_size(sizeof(KdopItem))));
  const auto load_item = [](const KdopItem& item) {
    Four p;
    // The id is loaded too, and ignored.
    std::memcpy(&p, &item, sizeof p);
    return p;
  };
  Four lo = load_item(items[0]), hi = lo;
  for (const KdopItem& item : items) {
    const Four p = load_item(item);
    lo = p < lo ? p : lo;
    hi = p > hi ? p : hi;
  }
  const Four size = hi - lo;
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (size[k] > size[axis]) axis = k;
  return {axis, lo[axis], hi[axis]};
}

std::size_t split_at_median(std::span<KdopItem> items, int axis) {
  const std::size_t half = items.size() / 2;
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(half), items.end(),
                   [axis](const KdopItem& a, const KdopItem& b) {
                     return a.position[axis] != b.position[axis]
                                ? a.position[axis] < b.position[axis]
                                : a.id < b.id;
                   });
  return half;
}

}  // namespace

std::size_t split(std::span<KdopItem> items) { return split_at_median(items, extent(items).axis); }

std::size_t split_midway(std::span<KdopItem> items) {
  if (items.size() == 2) return 1;
  const auto [axis, lo, hi] = extent(items);
  const float middle = lo + (hi - lo) * 0.5f;
  std::size_t below = 0;
  // Avoids a branch that would be taken half of the time.
  for (KdopItem& item : items) {
    const KdopItem now = item;
    item = items[below];
    items[below] = now;
    below += now.position[axis] < middle;
  }
  if (std::min(below, items.size() - below) > items.size() / 8) return below;
  return split_at_median(items, axis);
}

void build_tree(const KdopSource& source, std::span<KdopItem> items, KdopNodes& nodes, Index root,
                unsigned threads) {
  Builder builder(source, nodes);
  if (threads <= 1) return builder.build({items, root}, 0, nullptr);
  const std::size_t enough = std::max<std::size_t>(1 << 10, items.size() / (8 * threads));
  std::vector<Builder::Part> parts;
  builder.build({items, root}, enough, &parts);
  parallel_for(parts.size(), 1, threads,
               [&](std::size_t i, std::size_t, unsigned) { builder.build(parts[i], 0, nullptr); });
  builder.join_above(root, enough);
}

}  // namespace toccata
