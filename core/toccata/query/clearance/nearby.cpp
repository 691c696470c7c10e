// Closest points of two elements: triangles, or cells of curved surfaces.
#include "toccata/query/clearance/nearby.hpp"

#include "toccata/narrow/advancement/cell_approach.hpp"

namespace toccata {

Closest closest_of(const MovingPair& pair, const PairState& state, Index a, Index b, bool apart,
                   const Resolution& resolution, double below) {
  const MotionState &motion_a = state.a.motion, &motion_b = state.b.motion;
  if (pair.mesh_a().surface() || pair.mesh_b().surface()) [[unlikely]]
    return closest({pair.mesh_a(), a, motion_a}, {pair.mesh_b(), b, motion_b},
                   {below, resolution.tolerance / 8, resolution.tolerance / 8, pair.error(),
                    resolution.share / 8});
  const Corners x = motion_a.pose * corners_of(pair.mesh_a().triangle(a));
  const Corners y = motion_b.pose * corners_of(pair.mesh_b().triangle(b));
  return apart ? closest_features(x, y) : closest_points(triangle_of(x), triangle_of(y));
}

}  // namespace toccata
