// The two ends of a step.
#pragma once

#include <span>

#include "toccata/math/vec3.hpp"

namespace toccata {

/// The vertices at both ends of the step.
struct StepFrames {
  std::span<const Vec3d> start, end;
};

}  // namespace toccata
