// Rigid placements.
#pragma once

#include "toccata/math/rotation.hpp"

namespace toccata {

/// Maps body coordinates to world coordinates: rotation, then translation.
struct Pose {
  Mat3d rotation = identity3;
  Vec3d translation{0, 0, 0};
};

constexpr Vec3d operator*(const Pose& pose, const Vec3d& point) {
  return pose.rotation * point + pose.translation;
}

}  // namespace toccata
