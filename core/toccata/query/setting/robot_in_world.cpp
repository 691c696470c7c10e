// Candidate pairs, frames and tolerances of a robot in a world.
#include "toccata/query/setting/robot_in_world.hpp"

namespace toccata {

RobotInWorld::RobotInWorld(const Robot& robot, const BodySet& world, LinkPoses& poses,
                           BroadPhase& broad, const RobotOptions& given, const Options& own)
    : robot(robot),
      world(world),
      poses(poses),
      broad(broad),
      options(own),
      self_contact(given.self_contact),
      separations(given.separations.get()),
      ignored(given.ignored.get()),
      starts(given.starts.get()) {
  // Pairs beyond the separation need not be found, whatever tolerance they choose. But pairs that
  // start close to each other may get a larger separation.
  if (own.initial != Initial::report) widen();
}

std::vector<Candidate> RobotInWorld::reachable_pairs() {
  widen();
  const std::span<const Candidate> candidates = find_candidates();
  std::vector<Candidate> found(candidates.begin(), candidates.end());
  std::sort(found.begin(), found.end(), comes_first);
  return found;
}

std::vector<Candidate> RobotInWorld::candidates_at(double time) {
  std::vector<Candidate> found = reachable_pairs();
  std::erase_if(found, [&](const Candidate& pair) {
    return pair.earliest > time || broad.gap(pair, time) > 0;
  });
  return found;
}

std::optional<Pose> RobotInWorld::frame_of(const Candidate& pair, double time) {
  if (pair.links < 0) return std::nullopt;
  const Index carrier = poses.carrier(robot.pairs()[pair.links]);
  return poses.at(poses.world_frame(carrier), time, 0).pose;
}

double RobotInWorld::error_of_pairs() const {
  double of_links = 0;
  for (const Link& link : robot.links())
    of_links = std::max(of_links, rounding_error(poses.error(link), *link.mesh));
  return error_of_pair(of_links, std::max(of_links, world.error()));
}

double RobotInWorld::largest_tolerance() const {
  return default_tolerance(contact_share, robot.radii().of_pairs_with(world.radii()),
                           error_of_pairs());
}

}  // namespace toccata
