// Two moving bodies and a query about them: the common ground of all rigid methods.
#pragma once

#include <algorithm>

#include "toccata/bvh/mesh.hpp"
#include "toccata/motion/motion.hpp"
#include "toccata/narrow/advancement/approach.hpp"
#include "toccata/narrow/advancement/parting.hpp"
#include "toccata/walk/contact.hpp"
#include "toccata/walk/options.hpp"

namespace toccata {

struct Body {
  const Mesh& mesh;
  const Motion& motion;
};

/// Bounds the rounding error of points of a body whose poses err by `of_pose`. The coordinates of
/// the hierarchy are relative to the mesh's center: one more rounding of `reach`.
inline double rounding_error(double of_pose, const Mesh& mesh) {
  return of_pose + 0x1p-50 * mesh.reach();
}
double rounding_error(const Body& body);

/// Bounds the rounding error of distances between points of two bodies with these errors.
inline double error_of_pair(double a, double b) { return 1.5 * (a + b); }

/// A body at one time, with bounds that hold until the end of the window.
struct BodyState {
  MotionState motion;
  Vec3d center;       ///< of the mesh, world
  Mat3f axes;         ///< of the body, in world axes
  FrameMotion local;  ///< in the body's own axes, about the mesh's center
};

/// Both bodies at one time.
struct PairState {
  double time;
  BodyState a, b;
};

/// How fast the two turn relative to each other, about, in radians.
inline double spin_of(const PairState& state) {
  const auto speed = [](const MotionState& m) { return std::max(m.spin_speed, norm(m.spin)); };
  return speed(state.a.motion) + speed(state.b.motion);
}

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
  /// The tolerance that answers state: separation + tolerance may have been split in another way.
  double stated_tolerance() const { return stated_tolerance_; }
  void set_separation(double separation) { options_.separation = separation; }
  /// Asks for contacts before `cutoff` only, with so many units of work.
  void limit(double cutoff, Count budget) { options_.cutoff = cutoff, options_.budget = budget; }
  /// Lets bodies rest whose distance d at the start has these bounds: asks about d / 2 and d / 8,
  /// rounded so that every distance of d / 2 is found, and none above 5 / 8 d is.
  void rest_at(const Interval& start);
  /// Bounds of the distance at the start of bodies that rest; infinite for others.
  const Interval& start() const { return start_; }
  /// How far the bodies are apart at the start, with `Initial::ignore_separating`; else not near.
  const StartGap& start_gap() const { return start_gap_; }
  /// Until when bodies that start near each other certainly have not left (`bodies_stay_until`),
  /// computed when it is first asked for: a pair belongs to one thread.
  double stays_until() const;
  /// Whether rounding hides the distance at the start of bodies that may rest. Then nothing is
  /// known of them.
  bool is_unclear() const { return unclear_; }
  /// Whether velocities of one of the bodies jump.
  bool has_kinks() const { return a_.motion.has_kinks() || b_.motion.has_kinks(); }
  /// Exceeds the rounding error of any distance between points of the two bodies, in double.
  double error() const { return error_; }

  PairState state(double t, double end) const {
    PairState result{t, start_a_, start_b_};
    move(result, t, end);
    return result;
  }
  /// Takes a state of this pair to another time; bounds hold until `end`.
  void move(PairState& state, double t, double end) const {
    state.time = t;
    if (!fixed_a_) place(a_.mesh, a_.motion.state(t, end), state.a);
    if (!fixed_b_) place(b_.mesh, b_.motion.state(t, end), state.b);
  }
  /// Bodies that stay are in place; others are nowhere yet.
  PairState at_rest() const { return {-1, start_a_, start_b_}; }
  /// Puts a body into place by a state of its motion that the caller has at hand.
  static void place(const Mesh& mesh, const MotionState& motion, BodyState& state);

  /// The state as volumes see it: `a_fills_lanes` says which body is x.
  RelativeState relative(const PairState& state, bool a_fills_lanes) const;

 private:
  void keep_start_gap();

  Body a_, b_;
  bool fixed_a_, fixed_b_;
  BodyState start_a_{}, start_b_{};  // of bodies that stay
  Options options_;
  double error_, rate_slack_, stated_tolerance_;
  Interval start_{infinity};
  StartGap start_gap_;
  mutable double stays_until_ = -1;  // negative: not known yet
  bool unclear_ = false;
};

}  // namespace toccata
