// The first contact of two triangles by interval arithmetic: the leaf test of method="interval"
// (Redon, Kheddar, Coquillart 2002).
#pragma once

#include "toccata/base/interruption.hpp"
#include "toccata/query/first_contact/interval_view.hpp"
#include "toccata/walk/leaf.hpp"

namespace toccata {

/// The remaining budget of a traversal, and its statistics.
struct Work {
  Count budget;
  Stats stats;

  /// Takes one unit of work. Returns false when the budget has run out.
  bool spend() {
    ++stats.work;
    return toccata::spend(budget);
  }
};

/// The result for two triangles in a window.
struct LeafSearch {
  enum class Outcome { free, touch, stalled };
  Outcome outcome;
  double time;                 ///< time of the contact, or until which the triangles are free
  TriangleApproach triangles;  ///< closest points at the contact
};

/// Returns the first contact of triangle a of body a and triangle b of body b in the closed window.
/// The two must not touch before the window. Stalls only if the budget runs out, or if the
/// tolerance is too close to the rounding error.
LeafSearch first_touch(const IntervalView& view, Index a, Index b, Interval window, Work& work);

}  // namespace toccata
