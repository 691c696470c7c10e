// The certificate of two bodies' motions in a substep: a simulation executes proposals only as far
// as `first_contact` certifies them.
#pragma once

#include "toccata/dynamics/body/simulated_body.hpp"
#include "toccata/query/rigid/near_memory.hpp"

namespace toccata {

/// Two bodies with proposed motions over [0, 1].
struct PairMotion {
  Body a, b;
  double distance;         ///< at the start, as listed, without proof: chooses the separation
  double proven_distance;  ///< lower bound of the distance at the start
  double most_separation;  ///< upper limit of the separation
  double floor;            ///< distances below it may not shrink
  double travel;           ///< upper bound of the change of any distance
  double rounding;         ///< bound of errors of poses that the motions do not include
  /// Enclosing balls of bodies that make full turns.
  std::optional<EnclosingBall> ball_a, ball_b;
  NearMemory& coherence;
};

/// Returns the portion of the motions, from 0 to 1, during which the bodies are proven not to
/// touch.
double certify(const PairMotion& pair);

}  // namespace toccata
