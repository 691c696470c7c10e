// Stage 2 of method="interval" for robots: the volumes that the links sweep, against the
// hierarchies of bodies at rest (Redon et al. 2004, section 4.2).
//
// A link lies in a line-swept sphere, whose segment sweeps a ruled surface; its ends sweep the
// middle lines of the two pipe surfaces. The motion is cut into equal windows. Within one of
// length h, a point with acceleration at most M stays within h^2 M / 8 of its tangent in the middle
// (eq. 11: the ruled surface is linear in its second parameter, so that only the first term is
// left; a chord has the same error, but takes two times). Tangents of all points of the segment lie
// in the convex hull of four points, those of its two ends, hence the link within
//   radius + h^2 M / 8 + rounding
// of that hull. This is the paper's swept volume with its tessellation error added to the radius:
// what it does not touch, the link does not touch. Not the boundary is tessellated here but the
// solid itself, patch by patch, so that no body hides inside it.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "toccata/broad/robot_broad.hpp"
#include "toccata/query/articulated/robot_query.hpp"

namespace toccata {

/// A candidate pair, and the windows in which it may touch: bit k for k / 16 to (k + 1) / 16.
struct PendingCandidate {
  Index candidate;
  unsigned windows;
};
inline constexpr unsigned all_windows = (1u << World::windows) - 1;

inline bool may_touch(const PendingCandidate& pending, double time) {
  return pending.windows >> std::min(static_cast<int>(time * World::windows), World::windows - 1) &
         1;
}

/// One for each candidate, with all windows from its earliest time on.
void open_candidates(std::span<const Candidate> candidates, std::vector<PendingCandidate>& pending);

/// A piece of a swept volume: all points within `radius` of a box around the segment's tangents in
/// a window; world coordinates.
struct SweptPatch {
  Vec3d center;
  Mat3d axes;
  Vec3d half;
  double radius;
};

/// The segment inside a link in the middle of a window, and how its ends move.
struct Ruling {
  Vec3d start, end;
  Vec3d start_velocity, end_velocity;
  double acceleration;  ///< of its points, at all times of the window
};

/// Keeps its memory from query to query.
class SweptCull {
 public:
  /// Takes away from `pending` what cannot touch: windows, and candidates without any left.
  void run(const RobotQuery& query, std::span<const Candidate> candidates,
           std::vector<PendingCandidate>& pending);

  /// The same in steps, for who stops early: says into how many windows it cuts the motion, a power
  /// of two. The query stays where it is.
  int start(const RobotQuery& query, std::span<const Candidate> candidates,
            std::span<const PendingCandidate> pending);
  /// Whether a candidate may touch in window k. Window after window: patches are kept for one.
  bool may_touch(const Candidate& candidate, int k);
  /// Window k as a part of `PendingCandidate::windows`.
  unsigned window(int k) const {
    const int width = World::windows / count_;
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

  const RobotQuery* query_ = nullptr;
  int count_ = 1;                 // windows, a power of two
  std::vector<Patched> patches_;  // by link
  std::vector<Index> stack_;
};

}  // namespace toccata
