// Bodies that hit each other.
#pragma once

#include "toccata/base/index.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

struct Impact {
  double time;
  Index a, b;
  Vec3d point, normal;  ///< where the impulse is largest; from b to a
  Vec3d impulse;        ///< on a, of all points
  double speed;         ///< of approach, before
};

}  // namespace toccata
