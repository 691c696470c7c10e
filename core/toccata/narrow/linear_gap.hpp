// The distance of a pair at one time, and a direction along which it is seen.
#pragma once

#include "toccata/narrow/linear_pair.hpp"

namespace toccata {

/// A proposal: nothing is proved with `direction` before `separated_until` has checked it.
struct Gap {
  Vec3d direction;  ///< of any length, from the second feature towards the first
  double distance;  ///< of the features, but for rounding, which may tilt the normal of a thin face
};

/// The gap of the pair whose differences are `d`.
template <PairKind kind>
Gap gap_of(const Vec3q& d);

/// The same without the normal of the face or of the edges, which says nothing if they hardly span
/// a plane: between the closest points of the vertex and an edge of the face, or of two edges.
template <PairKind kind>
Gap outline_gap_of(const Vec3q& d);

/// The distance of two points of the features, the closest but for rounding: not too small, however
/// thin the face is.
template <PairKind kind>
double closest_distance(const Vec3q& d);

/// Where the features are closest: weights of the four points (1 and the face's, or the two edges').
template <PairKind kind>
std::array<double, 4> closest_weights(const Vec3q& d);

}  // namespace toccata
