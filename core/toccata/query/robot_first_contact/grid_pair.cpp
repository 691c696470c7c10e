// Relative states of a pair of links at grid times, computed on demand.
#include "toccata/query/robot_first_contact/grid_pair.hpp"

namespace toccata {

void GridPair::switch_to(const RobotPair& bodies, GridPoses& poses) {
  live_ = &bodies;
  poses_ = &poses;
  ++visit_;
  if (slots_.empty()) slots_.assign(GridPoses::count + 1, Seen{0, PairView(bodies.pair())});
}

const RelativeState& GridPair::relative(int slot, bool a_fills_lanes) {
  Seen& seen = slots_[slot];
  if (seen.visit != visit_) {
    seen = {visit_, PairView(live_->pair())};
    place(seen.view, slot);
  }
  return seen.view.relative(a_fills_lanes);
}

void GridPair::place(PairView& view, int slot) {
  const Span span{GridPoses::time(slot), poses_->end(slot)};
  const auto put = [&](const Body& body, Index frame, BodyState& state) {
    if (body.motion.is_fixed()) return;
    const double reach = span.end - span.time;
    MovingPair::place(body.mesh,
                      frame < 0 ? body.motion.state(span.time, span.end)
                                : motion_state(poses_->at(frame, slot), body.mesh.center(), reach),
                      state);
  };
  view.at(span, [&](PairState& state) {
    put(live_->body_a(), live_->frame_a(), state.a);
    put(live_->body_b(), live_->frame_b(), state.b);
  });
}

}  // namespace toccata
