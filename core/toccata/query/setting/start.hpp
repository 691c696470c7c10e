// Answers at the start of a motion without a contact of surfaces: a body that starts inside a
// solid, and a pair with a distance that rounding hides.
#pragma once

#include <span>

#include "toccata/query/setting/setting.hpp"
#include "toccata/walk/overlap.hpp"

namespace toccata {

/// Completes an answer with a contact in the frame of a candidate pair: sets the tolerance and the
/// bodies, and transforms the points into world coordinates.
template <Setting S>
void name_contact(S& setting, const Candidate& candidate, const MovingPair& pair,
                  typename S::Found& found) {
  Contact& contact = found.contact;
  contact.tolerance = pair.stated_tolerance();
  classify_start(contact);
  setting.name(candidate, found);
  const std::optional<Pose> frame = setting.frame_of(candidate, contact.toc);
  if (!frame) return;
  contact.closest.point_a = *frame * contact.closest.point_a;
  contact.closest.point_b = *frame * contact.closest.point_b;
  contact.normal = frame->rotation * contact.normal;
}

/// Tests whether a body starts inside a solid, unless the answer is a contact at the start. Such a
/// body touches no surface, so no traversal finds it.
template <Setting S>
void test_inside(S& setting, std::span<const Candidate> candidates, typename S::Found& found) {
  if (found.contact.status == Status::initial_overlap) return;
  for (const Candidate& candidate : candidates) {
    const bool is_solid = !setting.mesh_a(candidate).solid().empty() ||
                          !setting.mesh_b(candidate).solid().empty();
    if (candidate.earliest > 0 || !is_solid) continue;
    const typename S::Bodies bodies(setting, candidate);
    if (!starts_inside(bodies.pair(), found.contact.safe_until)) continue;
    found.contact = inside_at_start(found.contact.stats);
    return name_contact(setting, candidate, bodies.pair(), found);
  }
}

/// Returns whether rounding hides the distance at the start of a pair that may rest. If so, makes
/// the answer undecided from the start.
template <Setting S>
bool has_unclear(S& setting, std::span<const Candidate> candidates, const Options& options,
                 typename S::Found& found) {
  if (options.initial != Initial::resting) return false;
  for (const Candidate& candidate : candidates) {
    if (candidate.earliest > 0) continue;
    const typename S::Bodies bodies(setting, candidate);
    if (!bodies.pair().is_unclear()) continue;
    found.contact = undecided_at_start();
    name_contact(setting, candidate, bodies.pair(), found);
    return true;
  }
  return false;
}

}  // namespace toccata
