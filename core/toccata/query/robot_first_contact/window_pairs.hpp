// The candidate pairs of the exact stage of method="interval", in successive windows.
#pragma once

#include <span>
#include <vector>

#include "toccata/math/interval.hpp"
#include "toccata/narrow/interval/boxes.hpp"
#include "toccata/query/setting/open_pairs.hpp"
#include "toccata/query/setting/robot_pair.hpp"

namespace toccata {

/// The relative motion of a pair about the middle of a window. Body y moves in the frame of body x,
/// which turns less.
struct WindowView {
  Index candidate = -1;
  RelativeTaylor<float> motion;
  BoxWindow box;
};

/// The candidate pairs of one query. Reuses its buffers across queries.
class WindowPairs {
 public:
  /// Starts a query. The setting and the candidates must outlive it.
  void start(RobotInWorld& setting, std::span<const Candidate> candidates);
  /// Switches to another window.
  void enter(Interval window);
  const Interval& window() const { return window_; }

  /// Returns the opened pairs.
  const OpenPairs<RobotInWorld>& opened() const { return opened_; }

  /// Returns whether the window is short enough for a test of the pair.
  bool is_fine(Index candidate) const;
  /// Clips a range of time to the window, and to the windows in which a pair may touch. Returns
  /// false if the range is then empty.
  bool clip(Index candidate, Interval& range) const;

  /// Returns the bodies of a candidate. Opens the pair at the first call.
  RobotPair& bodies(Index candidate);
  /// Tells that body a is x. The pair must be opened.
  bool a_is_x(Index candidate) const { return pairs_[candidate].a_is_x; }
  /// Returns the view of a pair. The reference is valid until the next call.
  const WindowView& view(Index candidate);
  /// Returns the state at the start of the window, with bounds that hold until its end.
  const PairState& state(Index candidate);
  /// Returns the relative motion at the start of the window, with bounds until its end.
  RelativeTaylor<double> motion(Index candidate);

 private:
  struct WindowPair {
    double longest;  // length of the longest window in which the pair is tested
    bool a_is_x = false;
  };
  double longest_window(const Candidate& candidate) const;
  RelativeTaylor<double> taylor(Index candidate, const PairState& now, const PairState& bounds);

  RobotInWorld* setting_ = nullptr;
  std::span<const Candidate> candidates_;
  Interval window_{0, 0};
  WindowView view_;
  std::vector<WindowPair> pairs_;  // by candidate
  OpenPairs<RobotInWorld> opened_;
};

}  // namespace toccata
