// A pair of bodies at one time, and what their volumes see of each other: the one memo of all
// walks.
#pragma once

#include <array>

#include "toccata/walk/pair.hpp"

namespace toccata {

/// A state at `time`, with bounds that hold until `end`.
struct Span {
  double time, end;
};

/// What was asked last is remembered; how one body sees the other is computed when first asked for.
/// Where the two are is the business of who asks: a motion, the links of a robot, a grid of times.
class PairView {
 public:
  /// No bounds are asked for beyond `last`.
  explicit PairView(const MovingPair& pair, double last = 1)
      : pair_(&pair), last_(last), state_(pair.at_rest()) {}

  const MovingPair& pair() const { return *pair_; }
  const PairState& state() const { return state_; }
  /// That was last asked for; negative if none was.
  double time() const { return state_.time; }

  /// Both bodies over `span`. Unless that is known, `place(state)` puts those that move in place.
  template <class Place>
  const PairState& at(Span span, const Place& place) {
    if (state_.time == span.time && end_ >= span.end) return state_;
    state_.time = span.time;
    end_ = span.end;
    known_ = {false, false};
    place(state_);
    return state_;
  }
  /// The same where their motions take them, from `time` on.
  const PairState& move_to(double time) {
    return at({time, last_}, [&](PairState& state) { pair_->move(state, time, last_); });
  }

  /// The state as volumes see it: `a_fills_lanes` says which body is x.
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
