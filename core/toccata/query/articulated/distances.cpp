#include "toccata/query/articulated/distances.hpp"

#include <span>

#include "toccata/base/of_thread.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/query/articulated/robot_pair.hpp"
#include "toccata/query/articulated/scaled.hpp"
#include "toccata/query/check_triangles.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

Candidate candidate_of(const Robot& robot, const MeasuredPair& pair) {
  if (pair.pair >= 0) return {0, pair.link, -1, pair.pair};
  return {0, pair.link, pair.other - static_cast<Index>(robot.links().size())};
}

/// Whether balls around both bodies are farther apart than the limit, by more than rounding.
bool are_beyond(const MovingPair& pair, const PairState& state, double limit) {
  const double radii = pair.mesh_a().radius() + pair.mesh_b().radius();
  return norm(state.a.center - state.b.center) - radii - 2 * pair.error() > limit;
}

/// From the frame that carries both links to the world.
void place(const Pose& root, Distance& found) {
  found.closest.point_a = root * found.closest.point_a;
  found.closest.point_b = root * found.closest.point_b;
  found.normal = root.rotation * found.normal;
}

Distance measure(const RobotQuery& query, const MeasuredPair& measured, double limit) {
  RobotPair bodies(query, candidate_of(query.robot, measured));
  const PairState& state = bodies.at({0, 0}, query.poses);
  if (are_beyond(bodies.pair(), state, limit)) return beyond_limit(limit);
  Distance found = least_distance(bodies.pair(), state, limit);
  if (measured.pair < 0 || found.upper == infinity) return found;
  const Index root = query.robot.pairs()[measured.pair].carrier;
  if (root >= 0) place(query.poses.pose(query.robot.world_frame(root), 0), found);
  return found;
}

void measure_row(const Robot& robot, const World& world, const std::vector<MeasuredPair>& pairs,
                 const double* q, double limit, Distance* found) {
  LinkPoses& poses = of_thread<LinkPoses>();
  poses.start(robot, q, q);
  const Options plain;
  const RobotQuery query{robot, world, poses, plain};
  for (const MeasuredPair& pair : pairs) *found++ = measure(query, pair, limit);
}

}  // namespace

std::vector<MeasuredPair> measured_pairs(const Robot& robot, const World& world,
                                         const Untested* untested) {
  std::vector<MeasuredPair> pairs;
  for (std::size_t p = 0; p < robot.pairs().size(); ++p)
    pairs.push_back({robot.pairs()[p].a, robot.pairs()[p].b, static_cast<Index>(p)});
  const auto links = static_cast<Index>(robot.links().size());
  for (Index link = 0; link < links; ++link)
    for (Index body = 0; body < static_cast<Index>(world.size()); ++body)
      if (is_tested(untested, link, body)) pairs.push_back({link, links + body});
  return pairs;
}

std::vector<Distance> distances(const Robot& robot, const World& world,
                                const std::vector<MeasuredPair>& pairs, const Configurations& q,
                                double limit, unsigned threads) {
  for (const Link& link : robot.links()) check_triangles(*link.mesh, "robot");
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i)
    check_triangles(world.body(i).mesh, "world");
  if (const int exponent = scaling_of(robot, world)) [[unlikely]] {
    const ScaledSetting setting(robot, world, exponent);
    std::vector<Distance> found =
        distances(setting.robot(), setting.world(), pairs, q, scaled(limit, exponent), threads);
    for (Distance& d : found) d = scaled_back(d, exponent);
    return found;
  }
  std::vector<Distance> found(q.count * pairs.size());
  const std::size_t width = robot.coordinates();
  parallel_for(q.count, 1, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i)
      measure_row(robot, world, pairs, q.rows + i * width, limit, found.data() + i * pairs.size());
  });
  return found;
}

}  // namespace toccata
