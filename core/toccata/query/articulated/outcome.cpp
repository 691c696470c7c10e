#include "toccata/query/articulated/outcome.hpp"

#include "toccata/walk/inside.hpp"

namespace toccata {
namespace {

bool has_solid(const RobotQuery& query, const Candidate& candidate) {
  const std::span<const Link> links = query.robot.links();
  const Mesh& other = candidate.pair < 0 ? query.world.body(candidate.other).mesh
                                         : *links[query.robot.pairs()[candidate.pair].b].mesh;
  return !other.solid().empty() || !links[candidate.link].mesh->solid().empty();
}

}  // namespace

void name_contact(const RobotQuery& query, const RobotPair& bodies, RobotContact& found) {
  Contact& contact = found.contact;
  const Candidate& candidate = bodies.candidate();
  found.link_a = candidate.link;
  found.link_b = found.body = -1;
  contact.tolerance = bodies.pair().stated_tolerance();
  classify_start(contact);
  if (candidate.pair < 0) {
    found.body = candidate.other;
    return;
  }
  const LinkPair& links = query.robot.pairs()[candidate.pair];
  found.link_b = links.b;
  const Index frame = query.poses.world_frame(query.poses.carrier(links));
  const Pose root = query.poses.at(frame, contact.toc, 0).pose;
  contact.closest.point_a = root * contact.closest.point_a;
  contact.closest.point_b = root * contact.closest.point_b;
  contact.normal = root.rotation * contact.normal;
}

void look_inside(const RobotQuery& query, std::span<const Candidate> candidates,
                 RobotContact& found) {
  if (found.contact.status == Status::initial_overlap) return;
  for (const Candidate& candidate : candidates) {
    if (candidate.earliest > 0 || !has_solid(query, candidate)) continue;
    const RobotPair bodies(query, candidate);
    if (!starts_inside(bodies.pair(), found.contact.safe_until)) continue;
    found.contact = inside_at_start(found.contact.stats);
    return name_contact(query, bodies, found);
  }
}

bool has_unclear(const RobotQuery& query, std::span<const Candidate> candidates,
                 RobotContact& found) {
  if (query.options.initial != Initial::resting) return false;
  for (const Candidate& candidate : candidates) {
    if (candidate.earliest > 0) continue;
    const RobotPair bodies(query, candidate);
    if (!bodies.pair().is_unclear()) continue;
    found.contact = undecided_at_start();
    name_contact(query, bodies, found);
    return true;
  }
  return false;
}

}  // namespace toccata
