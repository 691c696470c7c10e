// Robots: trees of joints with a mesh on each link.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "toccata/geometry/tolerance.hpp"
#include "toccata/robot/assembly.hpp"

namespace toccata {

/// A frame relative to `carrier` (a joint's frame, or -1 for the world). It is attached to `parent`
/// (a frame with the same carrier, or -1 for the carrier itself) by `joint`.
struct Frame {
  Index carrier, parent, joint;
  Index path_begin, path_end;  ///< its joints after the carrier, as a range in `Robot::path`
};

/// Two links that are tested against each other, relative to the deepest joint that carries both.
/// Joints above the carrier do not move the links relative to each other. A frame of -1 means that
/// the link does not move relative to the carrier.
struct LinkPair {
  Index a, b;
  Index carrier;  ///< a joint, or -1 for the world
  Index frame_a, frame_b;
};

/// A line-swept sphere: all points within `radius` of the segment from `start` to `end`.
struct LineSwept {
  Vec3d start, end;
  double radius;
};

/// Returns a line-swept sphere that contains the mesh in floating point, in body coordinates (Redon
/// et al. 2004, section 4.2.1).
LineSwept line_swept_around(const Mesh& mesh);

/// An articulated body. Immutable, and shared by all queries and threads. Meshes must outlive it.
class Robot {
 public:
  /// Joints come after their parents. `ignored` has pairs of links that are never tested.
  Robot(std::vector<Joint> joints, std::vector<Link> links,
        const std::vector<std::pair<Index, Index>>& ignored);
  /// Returns the robot with other ignored pairs.
  Robot ignoring(const std::vector<std::pair<Index, Index>>& ignored) const;

  /// Returns a unique id, which only copies share.
  Count id() const { return id_; }
  std::span<const Joint> joints() const { return joints_; }
  std::span<const Link> links() const { return links_; }
  /// Returns a line-swept sphere that contains a link, in the frame of the link's joint.
  const LineSwept& line_swept(Index link) const { return line_swept_[link]; }
  std::span<const LinkPair> pairs() const { return pairs_; }
  /// Returns the index of the pair of links a < b, or a negative number if it is not tested.
  Index pair(Index a, Index b) const { return pair_indices_[a * links_.size() + b]; }
  std::span<const Frame> frames() const { return frames_; }
  /// Returns the frame of a joint relative to the world.
  Index world_frame(Index joint) const { return joint < 0 ? -1 : world_frames_[joint]; }
  std::span<const Index> path(Index frame) const;
  const Assembly& assembly() const { return *assembly_; }
  Index coordinates() const { return coordinates_; }
  /// Returns the radii of all links.
  const Radii& radii() const { return radii_; }
  /// Returns the largest coordinate of links and of the joints' origins.
  double extent() const { return extent_; }
  /// Returns the robot with all lengths multiplied by a power of two. `meshes` keeps its links.
  Robot scaled(int exponent, std::deque<Mesh>& meshes) const;
  /// Returns the motion of a joint between two configurations.
  Twist motion(Index joint, const double* start, const double* end) const;
  /// Computes the motions of all joints, and replaces the content of `joints`.
  void motions(const double* start, const double* end, std::vector<Twist>& joints) const;

  /// Throws `invalid_argument` with `argument` if the numbers are not a valid configuration.
  void check(std::span<const double> q, const char* argument) const;
  /// Does the same for rows of the coefficients of 1, t, ... t^5.
  void check_polynomials(std::span<const double> rows, const char* argument) const;

 private:
  void find_pairs(const std::vector<std::pair<Index, Index>>& ignored);
  void measure();
  Index frame(Index carrier, Index joint);
  void find_common(Index joint, std::vector<Index>& common) const;
  Index depth(Index joint) const { return joint < 0 ? 0 : depths_[joint]; }

  Count id_ = 0;
  std::shared_ptr<const Assembly> assembly_;
  std::vector<Joint> joints_;
  std::vector<Twist> turns_;  // by joint: rotation from zero by one radian, if it is revolute
  std::vector<Link> links_;
  std::vector<LineSwept> line_swept_;
  std::vector<LinkPair> pairs_;
  std::vector<Frame> frames_;
  std::vector<Index> depths_;  // by joint: the number of joints that carry its frame
  // By joint: its frames relative to carriers, by the depth of the carrier; -1 if not made yet.
  std::vector<std::vector<Index>> frames_of_joint_;
  std::vector<Index> world_frames_;
  std::vector<Index> paths_;         // from the world to each joint
  std::vector<Index> pair_indices_;  // one row per link
  Index coordinates_ = 0;
  Radii radii_;
  double extent_ = 0;
};

}  // namespace toccata
