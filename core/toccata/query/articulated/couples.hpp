// The pairs of bodies that the exact stage of interval looks at, in one window of time after
// another.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "toccata/math/interval.hpp"
#include "toccata/narrow/interval/boxes.hpp"
#include "toccata/query/articulated/live_pair.hpp"
#include "toccata/query/articulated/swept_cull.hpp"

namespace toccata {

/// The relative motion of a couple about the middle of a window. Body y moves in the frame of x,
/// the one that turns less.
struct CoupleView {
  Index couple = -1;
  RelativeTaylor<float> motion;
  BoxWindow box;
};

/// Keeps its memory from query to query.
class Couples {
 public:
  void start(const Journey& journey, std::span<const Candidate> candidates,
             std::span<const Prospect> prospects);
  /// Goes on to another window.
  void enter(Interval window);
  const Interval& window() const { return window_; }

  Index size() const { return static_cast<Index>(couples_.size()); }
  Index awake() const { return awake_; }
  /// Of the couples that were looked at, the largest.
  double tolerance() const { return tolerance_; }

  /// Whether the window is short enough to be worth a look: one refinement level per link.
  bool is_fine(Index couple) const;
  /// Cuts a span down to the window and to the slabs in which the couple may touch. False if
  /// nothing is left.
  bool clip(Index couple, Interval& span) const;

  /// Wakes the couple when it is first asked for.
  LivePair& live(Index couple);
  /// Whether body a is x. The couple is awake.
  bool a_is_x(Index couple) const { return couples_[couple].a_is_x; }
  /// Remembered for one couple.
  const CoupleView& view(Index couple);
  /// Both bodies at the start of the window, with bounds that hold until its end.
  const PairState& state(Index couple);
  /// The relative motion at the start of the window, with bounds until its end.
  RelativeTaylor<double> motion(Index couple);

 private:
  struct Couple {
    Prospect prospect;
    double longest;  // window that is worth a look
    Index live = -1;
    bool a_is_x = false;
  };
  double longest_window(const Candidate& candidate) const;
  RelativeTaylor<double> taylor(const Couple& couple, const PairState& now,
                                const PairState& bounds) const;

  const Journey* journey_ = nullptr;
  std::span<const Candidate> candidates_;
  Interval window_{0, 0};
  CoupleView view_;
  std::vector<Couple> couples_;
  std::deque<std::optional<LivePair>> live_;
  Index awake_ = 0;
  double tolerance_ = 0;
};

}  // namespace toccata
