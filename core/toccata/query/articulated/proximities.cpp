#include "toccata/query/articulated/proximities.hpp"

#include <algorithm>

#include "toccata/base/of_thread.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/query/articulated/robot_pair.hpp"
#include "toccata/query/articulated/scaled.hpp"
#include "toccata/query/check_triangles.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

/// Keeps its memory from query to query.
struct NearLinks {
  LinkPoses poses;
  BroadPhase broad;
  NearPairs near;
};

/// Names the bodies, and takes points from the frame that carries both links to the world.
void place(const Robot& robot, LinkPoses& poses, const Candidate& candidate, Proximity& p) {
  p.body_a = candidate.link;
  if (candidate.pair < 0) {
    p.body_b = static_cast<Index>(robot.links().size()) + candidate.other;
    return;
  }
  const LinkPair& links = robot.pairs()[candidate.pair];
  p.body_b = links.b;
  if (links.carrier < 0) return;
  const Pose& root = poses.pose(robot.world_frame(links.carrier), 0);
  p.point_a = root * p.point_a;
  p.point_b = root * p.point_b;
  p.normal = root.rotation * p.normal;
}

std::vector<Proximity> list(const Robot& robot, const World& world, const double* q,
                            double distance, const Untested* untested) {
  NearLinks& own = of_thread<NearLinks>();
  LinkPoses& poses = own.poses;
  poses.start(robot, q, q);
  const Options plain;
  const RobotQuery query{robot, world, poses, plain};
  std::vector<Proximity> found;
  for (const Candidate& candidate :
       own.broad.run(robot, world, poses, {distance, true, untested})) {
    if (candidate.earliest > 0) continue;
    RobotPair bodies(query, candidate);
    check_triangles(bodies.pair().mesh_a(), "robot");
    check_triangles(bodies.pair().mesh_b(), "world");
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    own.near.list(bodies.pair(), bodies.at({0, 0}, poses), distance, found);
    std::for_each(found.begin() + first, found.end(),
                  [&](Proximity& p) { place(robot, poses, candidate, p); });
  }
  std::sort(found.begin(), found.end(), comes_before);
  return found;
}

}  // namespace

std::vector<Proximity> proximities(const Robot& robot, const World& world, const double* q,
                                   double distance, const Untested* untested) {
  const int exponent = scaling_of(robot, world, RobotMotion{q, q});
  if (exponent == 0) [[likely]]
    return list(robot, world, q, distance, untested);
  const ScaledSetting setting(robot, world, exponent);
  std::vector<Proximity> found =
      list(setting.robot(), setting.world(), q, scaled_distance(distance, exponent), untested);
  for (Proximity& p : found) scale_back(p, exponent);
  return found;
}

}  // namespace toccata
