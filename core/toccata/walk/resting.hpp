// Bodies that start near each other: `Initial::resting` and `Initial::ignore_separating`.
#pragma once

#include "toccata/narrow/advancement/staying.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// Lets two bodies rest, slide and roll if they start at a distance d, 0 < d < separation +
/// tolerance: asks about d / 2, with a tolerance of d / 8. Bodies that start in contact or farther
/// apart keep their separation and tolerance.
void let_rest(MovingPair& pair);

/// Measures how far two bodies are apart at the start; up to separation + tolerance, 0 if nothing
/// proves them apart. Curved bodies have no direction.
StartGap start_gap(const MovingPair& pair);

/// Triangles of two bodies, in body coordinates, that move along with them.
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

/// How far bodies have to be apart to have left, and up to which distance that is to be proven.
inline StayingLimits staying_limits(const MovingPair& pair) {
  const double near = pair.separation() + pair.tolerance();
  return {near - pair.tolerance() / 4, near};
}

/// Bounds from below until when two bodies of triangles that start near each other have not left:
/// at no time before were they farther apart than separation + tolerance. Infinite if that is after
/// the end of the motion. Follows a pair of triangles, and then the closest ones.
double bodies_stay_until(const MovingPair& pair);

}  // namespace toccata
