#include "toccata/walk/resting.hpp"

#include "toccata/walk/distance.hpp"
#include "toccata/walk/one_pair.hpp"

namespace toccata {
namespace {

/// Curved surfaces: by halves of what was asked about, until nothing is in contact.
void let_surfaces_rest(MovingPair& pair, double near) {
  const Motion a = Motion::fixed(pair.motion_a().pose(0));
  const Motion b = Motion::fixed(pair.motion_b().pose(0));
  Options options;
  for (double known = near; known > 64 * pair.error(); known /= 2) {
    options.separation = known;
    options.tolerance = known / 4;
    const MovingPair still({pair.mesh_a(), a}, {pair.mesh_b(), b}, options);
    if (walk_pair(still, 0).status != Status::free) continue;
    if (known < near) pair.rest_at(known);
    return;
  }
}

}  // namespace

void let_rest(MovingPair& pair) {
  const double near = pair.separation() + pair.tolerance();
  if (pair.mesh_a().surface() || pair.mesh_b().surface()) return let_surfaces_rest(pair, near);
  const Distance found = surface_distance(pair, pair.state(0, 0), near);
  const bool starts_apart = found.element_a < 0 || found.lower >= near;
  if (!starts_apart && found.closest.distance > 0) pair.rest_at(found.lower);
}

}  // namespace toccata
