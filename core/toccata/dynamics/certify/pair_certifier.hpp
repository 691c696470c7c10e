// How far the motions of two bodies are proven: what a solver proposes is executed only as far as
// `first_contact` certifies it.
#pragma once

#include "toccata/dynamics/body/simulated_body.hpp"
#include "toccata/query/pair_coherence.hpp"

namespace toccata {

/// Two bodies that are about to move.
struct PairQuestion {
  Body a, b;
  double distance;  ///< at the start; questions are asked by it, and nothing is proven
  double apart;     ///< a distance that is proven, at the start
  double most;      ///< the largest separation to ask for
  double floor;     ///< distances below it are not allowed to shrink
  double way;       ///< no distance changes by more than this
  double rounding;  ///< of where bodies are, as far as their motions know nothing of it
  /// Of bodies that make full turns.
  std::optional<EnclosingBall> ball_a, ball_b;
  PairCoherence& memory;
};

/// Which part of the motions is proven, from 0 to 1: before its end the bodies do not touch.
double certify(const PairQuestion& question);

}  // namespace toccata
