// The distance of a pair at one time, and a direction along which it is seen.
#pragma once

#include "toccata/narrow/linear_pair.hpp"

namespace toccata {

/// A proposal: nothing is proved with `direction` before `separated_until` has checked it.
struct Gap {
  Vec3d direction;  ///< of any length, from the second feature towards the first
  double distance;  ///< of two points of the features, hence not too small but by rounding
};

/// The gap of the pair whose differences are `d`.
template <PairKind kind>
Gap gap_of(const Vec3q& d);

/// Where the features are closest: weights of the four points (1 and the face's, or the two edges').
template <PairKind kind>
std::array<double, 4> closest_weights(const Vec3q& d);

}  // namespace toccata
