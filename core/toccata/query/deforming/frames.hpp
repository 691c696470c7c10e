// The two ends of a step: as they are given, and as floats around their center for bounding
// volumes.
#pragma once

#include <span>

#include "toccata/base/index.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

/// The vertices at both ends of the step.
struct StepFrames {
  std::span<const Vec3d> start, end;
};

/// Maps vertices to floats around the center of the scene. A volume around mapped points holds the
/// things themselves, and stays clear of what is farther than the separation, once it has grown by
/// `margin`: half the separation, and what rounding here and in `meeting` may add.
struct LocalFrame {
  StepFrames frames;
  Vec3d center{};
  double diagonal = 0;  ///< of the box around both frames
  float margin = 0;

  LocalFrame(const StepFrames& step, double separation, unsigned threads = 1);

  Vec3f start(Index v) const { return to_float(frames.start[v] - center); }
  Vec3f end(Index v) const { return to_float(frames.end[v] - center); }
};

}  // namespace toccata
