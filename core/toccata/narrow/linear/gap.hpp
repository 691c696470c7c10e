// Distance of a feature pair at one time, and candidate directions that separate its features.
#pragma once

#include "toccata/narrow/linear/pair.hpp"

namespace toccata {

/// A proposal, which proves nothing before `separated_until` has tested `direction`.
struct Gap {
  Vec3d direction;  ///< from the second feature towards the first, of any length
  double distance;  ///< up to rounding, which may tilt the normal of a thin face
};

/// Computes the gap of the pair with the differences `d`.
template <PairKind kind>
Gap gap_of(const Vec3q& d);

/// Returns every direction along which features can be closest: the normal of the face or of the
/// edges, the directions across an edge to a vertex, and those between two vertices. Close to
/// contact, one of them separates the features up to rounding, but squared distances do not show
/// which. For example, the point closest to the end of one edge may be the end of the other edge or
/// a point beside it. The difference is of second order in the distance, but of first order in the
/// direction.
template <PairKind kind>
std::array<Vec3d, kind == PairKind::vertex_face ? 7 : 9> directions_of(const Vec3q& d);

/// Returns the distance of two points of the features, which are closest up to rounding, even for a
/// thin face. The result is an upper bound. It is not refined further once it is at most `enough`.
template <PairKind kind>
double closest_distance(const Vec3q& d, double enough);

/// Returns the weights of the four points at the closest points: 1 and the weights of the face, or
/// the weights of the two edges.
template <PairKind kind>
std::array<double, 4> closest_weights(const Vec3q& d);

}  // namespace toccata
