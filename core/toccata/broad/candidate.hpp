// Candidate pairs: the pairs of bodies that a broad phase hands on to a traversal.
#pragma once

#include <algorithm>
#include <bit>

#include "toccata/broad/body_set.hpp"

namespace toccata {

/// All windows of a motion, as bits: window k lasts from k / 16 to (k + 1) / 16.
inline constexpr unsigned all_windows = (1u << BodySet::windows) - 1;

/// The windows from `earliest` on. A window that contains `earliest` counts.
inline unsigned windows_from(double earliest) {
  return all_windows & all_windows << static_cast<unsigned>(earliest * BodySet::windows);
}

/// A candidate pair: two bodies that cannot touch before `earliest`.
struct Candidate {
  double earliest;
  Index a;                         ///< body of a scene, or link
  Index b;                         ///< body of the scene or of the world, or link b of `links`
  Index links = -1;                ///< index into `Robot::pairs`; -1 unless both are links
  unsigned windows = all_windows;  ///< windows in which the two may touch; 0 once culled

  /// Returns the start of the first window in which the two may touch.
  double first_window() const { return std::countr_zero(windows) * (1.0 / BodySet::windows); }
  bool may_touch(double time) const {
    return windows >> std::min(static_cast<int>(time * BodySet::windows), BodySet::windows - 1) & 1;
  }
};

/// Orders candidate pairs by their earliest time, then by their bodies.
inline bool comes_earlier(const Candidate& s, const Candidate& t) {
  if (s.earliest != t.earliest) return s.earliest < t.earliest;
  return s.a != t.a ? s.a < t.a : s.b < t.b;
}

/// Orders candidate pairs by their first body. Pairs with a body of the world come before pairs of
/// links.
inline bool comes_first(const Candidate& s, const Candidate& t) {
  if (s.a != t.a) return s.a < t.a;
  return s.links != t.links ? s.links < t.links : s.b < t.b;
}

}  // namespace toccata
