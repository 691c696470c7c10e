// The two frames of a step: as given, and in single precision around their center for bounding
// volumes.
#pragma once

#include <span>

#include "toccata/base/index.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

/// Positions of all vertices at both ends of the step.
struct StepFrames {
  std::span<const Vec3d> start, end;
};

/// Conversion of vertices to single precision, around the center of the scene. A volume around
/// converted points, grown by `margin`, contains the exact points. It intersects only volumes of
/// points that may be within the separation. The margin is half the separation plus the rounding
/// here and in `meeting`.
struct LocalFrame {
  StepFrames frames;
  Vec3d center{};
  double diagonal = 0;  ///< diagonal of the box around both frames
  float margin = 0;

  LocalFrame(const StepFrames& step, double separation, unsigned threads = 1);

  Vec3f start(Index v) const { return to_float(frames.start[v] - center); }
  Vec3f end(Index v) const { return to_float(frames.end[v] - center); }
};

}  // namespace toccata
