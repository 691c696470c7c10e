// Bounds of distances after a motion, and refinement of the front where they are too small.
#include "toccata/walk/distance_front.hpp"

#include <algorithm>
#include <bit>

#include "toccata/base/interruption.hpp"
#include "toccata/walk/gaps.hpp"

namespace toccata {
namespace {

const FrontSiblings root_siblings{{0, Bvh::root(), true}, 1};

/// Returns the least gap of some lanes. A NaN counts as minus infinity.
double nearest_of(Pack gap, unsigned lanes) {
  float least = INFINITY;
  for_lanes(lanes, [&](int lane) {
    if (!(gap[lane] >= least)) least = gap[lane] < least ? gap[lane] : -INFINITY;
  });
  return least;
}

}  // namespace

void DistanceFront::clear() {
  entries_.clear();
  travel_ = 0;
  rooted_size_ = 0, rooted_distance_ = 0;
  viewed_ = -1;
}

/// Computes the motion of the bodies since the last views.
void DistanceFront::begin(const DistanceView& view) {
  if (viewed_ != travel_) ++view_, viewed_ = travel_;
  placed_[view_ % views] = view.placed;
  for (Count k = 0; k < views; ++k)
    for (int x = 0; x < 2; ++x) {
      const DistanceView::Placed &was = placed_[k][x], &is = view.placed[x];
      const Mat3d d{is.axes.x - was.axes.x, is.axes.y - was.axes.y, is.axes.z - was.axes.z};
      // The difference of two rotations has the singular values s, s, 0: s is its Frobenius norm
      // divided by the square root of 2.
      const double turn = std::sqrt((norm2(d.x) + norm2(d.y) + norm2(d.z)) / 2);
      shifts_[k][x] = {d, is.center - was.center, turn};
    }
}

/// Bounds the distances of node pairs from below, now or until the end of `motion`.
///
/// Proof: along its direction, a pair comes nearer at most by the motion of the center of y's
/// volume along the direction, plus the rotation of the volume about its center. During a uniform
/// motion along a line, the motion of the center is largest at the start or at the end. Products in
/// single precision err by less than 2^-20 of the shift. The error of the pair exceeds the rounding
/// in double precision.
Pack DistanceFront::bounds(const DistanceView& view, const Entry& entry,
                           const TravelBounds* motion) const {
  constexpr double up = 1 + 0x1p-20;
  const double travel = travel_ - entry.tested + (motion ? motion->length : 0);
  const Pack gap = entry.gap - static_cast<float>(travel * up);
  if (view_ - entry.view >= views) return gap;
  const Siblings& siblings = entry.pairs.nodes;
  const Mesh& other = siblings.of_a ? view.pair.mesh_b() : view.pair.mesh_a();
  const WideNode& node = other.bvh().nodes[siblings.other.node()];
  const Shift& shift = shifts_[entry.view % views][siblings.of_a];
  const Vec3f c = lane(node.center, siblings.other.lane());
  const Vec3d center{c.x, c.y, c.z}, moved = shift.center + shift.axes * center;
  Pack nearer = dot(entry.direction, broadcast(to_float(moved)));
  double turn = shift.turn, slack = 0x1p-20 * norm1(moved) + 8 * view.pair.error();
  if (motion) {
    const DistanceView::Placed &now = view.placed[siblings.of_a],
                               &then = motion->end.placed[siblings.of_a];
    const Vec3d goes = then.center + then.axes * center - now.center - now.axes * center;
    nearer = max(nearer, dot(entry.direction, broadcast(to_float(moved + goes))));
    turn += motion->turn;
    slack += motion->bend + 0x1p-20 * norm1(goes);
  }
  slack += turn * node.reach[siblings.other.lane()];
  return max(gap, entry.gap - nearer - static_cast<float>(slack * up));
}

void DistanceFront::test(const DistanceView& view, double distance, Entry& entry) const {
  const Expansion<VolumeKind::box> expansion(view.pair, entry.pairs.nodes);
  const RelativeState& seen = view.seen[entry.pairs.nodes.of_a];
  const Approach boxes = expansion.bounds(seen);
  entry.gap = boxes.gap, entry.direction = boxes.direction;
  const unsigned near = expansion.triangles() & entry.pairs.lanes &
                        ~bits(entry.gap > static_cast<float>(distance));
  if (near) {
    const Approach triangles = expansion.triangle_bounds(seen, near);
    for_lanes(near & bits(triangles.gap > entry.gap), [&](int lane) {
      entry.gap.set(lane, triangles.gap[lane]);
      set_lane(entry.direction, lane, toccata::lane(triangles.direction, lane));
    });
  }
  entry.tested = travel_, entry.view = view_;
  entry.until = travel_ + nearest_of(entry.gap, entry.pairs.lanes);
}

/// Visits an entry of the front. Appends its triangles within the distance to `found`. Replaces
/// other node pairs within the distance by their children, at the end of the front. Triangles keep
/// their old gaps unless the travel has reduced them much, because new gaps cost more.
void DistanceFront::descend(const DistanceView& view, double distance, std::size_t k,
                            std::vector<TriangleGap>& found) {
  Entry entry = entries_[k];
  Pack gap = bounds(view, entry);
  const auto near = [&] { return entry.pairs.lanes & ~bits(gap > static_cast<float>(distance)); };
  unsigned lanes = near();
  if (!lanes) return;
  const Expansion<VolumeKind::box> expansion(view.pair, entry.pairs.nodes);
  const auto lost = static_cast<float>(0.5 * distance);
  const bool renews = (lanes & ~expansion.triangles()) || (lanes & bits(entry.gap - gap > lost));
  if (renews && entry.tested < travel_) {
    test(view, distance, entry);
    gap = entry.gap;
    lanes = near();
  }
  for_lanes(lanes, [&](int lane) {
    const NodePair nodes = entry.pairs.nodes.child(lane);
    if (are_leaves(view.pair, nodes)) {
      const auto [a, b] = elements_of(view.pair, nodes);
      return found.push_back({a, b, gap[lane]});
    }
    const Expansion<VolumeKind::box> children(view.pair, nodes);
    entry.pairs.lanes &= ~(1u << lane);
    test(view, distance,
         entries_.emplace_back(FrontSiblings{children.siblings(), children.used()}));
  });
  entry.until = entry.tested + nearest_of(entry.gap, entry.pairs.lanes);
  entries_[k] = entry;
}

/// Tells that the front has become much finer than after a start from the roots. A front is not
/// coarsened when bodies separate.
bool DistanceFront::is_too_fine() const {
  constexpr std::size_t small = 500;
  return entries_.size() > 2 * rooted_size_ + small;
}

bool DistanceFront::list(const DistanceView& view, double distance,
                         std::vector<TriangleGap>& found) {
  if (is_too_fine()) clear();
  begin(view);
  if (entries_.empty()) {
    ++roots_;
    entries_.emplace_back(root_siblings);
    test(view, distance, entries_.back());
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

void DistanceFront::collect(const DistanceView& view, const TravelBounds& motion, double distance,
                            std::size_t most, std::vector<FrontSiblings>& found) {
  if (entries_.empty()) return found.push_back(root_siblings);
  begin(view);
  const auto near = [&](const Entry& entry) {
    return entry.pairs.lanes & ~bits(bounds(view, entry, &motion) > static_cast<float>(distance));
  };
  for (Entry& entry : entries_) {
    if (!is_near(entry, distance + motion.length)) continue;
    unsigned lanes = near(entry);
    if (lanes && entry.tested < travel_) {
      test(view, distance + motion.length, entry);
      lanes = near(entry);
    }
    if (!lanes) continue;
    found.push_back({entry.pairs.nodes, lanes});
    if (found.size() > most) return;
  }
}

double DistanceFront::least_distance() const {
  double least = entries_.empty() ? 0 : infinity;
  for (const Entry& entry : entries_) least = std::min(least, entry.until - travel_);
  return std::max(0.0, least);
}

}  // namespace toccata
