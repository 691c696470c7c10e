#include "toccata/query/articulated/live_pair.hpp"

namespace toccata {
namespace {

/// Null for a link and a body of the world.
const LinkPair* links_of(const Robot& robot, const Candidate& candidate) {
  return candidate.pair < 0 ? nullptr : &robot.pairs()[candidate.pair];
}

}  // namespace

LivePair::LivePair(const Journey& journey, const Candidate& candidate)
    : LivePair(journey, candidate, links_of(journey.robot, candidate)) {}

LivePair::LivePair(const Journey& journey, const Candidate& candidate, const LinkPair* links)
    : candidate_(candidate),
      mesh_a_(journey.robot.links()[candidate.link].mesh),
      mesh_b_(links ? journey.robot.links()[links->b].mesh
                    : &journey.world.body(candidate.other).mesh),
      frame_a_(links ? links->frame_a
                     : journey.robot.world_frame(journey.robot.links()[candidate.link].joint)),
      frame_b_(links ? links->frame_b : -1),
      chain_a_(journey.places.chain(*mesh_a_, frame_a_)),
      chain_b_(journey.places.chain(*mesh_b_, frame_b_)),
      motion_a_(moved(chain_a_)),
      motion_b_(links ? moved(chain_b_) : journey.world.body(candidate.other).motion),
      moves_a_(!motion_a_.is_fixed()),
      moves_b_(!motion_b_.is_fixed()),
      pair_(body_a(), body_b(), journey.options_of(candidate)),
      view_(pair_) {}

const PairState& LivePair::at(Span span, Places& places) {
  return view_.at(span, [&](PairState& state) {
    const double reach = span.end - span.time;
    if (moves_a_)
      MovingPair::place(*mesh_a_, places.link(*mesh_a_, frame_a_, span.time, reach), state.a);
    if (moves_b_)
      MovingPair::place(*mesh_b_,
                        candidate_.pair < 0 ? motion_b_.state(span.time, span.end)
                                            : places.link(*mesh_b_, frame_b_, span.time, reach),
                        state.b);
  });
}

const RelativeState& LivePair::relative(Span span, bool a_fills_lanes, Places& places) {
  at(span, places);
  return view_.relative(a_fills_lanes);
}

}  // namespace toccata
