// A pair of bodies of a robot: two links, or a link and a body of the world. All pairs share the
// poses of the links, which are computed at few times.
#pragma once

#include "toccata/query/setting/robot_in_world.hpp"
#include "toccata/walk/expand.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {

/// A pair of bodies of a robot over time.
class RobotPair {
 public:
  RobotPair(RobotInWorld& setting, const Candidate& candidate);
  RobotPair(const RobotPair&) = delete;  // `pair_` refers to the members

  const MovingPair& pair() const { return pair_; }
  void set_separation(double separation) { pair_.set_separation(separation); }
  /// Tells that neither body moves relative to the other.
  bool is_at_rest() const { return !moves_a_ && !moves_b_; }
  Body body_a() const { return {*mesh_a_, motion_a_}; }
  Body body_b() const { return {*mesh_b_, motion_b_}; }
  const Candidate& candidate() const { return candidate_; }
  /// Returns the frame of body a or b; -1 for a body that no joint moves.
  Index frame_a() const { return frame_a_; }
  Index frame_b() const { return frame_b_; }

  /// Returns the time of the last state; negative before the first state.
  double time() const { return view_.time(); }
  /// Returns the state at the start of `window`, with bounds that hold until its end.
  const PairState& at(Span window);
  /// Returns this state relative to body x, whose nodes fill the lanes: body a or body b.
  const RelativeState& relative(Span window, bool a_fills_lanes);
  /// Keeps the distance of the bodies at the first call, by gaps of all siblings below the roots.
  void see(const Pack& gaps, unsigned siblings) {
    if (seen_) return;
    seen_ = true;
    for_lanes(siblings, [&](int lane) {
      if (!(gaps[lane] >= distance_)) distance_ = gaps[lane] < distance_ ? gaps[lane] : -INFINITY;
    });
  }
  /// Returns a lower bound of the distance at some time of the motion, or 0 if none was seen.
  double seen_distance() const { return seen_ ? distance_ - 2 * pair_.error() : 0; }
  /// Returns a view of both bodies at rest in their poses at `time`.
  PairView posed(double time) const;

  // The times of a best-first traversal (`TraversedPair`).
  Span window(double time) const { return setting_->times.window(time); }
  static double reopens_at(double) { return infinity; }
  /// Returns the time of the last state if it is recent, else a time that many pairs share.
  double volume_time(double now) const { return recent_time(now, setting_->times.snapped(now)); }
  double again_time(double now) const { return volume_time(now); }
  double leaf_time(double now) const { return recent_time(now, now); }
  /// Returns the lanes whose remaining gap after an advance exceeds a fraction of the extents of
  /// both volumes along the gap. A split widens the gap by at most these extents. Lengths across
  /// the gap do not count: they stay the same when a long thin volume of a wire or a pipe is split.
  /// The time is flat between 0.02 and 0.04, measured on arms and hands among pipes, wires and
  /// balls.
  static unsigned promising(const Approach& bounds, const Expansion<VolumeKind::box>&,
                            float separation) {
    return bits(bounds.left - separation > 0.03f * bounds.extent);
  }
  /// Links have long triangles, whose boxes are large.
  static constexpr bool packs_triangles = true;

 private:
  RobotPair(RobotInWorld& setting, const Candidate& candidate, const PairFrames& frames);
  static Motion moved(const Chain& chain) {
    return Motion(std::shared_ptr<const Chain>(std::shared_ptr<void>(), &chain));
  }
  double recent_time(double now, double otherwise) const {
    const double known = time();
    return setting_->times.snapped(now) <= known && known <= now ? known : otherwise;
  }

  RobotInWorld* setting_;
  Candidate candidate_;
  const Mesh *mesh_a_, *mesh_b_;
  Index frame_a_, frame_b_;
  Chain chain_a_, chain_b_;
  Motion motion_a_, motion_b_;
  bool moves_a_, moves_b_;
  bool seen_ = false;
  float distance_ = INFINITY;
  MovingPair pair_;
  PairView view_;
};

static_assert(Setting<RobotInWorld>);

}  // namespace toccata
