// Bounds in double precision for siblings whose volumes nearly touch.
#include "toccata/walk/expand.hpp"

#include "toccata/narrow/advancement/box_approach.hpp"
#include "toccata/narrow/advancement/face_approach.hpp"

namespace toccata {

template <VolumeKind kind>
Pack Expansion<kind>::tighten(const PairState& state, double window, unsigned lanes,
                              Pack step) const {
  const RelativeState relative = pair_.relative(state, siblings_.of_a);
  const float separation = static_cast<float>(pair_.separation());
  const float longest = std::min(static_cast<float>(window), relative.longest_advance);
  if (!(lanes & bits(step < longest))) return step;
  const int other = siblings_.other.lane();
  const MovingVolume y = moving_volume<kind>(relative, *other_node_, other);
  const SlowestFace face = slowest_face<kind>(*node_, y, relative);
  step = max(
      step, approach(*node_, y, relative, separation, face.direction, face.gap - relative.gap_slack)
                .step);
  // Errors of gaps and rates in single precision. A gap that is not much larger needs double.
  const float lost = 2 * relative.gap_slack + 2 * relative.rate_slack * longest;
  lanes &= bits(step < longest) & bits(face.widest - separation > -relative.gap_slack);
  // For rotating boxes, double precision also gives tighter bounds of the motion of their corners.
  if (!relative.x.turns() && !relative.y.turns()) lanes &= bits(face.gap - separation < 8 * lost);
  const BodyState &sx = siblings_.of_a ? state.a : state.b,
                  &sy = siblings_.of_a ? state.b : state.a;
  const BodyBox box_y{volume<VolumeKind::box>(*other_node_, other), other_node_->reach[other],
                      other_mesh().center(), sy.motion};
  for_lanes(lanes, [&](int lane) {
    const BodyBox box_x{volume<VolumeKind::box>(*node_, lane), node_->reach[lane], mesh().center(),
                        sx.motion};
    const double time = free_time(box_x, box_y, {pair_.separation(), window, pair_.error()});
    step.set(lane, std::max(step[lane], static_cast<float>(time) * (1 - 0x1p-22f)));
  });
  return step;
}

template class Expansion<VolumeKind::box>;
template class Expansion<VolumeKind::swept>;

}  // namespace toccata
