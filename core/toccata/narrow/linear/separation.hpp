// Proofs that two features stay apart during a window: the advances of conservative advancement.
#pragma once

#include "toccata/narrow/linear/pair.hpp"

namespace toccata {

/// Returns the time from `time` until which the projections of the features onto a fixed
/// `direction` are proven farther apart than `separation`. Returns `time` if they are not, and
/// infinity if they are until the end.
template <PairKind kind>
double separated_until(const Differences<kind>& pair, const Vec3d& direction, double separation,
                       double time);

/// Does the same from the start, without separation, for features with a common point there. A
/// difference that is zero at the start must be positive along `direction` afterwards.
template <PairKind kind>
double separated_from_start(const Differences<kind>& pair, const Vec3d& direction);

/// A window of the step.
struct TimeWindow {
  double start, end;
};

/// Does the same from the start of a window, at most until its end, along the normal of the face,
/// or the common normal of the edges, which rotates with them. Returns infinity if the window ends
/// with the step.
template <PairKind kind>
double separated_rotating_until(const Differences<kind>& pair, double separation,
                                TimeWindow window);

/// Does the same along directions that rotate with an edge and are perpendicular to it. Each
/// direction is in the plane that the edge, at the start of the window, and `direction` span. For
/// features that stay in a plane.
template <PairKind kind>
double separated_in_plane_until(const Differences<kind>& pair, const Vec3d& direction,
                                double separation, TimeWindow window);

}  // namespace toccata
