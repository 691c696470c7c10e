#include "toccata/query/articulated/live_pair.hpp"

namespace toccata {
namespace {

const LinkPair* links_of(const Robot& robot, const Candidate& candidate) {
  return candidate.pair < 0 ? nullptr : &robot.pairs()[candidate.pair];
}

}  // namespace

LivePair::LivePair(const Robot& robot, const World& world, Places& places,
                   const Candidate& candidate, const Options& options)
    : candidate_(candidate),
      mesh_a_(robot.links()[candidate.link].mesh),
      mesh_b_(links_of(robot, candidate) ? robot.links()[links_of(robot, candidate)->b].mesh
                                         : &world.body(candidate.other).mesh),
      frame_a_(links_of(robot, candidate)
                   ? links_of(robot, candidate)->frame_a
                   : robot.world_frame(robot.links()[candidate.link].joint)),
      frame_b_(links_of(robot, candidate) ? links_of(robot, candidate)->frame_b : -1),
      chain_a_(places.chain(*mesh_a_, frame_a_)),
      chain_b_(places.chain(*mesh_b_, frame_b_)),
      motion_a_(moved(chain_a_)),
      motion_b_(links_of(robot, candidate) ? moved(chain_b_) : world.body(candidate.other).motion),
      body_b_moves_(!links_of(robot, candidate) && !motion_b_.is_fixed()) {
  pair_.emplace(body_a(), body_b(), options);
}

const PairState& LivePair::at(Span span, Places& places) {
  if (state_.time == span.time && end_ >= span.end) return state_;
  const double reach = span.end - span.time;
  MotionState a, b;
  const bool moves_a = !motion_a_.is_fixed(), moves_b = !motion_b_.is_fixed();
  if (moves_a) a = places.link(*mesh_a_, frame_a_, span.time, reach);
  if (body_b_moves_) b = motion_b_.state(span.time, span.end);
  else if (moves_b) b = places.link(*mesh_b_, frame_b_, span.time, reach);
  state_ = pair_->state(span.time, moves_a ? &a : nullptr, moves_b ? &b : nullptr);
  end_ = span.end;
  return state_;
}

}  // namespace toccata
