// The distance of a pair at one time, and a direction along which it is seen.
#pragma once

#include "toccata/narrow/linear/pair.hpp"

namespace toccata {

/// A proposal: nothing is proved with `direction` before `separated_until` has checked it.
struct Gap {
  Vec3d direction;  ///< of any length, from the second feature towards the first
  double distance;  ///< of the features, but for rounding, which may tilt the normal of a thin face
};

/// The gap of the pair whose differences are `d`.
template <PairKind kind>
Gap gap_of(const Vec3q& d);

/// Every direction along which features can be closest: the normal of the face or of the edges,
/// those across an edge to a vertex, and those between two vertices. Close to contact one of them
/// separates the features up to rounding, but squared distances do not tell which: that an end of
/// one edge is closest to the end of the other, or to a point beside it, makes a difference of the
/// second order in the distance, and one of the first order in the direction.
template <PairKind kind>
std::array<Vec3d, kind == PairKind::vertex_face ? 7 : 9> directions_of(const Vec3q& d);

/// The distance of two points of the features, the closest but for rounding: not too small, however
/// thin the face is. Not worth more digits once it is `enough`.
template <PairKind kind>
double closest_distance(const Vec3q& d, double enough);

/// Where the features are closest: weights of the four points (1 and the face's, or the two
/// edges').
template <PairKind kind>
std::array<double, 4> closest_weights(const Vec3q& d);

}  // namespace toccata
