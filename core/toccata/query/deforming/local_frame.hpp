// Vertices of a step as floats around its center, for bounding volumes.
#pragma once

#include "toccata/bvh/moving_box.hpp"
#include "toccata/query/deforming/step.hpp"

namespace toccata {

/// Maps vertices to floats around the center of the scene. A volume around mapped points holds the
/// things themselves, and stays clear of what is farther than the separation, once it has grown by
/// `margin`: half the separation, and what rounding here and in `meet` may add.
struct LocalFrame {
  StepFrames frames;
  Vec3d center{};
  double diagonal = 0;  ///< of the box around both frames
  float margin = 0;

  LocalFrame(const StepFrames& step, double separation, unsigned threads = 1);

  Vec3f start(Index v) const { return to_float(frames.start[v] - center); }
  Vec3f end(Index v) const { return to_float(frames.end[v] - center); }

  template <std::size_t n>
  MovingBox box(const std::array<Index, n>& vertices) const {
    MovingBox b;
    for (const Index v : vertices) extend(b, start(v), end(v));
    return grown(b, margin);
  }
};

}  // namespace toccata
