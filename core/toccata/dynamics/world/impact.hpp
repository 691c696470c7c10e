// Impacts of bodies in a simulation.
#pragma once

#include "toccata/base/index.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

struct Impact {
  double time;
  Index a, b;
  Vec3d point, normal;  ///< point of the largest impulse; normal from b to a
  Vec3d impulse;        ///< on a, sum over all points
  double speed;         ///< of approach, before the impact
};

}  // namespace toccata
