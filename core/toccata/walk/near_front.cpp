#include "toccata/walk/near_front.hpp"

#include <algorithm>
#include <bit>

#include "toccata/base/interruption.hpp"
#include "toccata/walk/gaps.hpp"

namespace toccata {
namespace {

const FrontFamily root_family{{0, Bvh::root(), true}, 1};

/// The least gap of some lanes; one that is not a number says nothing.
double nearest_of(Pack gap, unsigned lanes) {
  float least = INFINITY;
  for_lanes(lanes, [&](int lane) {
    if (!(gap[lane] >= least)) least = gap[lane] < least ? gap[lane] : -INFINITY;
  });
  return least;
}

}  // namespace

void NearFront::clear() {
  entries_.clear();
  travelled_ = 0;
  rooted_size_ = 0, rooted_distance_ = 0;
}

void NearFront::look(const NearView& view, double distance, Entry& entry) const {
  const Expansion<VolumeKind::box> expansion(view.pair, entry.pairs.family);
  const RelativeState& seen = view.seen[entry.pairs.family.of_a];
  entry.gap = gaps_of(expansion, seen, distance);
  // Those of boxes alone would have to be looked at again much sooner.
  const unsigned near = expansion.triangles() & entry.pairs.lanes &
                        ~bits(entry.gap > static_cast<float>(distance));
  if (std::has_single_bit(near)) {
    const int lane = std::countr_zero(near);
    entry.gap.set(lane, std::max(entry.gap[lane], expansion.triangle_bounds(seen, near).gap[lane]));
  }
  entry.looked = travelled_;
  entry.until = travelled_ + nearest_of(entry.gap, entry.pairs.lanes);
}

/// Old bounds of triangles that are near anyway will do: what they cost is less than new ones.
bool NearFront::look_again(const NearView& view, double distance, Entry& entry) const {
  constexpr double recent = 0.5;
  const double since = travelled_ - entry.looked;
  if (since == 0) return true;
  const Expansion<VolumeKind::box> expansion(view.pair, entry.pairs.family);
  const bool only_triangles = (entry.pairs.lanes & ~expansion.triangles()) == 0;
  if (only_triangles && since < recent * distance) return true;
  look(view, distance, entry);
  return is_near(entry, distance);
}

/// Triangles that are near are found, other pairs that are near are replaced by their children, at
/// the end of the front.
void NearFront::descend(const NearView& view, double distance, std::size_t k,
                        std::vector<NearTriangles>& found) {
  Entry entry = entries_[k];
  if (look_again(view, distance, entry)) {
    const double since = travelled_ - entry.looked;
    for_lanes(entry.pairs.lanes, [&](int lane) {
      const double gap = entry.gap[lane] - since;
      if (gap > distance) return;
      const NodePair nodes = entry.pairs.family.child(lane);
      if (are_leaves(view.pair, nodes)) {
        const auto [a, b] = elements_of(view.pair, nodes);
        found.push_back({a, b, static_cast<float>(gap)});
        return;
      }
      const Expansion<VolumeKind::box> children(view.pair, nodes);
      entry.pairs.lanes &= ~(1u << lane);
      entries_.push_back({{children.family(), children.used()}, 0, 0, {}});
      look(view, distance, entries_.back());
    });
    entry.until = entry.looked + nearest_of(entry.gap, entry.pairs.lanes);
  }
  entries_[k] = entry;
}

/// Where bodies have parted, the front stays fine. What that costs is little, but not nothing.
bool NearFront::is_too_fine() const {
  constexpr std::size_t small = 500;
  return entries_.size() > 2 * rooted_size_ + small;
}

bool NearFront::list(const NearView& view, double distance, std::vector<NearTriangles>& found) {
  if (is_too_fine()) clear();
  if (entries_.empty()) {
    ++roots_;
    entries_.push_back({root_family, 0, 0, {}});
    look(view, distance, entries_.back());
  }
  const MovingPair& pair = view.pair;
  const std::size_t most = 1000 + 8 * (pair.mesh_a().faces().size() + pair.mesh_b().faces().size());
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    if (!is_near(entries_[k], distance)) continue;
    interruption_point(static_cast<Count>(k));
    descend(view, distance, k, found);
    if (entries_.size() > most) return clear(), false;
  }
  std::erase_if(entries_, [](const Entry& entry) { return entry.pairs.lanes == 0; });
  if (distance > rooted_distance_) rooted_distance_ = distance, rooted_size_ = entries_.size();
  return true;
}

void NearFront::collect(const NearView& view, double distance, std::size_t most,
                        std::vector<FrontFamily>& found) {
  if (entries_.empty()) found.push_back(root_family);
  for (Entry& entry : entries_) {
    if (!is_near(entry, distance)) continue;
    if (travelled_ > entry.looked) look(view, distance, entry);
    FrontFamily near{entry.pairs.family, 0};
    for_lanes(entry.pairs.lanes, [&](int lane) {
      if (!(entry.gap[lane] > distance)) near.lanes |= 1u << lane;
    });
    if (!near.lanes) continue;
    found.push_back(near);
    if (found.size() > most) return;
  }
}

double NearFront::least_distance() const {
  double least = entries_.empty() ? 0 : infinity;
  for (const Entry& entry : entries_) least = std::min(least, entry.until - travelled_);
  return std::max(0.0, least);
}

}  // namespace toccata
