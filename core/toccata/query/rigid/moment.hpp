// Both bodies at one time, and what volumes see of them.
#pragma once

#include <array>

#include "toccata/query/rigid/pair.hpp"

namespace toccata {

/// A state that moves through time; how one body sees the other is computed when first asked for.
class Moment {
 public:
  /// Bounds hold until `end`.
  Moment(const MovingPair& pair, double time, double end)
      : pair_(pair), end_(end), state_(pair.state(time, end)) {}

  const MovingPair& pair() const { return pair_; }
  const PairState& state() const { return state_; }
  double time() const { return state_.time; }

  void move_to(double time) {
    if (time == state_.time) return;
    pair_.move(state_, time, end_);
    known_ = {false, false};
  }

  /// The state as volumes see it: `a_fills_lanes` says which body is x.
  const RelativeState& relative(bool a_fills_lanes) {
    RelativeState& seen = relative_[a_fills_lanes];
    if (!known_[a_fills_lanes]) seen = pair_.relative(state_, a_fills_lanes);
    known_[a_fills_lanes] = true;
    return seen;
  }

 private:
  const MovingPair& pair_;
  double end_;
  PairState state_;
  std::array<RelativeState, 2> relative_;
  std::array<bool, 2> known_{false, false};
};

}  // namespace toccata
