// An articulated model: a tree of joints with meshes on it.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "toccata/geometry/tolerance.hpp"
#include "toccata/robot/assembly.hpp"
#include "toccata/robot/line_swept.hpp"

namespace toccata {

/// A frame seen from `root` (a joint's frame, or -1 for the world's): it hangs on `parent` (another
/// frame with the same root, or -1 for the root itself) by `joint`.
struct Frame {
  Index root, parent, joint;
  Index path_begin, path_end;  ///< its joints from the root on, in `Robot::path`
};

/// Two links that are tested against each other, seen from the last frame that carries both: joints
/// above it move neither relative to the other. -1: the link does not move in that frame.
struct LinkPair {
  Index a, b;
  Index root;  ///< joint, or -1 for the world
  Index frame_a, frame_b;
};

/// Immutable, shared by all queries and threads. Meshes must outlive it.
class Robot {
 public:
  /// Joints come after their parents. `ignored` names pairs of links that are never tested.
  Robot(std::vector<Joint> joints, std::vector<Link> links,
        const std::vector<std::pair<Index, Index>>& ignored);
  /// The same robot with other pairs left out.
  Robot ignoring(const std::vector<std::pair<Index, Index>>& ignored) const;

  /// No other robot has it, copies aside.
  Count id() const { return id_; }
  std::span<const Joint> joints() const { return joints_; }
  std::span<const Link> links() const { return links_; }
  /// Contains a link, in the frame that it hangs on.
  const LineSwept& cover(Index link) const { return covers_[link]; }
  std::span<const LinkPair> pairs() const { return pairs_; }
  /// The number of the pair of links a < b, or a negative one if it is not tested.
  Index pair(Index a, Index b) const { return pair_numbers_[a * links_.size() + b]; }
  std::span<const Frame> frames() const { return frames_; }
  /// The frame of a joint as the world sees it.
  Index world_frame(Index joint) const { return joint < 0 ? -1 : world_frames_[joint]; }
  std::span<const Index> path(Index frame) const;
  const Assembly& assembly() const { return *assembly_; }
  Index coordinates() const { return coordinates_; }
  /// Of all links.
  const Radii& radii() const { return radii_; }
  /// The largest coordinate of links and of the joints' places.
  double extent() const { return extent_; }
  /// The same robot with all lengths multiplied by a power of two; `meshes` keeps its links.
  Robot scaled(int exponent, std::deque<Mesh>& meshes) const;
  /// The motion of a joint between two configurations.
  Twist motion(Index joint, const double* start, const double* end) const;
  /// Of all joints, in place of what `joints` holds.
  void motions(const double* start, const double* end, std::vector<Twist>& joints) const;

  /// Throws `invalid_argument` naming `argument` for numbers that are no configuration.
  void check(std::span<const double> q, const char* argument) const;
  /// The same for rows of the coefficients of 1, t, ... t^5.
  void check_way(std::span<const double> rows, const char* argument) const;

 private:
  void find_pairs(const std::vector<std::pair<Index, Index>>& ignored);
  void measure();
  Index frame(Index root, Index joint);
  void find_common(Index joint, std::vector<Index>& common) const;
  Index depth(Index joint) const { return joint < 0 ? 0 : depths_[joint]; }

  Count id_ = 0;
  std::shared_ptr<const Assembly> assembly_;
  std::vector<Joint> joints_;
  std::vector<Twist> turns_;  // by joint: from zero by one radian, if it is revolute
  std::vector<Link> links_;
  std::vector<LineSwept> covers_;
  std::vector<LinkPair> pairs_;
  std::vector<Frame> frames_;
  std::vector<Index> depths_;  // by joint: how many joints carry its frame
  // By joint: the frames that hang on it, by the depth of their root; -1 where there is none.
  std::vector<std::vector<Index>> frames_of_joint_;
  std::vector<Index> world_frames_;
  std::vector<Index> paths_;         // from the world to each joint
  std::vector<Index> pair_numbers_;  // a row per link
  Index coordinates_ = 0;
  Radii radii_;
  double extent_ = 0;
};

}  // namespace toccata
