// Two moving bodies with the options of a query: the input of all traversals of rigid bodies.
//
// The pair chooses the tolerance if none is given, bounds the rounding errors of the query, and
// evaluates poses and bounds of both motions.
#pragma once

#include <algorithm>

#include "toccata/bvh/mesh.hpp"
#include "toccata/motion/motion.hpp"
#include "toccata/narrow/advancement/approach.hpp"
#include "toccata/narrow/advancement/parting.hpp"
#include "toccata/walk/contact.hpp"
#include "toccata/walk/options.hpp"

namespace toccata {

/// A moving body: references to a mesh and a motion, which must outlive it.
struct Body {
  const Mesh& mesh;
  const Motion& motion;
};

/// Bounds the rounding error of points of a body. `of_pose` is the error of its poses. Coordinates
/// in the hierarchy are relative to the mesh's center, which adds a rounding of `reach`.
inline double rounding_error(double of_pose, const Mesh& mesh) {
  return of_pose + 0x1p-50 * mesh.reach();
}
double rounding_error(const Body& body);

/// Bounds the rounding error of distances between points of two bodies with these errors.
inline double error_of_pair(double a, double b) { return 1.5 * (a + b); }

/// A body at one time, with bounds that hold until the end of the window.
struct BodyState {
  MotionState motion;
  Vec3d center;       ///< center of the mesh, in world coordinates
  Mat3f axes;         ///< rotation of the body, in world axes
  FrameMotion local;  ///< motion in the body's own axes, relative to the mesh's center
};

/// Both bodies at one time.
struct PairState {
  double time;
  BodyState a, b;
};

/// Estimates the relative angular speed, in radians per unit of time.
inline double spin_of(const PairState& state) {
  const auto speed = [](const MotionState& m) { return std::max(m.spin_speed, norm(m.spin)); };
  return speed(state.a.motion) + speed(state.b.motion);
}

/// Two moving bodies with the options of a query. Belongs to one thread.
class MovingPair {
 public:
  MovingPair(const Body& a, const Body& b, const Options& options);

  const Mesh& mesh_a() const { return a_.mesh; }
  const Mesh& mesh_b() const { return b_.mesh; }
  const Motion& motion_a() const { return a_.motion; }
  const Motion& motion_b() const { return b_.motion; }
  const Options& options() const { return options_; }
  double separation() const { return options_.separation; }
  double tolerance() const { return options_.tolerance; }
  /// Returns the tolerance to report. `tolerance` is smaller if the separation was raised
  /// (`Initial::ignore_separating`).
  double stated_tolerance() const { return stated_tolerance_; }
  void set_separation(double separation) { options_.separation = separation; }
  /// Sets the cutoff and the budget.
  void limit(double cutoff, Count budget) { options_.cutoff = cutoff, options_.budget = budget; }
  /// Sets separation and tolerance for bodies that rest, from bounds of their distance d at the
  /// start: d / 2 and d / 8, rounded so that every distance up to d / 2 is reported, and no
  /// distance above 5 / 8 d.
  void rest_at(const Interval& start);
  /// Returns bounds of the distance at the start for bodies that rest; infinite for others.
  const Interval& start() const { return start_; }
  /// Returns the gap at the start for `Initial::ignore_separating`. For other queries, `is_near` is
  /// false.
  const StartGap& start_gap() const { return start_gap_; }
  /// Returns `bodies_stay_until`, computed on demand.
  double stays_until() const;
  /// Tells that rounding hides the distance at the start of bodies that may rest. Their queries are
  /// undecided.
  bool is_unclear() const { return unclear_; }
  /// Tells that the velocity of a body jumps during its motion.
  bool has_kinks() const { return a_.motion.has_kinks() || b_.motion.has_kinks(); }
  /// Returns a bound of the rounding error of distances between points of the two bodies, computed
  /// in double precision.
  double error() const { return error_; }

  /// Returns the state at time t, with bounds that hold until `end`.
  PairState state(double t, double end) const {
    PairState result{t, start_a_, start_b_};
    move(result, t, end);
    return result;
  }
  /// Moves a state of this pair to another time. Bounds hold until `end`.
  void move(PairState& state, double t, double end) const {
    state.time = t;
    if (!fixed_a_) place(a_.mesh, a_.motion.state(t, end), state.a);
    if (!fixed_b_) place(b_.mesh, b_.motion.state(t, end), state.b);
  }
  /// Returns a state in which only the fixed bodies have their poses. Its time is negative.
  PairState at_rest() const { return {-1, start_a_, start_b_}; }
  /// Computes the state of a body from a state of its motion.
  static void place(const Mesh& mesh, const MotionState& motion, BodyState& state);

  /// Returns the state relative to body x, whose nodes fill the lanes: body a or body b.
  RelativeState relative(const PairState& state, bool a_fills_lanes) const;

 private:
  void keep_start_gap();

  Body a_, b_;
  bool fixed_a_, fixed_b_;
  BodyState start_a_{}, start_b_{};  // states of fixed bodies
  Options options_;
  double error_, rate_slack_, stated_tolerance_;
  Interval start_{infinity};
  StartGap start_gap_;
  mutable double stays_until_ = -1;  // negative until it is computed
  bool unclear_ = false;
};

}  // namespace toccata
