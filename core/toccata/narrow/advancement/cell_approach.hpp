// Conservative advancement of two elements, at least one of them a cell of a surface: the leaves of
// all advancement methods for curved bodies (Redon et al. 2002, section 5).
#pragma once

#include "toccata/narrow/advancement/element_parts.hpp"
#include "toccata/narrow/advancement/triangle_approach.hpp"

namespace toccata {

/// Definition of contact for two elements. Motions are given only if contacts are ignored while
/// parts of the two elements move apart from their poses at the start.
struct CellQuery {
  double separation, tolerance;
  double error;      ///< exceeds the rounding error of distances
  double time;       ///< time of the elements' states
  double remaining;  ///< longest useful advance
  double start;      ///< until this time, surfaces may intersect
  const Motion *motion_a = nullptr, *motion_b = nullptr;
  double start_distance = 0;  ///< lower bound of the distance of the bodies at the start
};

/// Result for two elements at one time.
struct CellApproach {
  TriangleApproach between;  ///< `gap` and `step` belong to the parts that can meet first
  bool touches;              ///< the elements are proven within separation + tolerance
};

/// Either finds points within separation + tolerance of each other, or proves that the elements
/// stay farther apart than the separation for `between.step`. Refines pairs of parts in the order
/// of their earliest possible contact until the first of them is tight. The step is 0 if that would
/// take too many parts. Until `start`, a contact has no normal.
CellApproach approach(const MovingElement& a, const MovingElement& b, const CellQuery& query);

/// Limits of a search for the closest points.
struct DistanceQuery {
  double below;      ///< larger distances are irrelevant
  double enough;     ///< the search may end at this distance
  double precision;  ///< absolute precision of the distance
  double error;      ///< exceeds the rounding error of distances
  double share = 0;  ///< relative precision of the distance
};

/// Finds the closest points of two elements, up to the precision. Refines pairs of parts in the
/// order of their gaps until no other pair can be closer. The distance is infinite if it is not
/// below `below`.
Closest closest(const MovingElement& a, const MovingElement& b, const DistanceQuery& query);

}  // namespace toccata
