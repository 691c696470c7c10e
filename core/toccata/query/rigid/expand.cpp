#include "toccata/query/rigid/expand.hpp"

#include "toccata/narrow/box_approach.hpp"
#include "toccata/narrow/face_approach.hpp"

namespace toccata {

template <VolumeKind kind>
void Expansion<kind>::look_closer(const PairState& state, const RelativeState& relative,
                                  double window, unsigned lanes, Approach& bounds) const {
  const float separation = static_cast<float>(pair_.separation());
  const float longest = std::min(static_cast<float>(window), relative.horizon);
  lanes &= bits(bounds.step < longest);
  if (!lanes) return;
  const MovingVolume y = moving_volume<kind>(relative, *other_node_, family_.other.lane());
  const SlowestFace face = slowest_face<kind>(*node_, y, relative);
  lengthen(bounds, approach(*node_, y, relative, separation, face.direction,
                            face.gap - relative.gap_slack));
  // What single precision loses of gaps and rates, against what there is.
  const float lost = 2 * relative.gap_slack + 2 * relative.rate_slack * longest;
  lanes &= bits(bounds.step < longest) & bits(face.widest - separation > -relative.gap_slack) &
           bits(face.gap - separation < 8 * lost);
  const BodyState &sx = family_.of_a ? state.a : state.b, &sy = family_.of_a ? state.b : state.a;
  const int k = family_.other.lane();
  for_lanes(lanes, [&](int lane) {
    const MovingBox x{volume<VolumeKind::box>(*node_, lane), node_->reach[lane], mesh().center(),
                      sx.motion};
    const MovingBox other{volume<VolumeKind::box>(*other_node_, k), other_node_->reach[k],
                          other_mesh().center(), sy.motion};
    const double step = free_time(x, other, {pair_.separation(), window, pair_.error()});
    // Rounded down.
    bounds.step.set(lane, std::max(bounds.step[lane], static_cast<float>(step) * (1 - 0x1p-22f)));
  });
}

template class Expansion<VolumeKind::box>;
template class Expansion<VolumeKind::swept>;

}  // namespace toccata
