// Kinematics of the links of an articulated body: their poses, their motions while all joints keep
// their rates, and bounds on how far these motions take them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "toccata/dynamics/articulated/joint_freedom.hpp"
#include "toccata/dynamics/body/simulated_body.hpp"

namespace toccata {

/// A link: its pose in the frame of a joint, and a ball that contains it, in its own coordinates.
struct LinkSite {
  Index joint;
  Pose offset;
  Vec3d center{0, 0, 0};
  double radius = 0;
};

/// Pose of a frame in the world, with the velocity of its origin and its spin.
struct MovingFrame {
  Pose pose;
  Vec3d velocity{0, 0, 0}, spin{0, 0, 0};
};

/// Joints and links of an articulated body. Rates are those of `FreedomTable`.
class LinkTree {
 public:
  LinkTree(std::vector<Joint> joints, std::vector<LinkSite> links);

  std::span<const Joint> joints() const { return joints_; }
  std::span<const LinkSite> links() const { return links_; }

  /// Returns the motion of a joint's frame relative to its parent from a configuration on, while it
  /// keeps its rates for `duration`.
  Twist twist(Index joint, const double* q, const double* rates, double duration) const;
  /// Computes the configuration after joints have kept their rates for `duration`.
  void advance(const double* q, const double* rates, double duration, double* end) const;
  /// Computes the frames of all joints at a configuration with given rates.
  void frames(const double* q, const double* rates, std::vector<MovingFrame>& found) const;
  /// Returns the frame of a link, with the velocity of its center.
  MovingFrame link(Index i, std::span<const MovingFrame> frames) const;

  /// Returns the joints that carry a link, from the ground on, and then `joints().size() + i`,
  /// which stands for the offset of the link.
  std::span<const Index> chain(Index i) const;
  /// Returns the number of joints that carry both links.
  std::size_t common_joints(Index i, Index j) const;

 private:
  std::vector<Joint> joints_;
  std::vector<LinkSite> links_;
  FreedomTable table_;
  std::vector<std::vector<Index>> chains_;
};

/// Motions of all links over [0, 1] while joints keep their rates for a duration. These motions are
/// certified and executed. They are valid until the next `start`. Reuses its buffers across calls.
class LinkMotions {
 public:
  void start(const LinkTree& tree, const double* q, const double* rates, double duration);

  /// Returns the motion of a link in the world, or relative to the frame of the joint
  /// before `chain(i)[from]`.
  Motion motion(Index i, std::size_t from = 0) const;
  Pose pose(Index i, double t) const;
  /// Returns a ball that contains the link during the whole motion, relative to the same frame;
  /// nothing unless a joint of `chain(i)` from `from` on makes a full turn.
  std::optional<EnclosingBall> ball(Index i, std::size_t from = 0) const;

  /// Bound of a link's motion from some time on: within the following t, a point at r from the
  /// center is within t^2 bend of its start plus t (velocity + spin x r).
  struct Drift {
    Vec3d velocity{0, 0, 0};  ///< velocity of the center
    double swing = 0;         ///< radius |spin|
    double bend = 0;
  };
  struct Bound {
    Drift drift;          ///< for the whole motion
    double speed = 0;     ///< of any point; 0: the link is fixed
    double turn = 0;      ///< radians, at most
    double rounding = 0;  ///< displacement by rounded coordinates, at most
    double error = 0;     ///< `rounding` plus the error of the motion
  };
  const Bound& bound(Index i) const { return bounds_[i]; }
  /// Bounds the distance between any point's positions at 0 and at t.
  double travel(Index i, double t) const;
  /// Bounds the change of the distance between any points of two links.
  double relative_travel(Index i, Index j) const;
  /// Motion bounds of a body, for pairs that no joint carries together.
  struct Mover {
    Drift drift;
    double travel, error;
  };
  Mover mover(Index i) const { return {bounds_[i].drift, travel(i, 1), bounds_[i].error}; }
  static double relative_travel(const Mover& a, const Mover& b);

 private:
  void follow_joints(double start, double half);
  Drift find_drift(Index i, double half) const;
  Bound find_bound(Index i) const;
  double rounding(std::size_t frame, double reach) const;
  void refine();

  const LinkTree* tree_ = nullptr;
  std::vector<Twist> twists_;  // motions of joints, then the offsets of links
  // For the ground, then for each joint.
  std::vector<ChainSums> sums_;
  std::vector<ChainState> states_;
  std::vector<double> angles_;
  std::vector<bool> is_fixed_;
  std::vector<Bound> bounds_;
  int windows_ = 1;            // number of windows of equal length
  std::vector<Drift> drifts_;  // by window and link; empty for one window
};

}  // namespace toccata
