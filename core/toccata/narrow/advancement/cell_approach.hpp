// How soon two elements can meet of which at least one is a cell of a surface: the leaves of all
// advancement methods for curved bodies (Redon et al. 2002, section 5).
#pragma once

#include "toccata/narrow/advancement/element_parts.hpp"
#include "toccata/narrow/advancement/triangle_approach.hpp"

namespace toccata {

/// What counts as contact. The motions are given only if contacts are to be ignored while parts of
/// the two elements move apart from how they started.
struct CellQuestion {
  double separation, tolerance;
  double error;      ///< exceeds the rounding error of distances
  double time;       ///< of the states of the elements
  double remaining;  ///< no step needs to be longer
  double start;      ///< up to this time surfaces may cross
  const Motion *motion_a = nullptr, *motion_b = nullptr;
  double start_distance = 0;  ///< bounds the distance of the bodies at the start from below
};

struct CellApproach {
  TriangleApproach between;  ///< `gap` and `step` are those of the parts that can meet first
  bool touches;              ///< certainly within separation + tolerance
};

/// Either finds points within separation + tolerance of each other, or proves that the elements
/// stay farther apart than the separation for `between.step`: pairs of parts are refined in the
/// order of their earliest possible contact until the first of them is tight. The step is 0 if that
/// would take too many parts. Up to
/// `start`, a contact has no normal.
CellApproach approach(const MovingElement& a, const MovingElement& b, const CellQuestion& question);

/// The distances that matter.
struct ReachQuestion {
  double below;      ///< no points that are farther apart need to be found
  double enough;     ///< nor are any closer points than that
  double precision;  ///< nor any that are closer by less
  double error;      ///< exceeds the rounding error of distances
  double share = 0;  ///< nor any that are closer by less than this part of the distance
};

/// Finds points of two elements that are as close to each other as any of theirs, up to the
/// precision. Pairs of parts are refined in the order of their gaps until no other part can be
/// closer. The distance is infinite if the elements are not closer than `below`.
Closest closest(const MovingElement& a, const MovingElement& b, const ReachQuestion& question);

}  // namespace toccata
