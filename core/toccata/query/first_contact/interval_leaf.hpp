// Interval root finding for a pair of triangles.
#pragma once

#include "toccata/base/interruption.hpp"
#include "toccata/query/first_contact/interval_view.hpp"
#include "toccata/walk/leaf.hpp"

namespace toccata {

/// What a walk may still spend, and what it has done.
struct Work {
  Count budget;
  Stats stats;

  /// One step of work; false when the budget is used up.
  bool spend() {
    ++stats.work;
    return toccata::spend(budget);
  }
};

struct LeafSearch {
  enum class Outcome { free, touch, stalled };
  Outcome outcome;
  double time;                 ///< of the touch, or up to which the triangles are proved free
  TriangleApproach triangles;  ///< at the time of the touch
};

/// The first touch of triangle a of body a and triangle b of body b in the closed window. The two
/// must not have touched before it. Stalls only when the budget is used up, or when the tolerance
/// is too close to the rounding error to decide.
LeafSearch first_touch(const IntervalView& view, Index a, Index b, Interval window, Work& work);

}  // namespace toccata
