#include "toccata/query/articulated/robot_pair.hpp"

namespace toccata {
namespace {

/// Null for a link and a body of the world.
const LinkPair* links_of(const Robot& robot, const Candidate& candidate) {
  return candidate.pair < 0 ? nullptr : &robot.pairs()[candidate.pair];
}

bool has(const Mesh& mesh, Index element) {
  const std::size_t count = mesh.surface() ? mesh.cells().size() : mesh.faces().size();
  return static_cast<std::size_t>(element) < count;
}

}  // namespace

std::optional<ElementPair> recalled(const ContactMemory& memory, const RobotQuery& query,
                                    const Candidate& candidate) {
  if (memory.empty()) return std::nullopt;
  const LinkPair* links = links_of(query.robot, candidate);
  const std::optional<ElementPair> known =
      memory.of({candidate.link, links ? links->b : -1, links ? -1 : candidate.other});
  if (!known) return std::nullopt;
  const Mesh& a = *query.robot.links()[candidate.link].mesh;
  const Mesh& b = links ? *query.robot.links()[links->b].mesh
                        : query.world.body(candidate.other).mesh;
  return has(a, known->a) && has(b, known->b) ? known : std::nullopt;
}

RobotPair::RobotPair(const RobotQuery& query, const Candidate& candidate)
    : RobotPair(query, candidate, links_of(query.robot, candidate)) {}

RobotPair::RobotPair(const RobotQuery& query, const Candidate& candidate, const LinkPair* links)
    : RobotPair(
          query, candidate, links,
          links ? query.poses.frames(*links)
                : PairFrames{-1, query.poses.world_frame(query.robot.links()[candidate.link].joint),
                             -1}) {}

RobotPair::RobotPair(const RobotQuery& query, const Candidate& candidate, const LinkPair* links,
                     const PairFrames& frames)
    : candidate_(candidate),
      mesh_a_(query.robot.links()[candidate.link].mesh),
      mesh_b_(links ? query.robot.links()[links->b].mesh : &query.world.body(candidate.other).mesh),
      frame_a_(frames.a),
      frame_b_(frames.b),
      chain_a_(query.poses.chain(*mesh_a_, frame_a_)),
      chain_b_(query.poses.chain(*mesh_b_, frame_b_)),
      motion_a_(moved(chain_a_)),
      motion_b_(links ? moved(chain_b_) : query.world.body(candidate.other).motion),
      moves_a_(!motion_a_.is_fixed()),
      moves_b_(!motion_b_.is_fixed()),
      pair_(body_a(), body_b(), query.options_of(candidate)),
      view_(pair_) {}

const PairState& RobotPair::at(Span span, LinkPoses& poses) {
  return view_.at(span, [&](PairState& state) {
    const double reach = span.end - span.time;
    if (moves_a_)
      MovingPair::place(*mesh_a_, poses.link(*mesh_a_, frame_a_, span.time, reach), state.a);
    if (moves_b_)
      MovingPair::place(*mesh_b_,
                        candidate_.pair < 0 ? motion_b_.state(span.time, span.end)
                                            : poses.link(*mesh_b_, frame_b_, span.time, reach),
                        state.b);
  });
}

PairView RobotPair::posed(double time, LinkPoses& poses) const {
  PairView view(pair_);
  const auto put = [](const Mesh& mesh, const Pose& pose, BodyState& state) {
    MovingPair::place(mesh, {.pose = pose, .pivot = mesh.center()}, state);
  };
  view.at({time, time}, [&](PairState& state) {
    if (moves_a_) put(*mesh_a_, poses.pose(frame_a_, time), state.a);
    if (moves_b_)
      put(*mesh_b_, candidate_.pair < 0 ? motion_b_.pose(time) : poses.pose(frame_b_, time),
          state.b);
  });
  return view;
}

const RelativeState& RobotPair::relative(Span span, bool a_fills_lanes, LinkPoses& poses) {
  at(span, poses);
  return view_.relative(a_fills_lanes);
}

}  // namespace toccata
