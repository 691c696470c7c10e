// The pairs of bodies that the exact stage of interval looks at, in one window of time after
// another.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/slots.hpp"
#include "toccata/math/interval.hpp"
#include "toccata/narrow/interval/boxes.hpp"
#include "toccata/query/articulated/robot_pair.hpp"
#include "toccata/query/articulated/swept_cull.hpp"

namespace toccata {

/// The relative motion of a pair about the middle of a window. Body y moves in the frame of
/// x, the one that turns less.
struct CoupleView {
  Index window_pair = -1;
  RelativeTaylor<float> motion;
  BoxWindow box;
};

/// Keeps its memory from query to query.
class WindowPairs {
 public:
  void start(const RobotQuery& query, std::span<const Candidate> candidates,
             std::span<const PendingCandidate> pending);
  /// Goes on to another window.
  void enter(Interval window);
  const Interval& window() const { return window_; }

  Index size() const { return static_cast<Index>(pairs_.size()); }
  Index opened() const { return opened_.size(); }
  /// Of the pairs that were looked at, the largest.
  double tolerance() const { return tolerance_; }

  /// Whether the window is short enough to be worth a look: one refinement level per link.
  bool is_fine(Index window_pair) const;
  /// Cuts a span down to the window and to the windows in which the pair may touch. False if
  /// nothing is left.
  bool clip(Index window_pair, Interval& span) const;

  /// Opens the pair when it is first asked for.
  RobotPair& bodies(Index window_pair);
  /// Whether body a is x. The pair is open.
  bool a_is_x(Index window_pair) const { return pairs_[window_pair].a_is_x; }
  /// Remembered for one pair.
  const CoupleView& view(Index window_pair);
  /// Both bodies at the start of the window, with bounds that hold until its end.
  const PairState& state(Index window_pair);
  /// The relative motion at the start of the window, with bounds until its end.
  RelativeTaylor<double> motion(Index window_pair);

 private:
  struct WindowPair {
    PendingCandidate pending;
    double longest;  // window that is worth a look
    Index bodies = -1;
    bool a_is_x = false;
  };
  double longest_window(const Candidate& candidate) const;
  RelativeTaylor<double> taylor(const WindowPair& window_pair, const PairState& now,
                                const PairState& bounds) const;

  const RobotQuery* query_ = nullptr;
  std::span<const Candidate> candidates_;
  Interval window_{0, 0};
  CoupleView view_;
  std::vector<WindowPair> pairs_;
  Slots<RobotPair> opened_;
  double tolerance_ = 0;
};

}  // namespace toccata
