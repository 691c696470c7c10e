#include "toccata/query/articulated/outcome.hpp"

#include "toccata/walk/inside.hpp"

namespace toccata {
namespace {

bool may_be_inside(const Journey& journey, const Candidate& candidate) {
  if (candidate.earliest > 0) return false;
  const std::span<const Link> links = journey.robot.links();
  const Mesh& other = candidate.pair < 0 ? journey.world.body(candidate.other).mesh
                                         : *links[journey.robot.pairs()[candidate.pair].b].mesh;
  return !other.solid().empty() || !links[candidate.link].mesh->solid().empty();
}

}  // namespace

void name_contact(const Journey& journey, const LivePair& live, RobotContact& found) {
  Contact& contact = found.contact;
  const Candidate& candidate = live.candidate();
  found.link_a = candidate.link;
  found.link_b = found.body = -1;
  contact.tolerance = live.pair().tolerance();
  classify_start(contact);
  if (candidate.pair < 0) {
    found.body = candidate.other;
    return;
  }
  const LinkPair& links = journey.robot.pairs()[candidate.pair];
  found.link_b = links.b;
  const Pose root = journey.places.at(journey.robot.world_frame(links.root), contact.toc, 0).pose;
  contact.closest.point_a = root * contact.closest.point_a;
  contact.closest.point_b = root * contact.closest.point_b;
  contact.normal = root.rotation * contact.normal;
}

void look_inside(const Journey& journey, std::span<const Candidate> candidates,
                 RobotContact& found) {
  if (found.contact.status == Status::initial_overlap) return;
  for (const Candidate& candidate : candidates) {
    if (!may_be_inside(journey, candidate)) continue;
    const LivePair live(journey, candidate);
    if (!starts_inside(live.pair(), found.contact.safe_until)) continue;
    found.contact = inside_at_start(found.contact.stats);
    return name_contact(journey, live, found);
  }
}

}  // namespace toccata
