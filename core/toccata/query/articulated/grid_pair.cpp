#include "toccata/query/articulated/grid_pair.hpp"

namespace toccata {

void GridPair::look_at(const LivePair& live, GridPlaces& places) {
  live_ = &live;
  places_ = &places;
  ++visit_;
  if (slots_.empty()) slots_.assign(GridPlaces::count + 1, Seen{0, {}, live.pair().at_rest(), {}});
}

const RelativeState& GridPair::relative(int slot, bool a_fills_lanes) {
  Seen& seen = slots_[slot];
  if (seen.visit != visit_) place(seen, slot);
  RelativeState& relative = seen.relative[a_fills_lanes];
  if (!seen.known[a_fills_lanes]) relative = live_->pair().relative(seen.state, a_fills_lanes);
  seen.known[a_fills_lanes] = true;
  return relative;
}

void GridPair::place(Seen& seen, int slot) {
  seen.visit = visit_;
  seen.known[0] = seen.known[1] = false;
  const MovingPair& pair = live_->pair();
  seen.state = pair.at_rest();
  seen.state.time = GridPlaces::time(slot);
  const Span span{seen.state.time, places_->end(slot)};
  const auto put = [&](const Mesh& mesh, const Motion& motion, Index frame, BodyState& body) {
    if (motion.is_fixed()) return;
    const double reach = span.end - span.time;
    MovingPair::place(mesh,
                      frame < 0 ? motion.state(span.time, span.end)
                                : motion_state(places_->at(frame, slot), mesh.center(), reach),
                      body);
  };
  put(pair.mesh_a(), live_->body_a().motion, live_->frame_a(), seen.state.a);
  put(pair.mesh_b(), live_->body_b().motion, live_->frame_b(), seen.state.b);
}

}  // namespace toccata
