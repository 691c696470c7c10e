// Bodies that start near each other: `Initial::resting` and `Initial::ignore_separating`.
#pragma once

#include "toccata/narrow/advancement/staying.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// Permits two bodies to rest, slide and roll if they start at a distance d, with 0 < d <=
/// separation + tolerance: sets the separation to d / 2 and the tolerance to d / 8. Bodies that
/// start in contact or farther apart keep their separation and tolerance.
void let_rest(MovingPair& pair);

/// Measures the distance of two bodies at the start, up to separation + tolerance. The distance is
/// 0 if nothing proves the bodies apart. The normal of curved bodies is NaN.
StartGap start_gap(const MovingPair& pair);

/// Two triangles, in body coordinates, that move with their bodies.
class TrianglesOfPair {
 public:
  TrianglesOfPair(const MovingPair& pair, Index a, Index b)
      : pair_(pair), a_(pair.mesh_a().triangle(a)), b_(pair.mesh_b().triangle(b)) {}

  CarriedHull hull_a() const { return {hull_of(a_), pair_.motion_a()}; }
  CarriedHull hull_b() const { return {hull_of(b_), pair_.motion_b()}; }
  const Triangle& a() const { return a_; }
  const Triangle& b() const { return b_; }
  /// Returns their closest points at a time.
  NearPoints operator()(double time) const;

 private:
  const MovingPair& pair_;
  Triangle a_, b_;
};

/// Returns the limits of bodies that have not left: they stay within the outer limit, which is
/// proven from times at which they are within the inner limit.
inline StayingLimits staying_limits(const MovingPair& pair) {
  const double near = pair.separation() + pair.tolerance();
  return {near - pair.tolerance() / 4, near};
}

/// Bounds from below the time until which two bodies of triangles stay within separation +
/// tolerance of each other. Infinite if they stay until the end of the motion. Follows a pair of
/// triangles until it leaves, and then the pair that is closest at that time.
double bodies_stay_until(const MovingPair& pair);

}  // namespace toccata
