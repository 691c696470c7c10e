// Size of a scene, and the margin of its bounding volumes.
#include "toccata/query/deforming/frames.hpp"

#include "toccata/base/parallel_for.hpp"
#include "toccata/geometry/box.hpp"

namespace toccata {
namespace {

Box box_of(const StepFrames& step, unsigned threads) {
  constexpr std::size_t grain = 1 << 10;
  std::vector<Box> boxes((step.start.size() + grain - 1) / grain);
  parallel_for(step.start.size(), grain, threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 Box box;
                 for (const auto& points : {step.start, step.end})
                   for (const Vec3d& p : points.subspan(begin, end - begin)) extend(box, p);
                 boxes[begin / grain] = box;
               });
  Box all;
  for (const Box& box : boxes) extend(all, box);
  return all;
}

}  // namespace

LocalFrame::LocalFrame(const StepFrames& step, double separation, unsigned threads) : frames(step) {
  const Box box = box_of(step, threads);
  if (step.start.empty()) return;
  center = toccata::center(box);
  const Vec3d size = box.hi - box.lo;
  diagonal = norm(size);
  // Conversion errs by 2^-24 of the largest coordinate, which is at most half the size, and
  // `meeting` needs 2^-20 of it.
  const double largest = std::max({size.x, size.y, size.z}) + separation;
  margin = static_cast<float>((0.5 * separation + 0x1p-20 * largest) * (1 + 0x1p-20)) + 0x1p-120f;
}

}  // namespace toccata
