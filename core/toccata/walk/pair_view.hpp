// A pair view: a pair of bodies at one time, with the relative motion of their volumes. All
// traversals of moving bodies cache their current state in it.
#pragma once

#include <array>

#include "toccata/walk/pair.hpp"

namespace toccata {

/// A window: a state at `time`, with bounds that hold until `end`.
struct Span {
  double time, end;
};

/// Cache of the last state of a pair. The relative states are computed on demand. The caller
/// supplies the poses: from motions, from the links of a robot, or at the times of a grid.
class PairView {
 public:
  /// Bounds of `move_to` hold until `last`.
  explicit PairView(const MovingPair& pair, double last = 1)
      : pair_(&pair), last_(last), state_(pair.at_rest()) {}

  const MovingPair& pair() const { return *pair_; }
  const PairState& state() const { return state_; }
  /// Returns the time of the state; negative before the first state.
  double time() const { return state_.time; }

  /// Returns the state for a window. If it is not known, `evaluate(state)` gives the moving bodies
  /// their poses.
  template <class Evaluate>
  const PairState& at(Span span, const Evaluate& evaluate) {
    if (state_.time == span.time && end_ >= span.end) return state_;
    state_.time = span.time;
    end_ = span.end;
    known_ = {false, false};
    evaluate(state_);
    return state_;
  }
  /// Returns the state at `time` by the motions of the pair.
  const PairState& move_to(double time) {
    return at({time, last_}, [&](PairState& state) { pair_->move(state, time, last_); });
  }

  /// Returns the state relative to body x, whose nodes fill the lanes: body a or body b.
  const RelativeState& relative(bool a_fills_lanes) {
    RelativeState& seen = relative_[a_fills_lanes];
    if (!known_[a_fills_lanes]) seen = pair_->relative(state_, a_fills_lanes);
    known_[a_fills_lanes] = true;
    return seen;
  }

 private:
  const MovingPair* pair_;
  double last_;
  PairState state_;
  double end_ = -1;
  std::array<RelativeState, 2> relative_;
  std::array<bool, 2> known_{false, false};
};

}  // namespace toccata
