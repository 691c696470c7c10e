// The joints of an articulated body with the links that they carry: where links are, and how they
// move while all joints keep their rates.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "toccata/dynamics/articulated/joint_freedom.hpp"
#include "toccata/dynamics/body/simulated_body.hpp"

namespace toccata {

/// A link: its place in the frame of a joint, and a ball that contains it, in its own coordinates.
struct LinkSite {
  Index joint;
  Pose place;
  Vec3d center{0, 0, 0};
  double radius = 0;
};

/// A frame as the world sees it; the velocity is that of its origin.
struct MovingFrame {
  Pose pose;
  Vec3d velocity{0, 0, 0}, spin{0, 0, 0};
};

/// Rates are those of `FreedomTable`.
class LinkTree {
 public:
  LinkTree(std::vector<Joint> joints, std::vector<LinkSite> links);

  std::span<const Joint> joints() const { return joints_; }
  std::span<const LinkSite> links() const { return links_; }

  /// What a joint does from a configuration on, in the time that it takes.
  Twist twist(Index joint, const double* q, const double* rates, double duration) const;
  /// The configuration at the end of such a motion.
  void advance(const double* q, const double* rates, double duration, double* end) const;
  /// Frames of all joints at a configuration that changes at these rates.
  void frames(const double* q, const double* rates, std::vector<MovingFrame>& found) const;
  /// Of a link, with the velocity of its center.
  MovingFrame link(Index i, std::span<const MovingFrame> frames) const;

  /// The joints that carry a link, from the ground on, and after them `joints().size() + i`, which
  /// stands for its place.
  std::span<const Index> path(Index i) const;
  /// How many joints carry both of two links.
  std::size_t common(Index i, Index j) const;

 private:
  std::vector<Joint> joints_;
  std::vector<LinkSite> links_;
  FreedomTable table_;
  std::vector<std::vector<Index>> paths_;
};

/// What all links do while joints keep their rates for a time: motions over [0, 1] that joints make
/// together, as they are certified and executed. Keeps its memory. Motions live as long as nothing
/// else is started.
class LinkMotions {
 public:
  void start(const LinkTree& tree, const double* q, const double* rates, double duration);

  /// As the world sees it, or as the frame of the joint before `path(i)[from]` does.
  Motion motion(Index i, std::size_t from = 0) const;
  Pose pose(Index i, double t) const;
  /// A ball that contains the link during all of the motion, seen from the same frame; none unless
  /// a joint of `path(i)` from `from` on makes a full turn.
  std::optional<EnclosingBall> ball(Index i, std::size_t from = 0) const;

  /// What a link does from a time on: for t of it, a point at r from the center is within t^2 bend
  /// of where t (velocity + spin x r) takes it.
  struct Drift {
    Vec3d velocity{0, 0, 0};  ///< of the center
    double swing = 0;         ///< radius |spin|
    double bend = 0;
  };
  struct Bound {
    Drift drift;          ///< for all of the motion
    double speed = 0;     ///< of any point; 0: it stays
    double turn = 0;      ///< radians, at most
    double rounding = 0;  ///< of where links are by numbers of a configuration, which are rounded
    double error = 0;     ///< the same, and the error of the motion
  };
  const Bound& bound(Index i) const { return bounds_[i]; }
  /// No point of a link is farther from where it started until t.
  double way(Index i, double t) const;
  /// No distance of points of two links changes by more.
  double relative_way(Index i, Index j) const;
  /// The same of two bodies that do not hang on the same joints, with the ways that they make.
  struct Mover {
    Drift drift;
    double way, error;
  };
  Mover mover(Index i) const { return {bounds_[i].drift, way(i, 1), bounds_[i].error}; }
  static double relative_way(const Mover& a, const Mover& b);

 private:
  void follow_joints(double start, double half);
  Drift find_drift(Index i, double half) const;
  Bound find_bound(Index i) const;
  double rounding(std::size_t frame, double reach) const;
  void refine();

  const LinkTree* tree_ = nullptr;
  std::vector<Twist> twists_;  // of joints, then the places of links
  // Of the ground, then of joints:
  std::vector<ChainSums> sums_;
  std::vector<ChainState> states_;
  std::vector<double> angles_;
  std::vector<bool> stays_;
  std::vector<Bound> bounds_;
  int windows_ = 1;            // of equal length, if there are more than one
  std::vector<Drift> drifts_;  // by window and link
};

}  // namespace toccata
