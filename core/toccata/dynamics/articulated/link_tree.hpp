// Kinematics of the links of an articulated body: their poses, their motions while all joints keep
// their rates, and bounds on how far these motions take them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "toccata/dynamics/articulated/joint_freedom.hpp"
#include "toccata/dynamics/body/simulated_body.hpp"

namespace toccata {

/// Far larger than rounding errors of sums of lengths and of the poses of a long chain.
inline constexpr double beyond_rounding = 1 + 0x1p-30;

/// Inactive joints between two frames of a tree: their number, and the length of their chain.
struct HiddenJoints {
  Index count = 0;
  double length = 0;
};

/// A link: its pose in the frame of a joint, and a ball that contains it, in its own coordinates.
struct LinkSite {
  Index joint;
  Pose offset;
  Vec3d center{0, 0, 0};
  double radius = 0;
  HiddenJoints hidden = {};  ///< between `joint` and the joint that carries the link
  Pose carrier = {};         ///< frame of the joint that carries the link, in the frame of `joint`
};

/// Pose of a frame in the world, with the velocity of its origin and its spin.
struct MovingFrame {
  Pose pose;
  Vec3d velocity{0, 0, 0}, spin{0, 0, 0};
};

/// Joints and links of an articulated body. Rates are those of `FreedomTable`. A tree never
/// changes.
class LinkTree {
 public:
  LinkTree(std::vector<Joint> joints, std::vector<LinkSite> links);

  /// Returns the tree of the active joints (one byte each): the others keep their coordinates of
  /// `q`. Its configurations and rates are those of this tree, and joints have other indices.
  LinkTree reduced(std::span<const std::uint8_t> active, const double* q) const;
  bool is_reduced() const { return is_reduced_; }
  /// Returns a number that only copies of this tree have.
  std::uint64_t id() const { return id_; }

  std::span<const Joint> joints() const { return joints_; }
  std::span<const LinkSite> links() const { return {sites_.data(), links_}; }
  /// Returns the links, and then the rigid groups with several links.
  std::span<const LinkSite> sites() const { return sites_; }
  /// The links of one frame: they are a rigid body.
  struct Group {
    Index site = -1;  ///< contains all of them; -1: there are none
    Index first = -1;
    double largest = 0, smallest = infinity;  ///< radii of links
  };
  /// Returns the groups of the ground and then of each joint.
  std::span<const Group> groups() const { return groups_; }
  /// Returns the inactive joints between a joint and its parent.
  const HiddenJoints& hidden(Index joint) const { return hidden_[joint]; }
  /// Returns whether a joint does not mimic another one.
  bool leads(Index joint) const { return leads_[joint]; }
  /// Returns the first rate of a joint.
  Index first_rate(Index joint) const { return first_[joint]; }

  /// Returns the motion of a joint's frame relative to its parent from a configuration on, while it
  /// keeps its rates for `duration`.
  Twist twist(Index joint, const double* q, const double* rates, double duration) const;
  /// Computes the configuration after joints have kept their rates for `duration`.
  void advance(const double* q, const double* rates, double duration, double* end) const;
  /// Computes the frames of all joints at a configuration with given rates.
  void frames(const double* q, const double* rates, std::vector<MovingFrame>& found) const;
  /// Returns the frame of a link or of another site, with the velocity of its center.
  MovingFrame link(Index i, std::span<const MovingFrame> frames) const;
  /// Returns the pose of the joint's frame that carries a link.
  Pose carrier(Index i, std::span<const MovingFrame> frames) const;

  /// Returns the joints that carry a link, from the ground on, and then `joints().size() + i`,
  /// which stands for the offset of the link.
  std::span<const Index> chain(Index i) const {
    return std::span(chains_).subspan(chain_start_[i], chain_start_[i + 1] - chain_start_[i]);
  }
  /// Returns the number of joints that carry both links.
  std::size_t common_joints(Index i, Index j) const;

 private:
  LinkTree() = default;
  void finish();
  void enclose_groups();

  std::uint64_t id_ = 0;
  bool is_reduced_ = false;
  std::vector<Joint> joints_;
  std::vector<HiddenJoints> hidden_;  // by joint
  std::vector<Index> first_;          // by joint: its first rate
  std::vector<std::uint8_t> leads_;   // by joint: false for one that mimics another
  Index coordinates_ = 0;
  std::size_t links_ = 0;
  std::vector<LinkSite> sites_;
  std::vector<Group> groups_;
  std::vector<Index> chains_;             // chains of all links, one after the other
  std::vector<std::size_t> chain_start_;  // by link, and the end
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
    double speed = 0;     ///< bound for all points; 0: the link is fixed
    double rounding = 0;  ///< displacement by rounded coordinates, at most
    double error = 0;     ///< `rounding` plus the error of the motion
  };
  /// Functions of a link also take the index of another site of the tree.
  Bound bound(Index i) const;
  /// Bounds the distance between any point's positions at 0 and at t.
  double travel(Index i, double t) const;
  /// Bounds the change of the distance between any points of two links.
  double relative_travel(Index i, Index j) const;
  /// Motion bounds of a body, for pairs that no joint carries together.
  struct Mover {
    Drift drift;
    double travel, error;
  };
  Mover mover(Index i) const { return {whole_drift(i), travel(i, 1), bound(i).error}; }
  static double relative_travel(const Mover& a, const Mover& b);

 private:
  void follow_joints(double start, double half, std::vector<ChainState>& states) const;
  Drift find_drift(Index i, const ChainState* states, double half) const;
  Drift whole_drift(Index i) const { return find_drift(i, states_.data(), 1); }
  Drift drift_in(Index i, int window) const;
  double rounding(std::size_t frame, const HiddenJoints& hidden, double reach) const;
  void refine();

  const LinkTree* tree_ = nullptr;
  std::uint64_t known_ = 0;    // the tree whose offsets are in `twists_`
  std::vector<Twist> twists_;  // motions of joints, then the offsets of sites
  // For the ground, then for each joint.
  std::vector<ChainSums> sums_;
  std::vector<ChainState> states_;  // for the whole motion
  std::vector<double> angles_;
  std::vector<bool> is_fixed_;
  int windows_ = 1;                        // number of windows of equal length
  std::vector<ChainState> window_states_;  // by window and frame; empty for one window
  std::vector<ChainState> scratch_;
};

}  // namespace toccata
