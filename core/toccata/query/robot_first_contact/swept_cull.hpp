// Swept-volume culling of robots: tests the volumes that links sweep against the hierarchies of
// bodies at rest (stage 2 of Redon et al. 2004, section 4.2).
//
// Bodies that a swept volume does not touch cannot touch the link. A line-swept sphere around the
// link sweeps the volume. Its segment sweeps a ruled surface, and the ends of the segment sweep the
// middle lines of two pipe surfaces.
//
// The motion is divided into windows of length h. In a window, a point with acceleration at most M
// stays within h^2 M / 8 of its tangent at the middle (eq. 11; the second term vanishes because the
// ruled surface is linear in its second parameter). The tangents of all points of the segment lie
// in the convex hull of four points: the ends of the tangents of its two ends. So the link stays
// within
//   radius + h^2 M / 8 + rounding
// of this hull. It is the paper's swept volume, with the tessellation error added to the radius.
// The paper tessellates the boundary. Here the solid itself is divided into patches, so a body
// inside it is found, too.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "toccata/broad/robot_broad.hpp"
#include "toccata/query/setting/robot_in_world.hpp"

namespace toccata {

/// The part of a swept volume in one window, in world coordinates: all points within `radius` of a
/// box around the segment's tangents.
struct SweptPatch {
  Vec3d center;
  Mat3d axes;
  Vec3d half;
  double radius;
};

/// The segment inside a link in the middle of a window, with the velocities of its ends.
struct Ruling {
  Vec3d start, end;
  Vec3d start_velocity, end_velocity;
  double acceleration;  ///< bound for all points, at all times of the window
};

/// The swept-volume stage. Reuses its buffers across queries.
class SweptCull {
 public:
  /// Removes the windows in which candidates cannot touch. Returns the number of candidates that
  /// still have windows.
  Count run(RobotInWorld& setting, std::span<Candidate> candidates);

  /// Starts a stepwise run, for searches that may end early. Returns the number of windows of the
  /// motion, a power of two. The setting must outlive the run.
  int start(RobotInWorld& setting, std::span<const Candidate> candidates);
  /// Returns whether a candidate may touch in window k. Windows come in order, because the patches
  /// are stored for one window.
  bool may_touch(const Candidate& candidate, int k);
  /// Returns the bits of window k in `Candidate::windows`.
  unsigned window(int k) const {
    const int width = BodySet::windows / count_;
    return ((1u << width) - 1) << k * width;
  }

 private:
  struct Patched {
    int window;
    SweptPatch patch;
  };
  const SweptPatch& patch(Index link, int k);
  Ruling ruling(Index link, double middle, double half) const;
  bool touches(const Mesh& mesh, const Pose& pose, const SweptPatch& patch, double margin);

  RobotInWorld* setting_ = nullptr;
  int count_ = 1;                 // number of windows, a power of two
  std::vector<Patched> patches_;  // by link
  std::vector<Index> stack_;
};

}  // namespace toccata
