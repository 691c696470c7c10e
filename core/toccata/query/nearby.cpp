#include "toccata/query/nearby.hpp"

namespace toccata {

PairState restless(const PairState& state, double size) {
  PairState result = state;
  result.time = 0;
  for (BodyState* body : {&result.a, &result.b}) {
    body->motion.velocity = body->motion.spin = {0, 0, 0};
    body->motion.turning = body->motion.spin_speed = 0;
    body->motion.acceleration = 0x1p20 * size;
  }
  return result;
}

Closest closest_of_triangles(const MovingPair& pair, const PairState& state, Index a, Index b,
                             bool apart) {
  const Corners x = state.a.motion.pose * corners_of(pair.mesh_a().triangle(a));
  const Corners y = state.b.motion.pose * corners_of(pair.mesh_b().triangle(b));
  return apart ? closest_features(x, y) : closest_points(triangle_of(x), triangle_of(y));
}

}  // namespace toccata
