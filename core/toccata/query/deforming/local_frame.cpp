#include "toccata/query/deforming/local_frame.hpp"

#include "toccata/geometry/box.hpp"

namespace toccata {

LocalFrame::LocalFrame(const StepFrames& step, double separation) : frames(step) {
  Box box;
  for (const auto& points : {step.start, step.end})
    for (const Vec3d& p : points) extend(box, p);
  if (step.start.empty()) return;
  center = toccata::center(box);
  const Vec3d size = box.hi - box.lo;
  diagonal = norm(size);
  // Mapping errs by 2^-24 of the largest coordinate, which is at most half the size, and the
  // packed test needs 2^-20 of it.
  const double largest = std::max({size.x, size.y, size.z}) + separation;
  margin = static_cast<float>((0.5 * separation + 0x1p-20 * largest) * (1 + 0x1p-20)) + 0x1p-120f;
}

}  // namespace toccata
