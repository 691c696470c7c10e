// States of a pair of links, or of a link and a body, from shared poses.
#include "toccata/query/setting/robot_pair.hpp"

namespace toccata {
namespace {

PairFrames frames_of(RobotInWorld& setting, const Candidate& candidate) {
  if (candidate.links >= 0) return setting.poses.frames(setting.robot.pairs()[candidate.links]);
  return {-1, setting.poses.world_frame(setting.robot.links()[candidate.a].joint), -1};
}

}  // namespace

RobotPair::RobotPair(RobotInWorld& setting, const Candidate& candidate)
    : RobotPair(setting, candidate, frames_of(setting, candidate)) {}

RobotPair::RobotPair(RobotInWorld& setting, const Candidate& candidate, const PairFrames& frames)
    : setting_(&setting),
      candidate_(candidate),
      mesh_a_(&setting.mesh_a(candidate)),
      mesh_b_(&setting.mesh_b(candidate)),
      frame_a_(frames.a),
      frame_b_(frames.b),
      chain_a_(setting.poses.chain(*mesh_a_, frame_a_)),
      chain_b_(setting.poses.chain(*mesh_b_, frame_b_)),
      motion_a_(moved(chain_a_)),
      motion_b_(candidate.links < 0 ? setting.world.body(candidate.b).motion : moved(chain_b_)),
      moves_a_(!motion_a_.is_fixed()),
      moves_b_(!motion_b_.is_fixed()),
      pair_(body_a(), body_b(), setting.options_of(candidate)),
      view_(pair_) {}

const PairState& RobotPair::at(Span window) {
  return view_.at(window, [&](PairState& state) {
    LinkPoses& poses = setting_->poses;
    const double reach = window.end - window.time;
    if (moves_a_)
      MovingPair::place(*mesh_a_, poses.link(*mesh_a_, frame_a_, window.time, reach), state.a);
    if (moves_b_)
      MovingPair::place(*mesh_b_,
                        candidate_.links < 0 ? motion_b_.state(window.time, window.end)
                                             : poses.link(*mesh_b_, frame_b_, window.time, reach),
                        state.b);
  });
}

PairView RobotPair::posed(double time) const {
  PairView view(pair_);
  const auto put = [](const Mesh& mesh, const Pose& pose, BodyState& state) {
    MovingPair::place(mesh, {.pose = pose, .pivot = mesh.center()}, state);
  };
  LinkPoses& poses = setting_->poses;
  view.at({time, time}, [&](PairState& state) {
    if (moves_a_) put(*mesh_a_, poses.pose(frame_a_, time), state.a);
    if (moves_b_)
      put(*mesh_b_, candidate_.links < 0 ? motion_b_.pose(time) : poses.pose(frame_b_, time),
          state.b);
  });
  return view;
}

const RelativeState& RobotPair::relative(Span window, bool a_fills_lanes) {
  at(window);
  return view_.relative(a_fills_lanes);
}

}  // namespace toccata
