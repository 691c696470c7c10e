#include "toccata/query/articulated/contacts.hpp"

#include <algorithm>

#include "toccata/query/articulated/outcome.hpp"
#include "toccata/query/articulated/scaled.hpp"

namespace toccata {
namespace {

/// Links in order, each with bodies before other links.
bool comes_first(const Candidate& s, const Candidate& t) {
  if (s.link != t.link) return s.link < t.link;
  return std::pair(s.pair, s.other) < std::pair(t.pair, t.other);
}

}  // namespace

std::vector<RobotContact> contacts_at(const Robot& robot, const World& world,
                                      const RobotMotion& motion, const RobotOptions& options,
                                      const ContactsQuestion& question) {
  if (const int exponent = scaling_of(robot, world, motion)) [[unlikely]] {
    const ScaledSetting setting(robot, world, exponent);
    std::vector<RobotContact> found =
        contacts_at(setting.robot(), setting.world(), motion, scaled(options, exponent), question);
    for (RobotContact& contact : found) contact = scaled_back(contact, options, exponent);
    return found;
  }
  LinkPoses poses;
  poses.start(robot, motion);
  RobotQuery query = query_of(robot, world, poses, options, options.options);
  if (query.tolerance == 0) query.tolerance = most_tolerance(query);
  BroadPhase broad;
  std::vector<Candidate> near = broad.start(robot, world, poses, broad_question(query, options));
  std::sort(near.begin(), near.end(), comes_first);
  std::vector<RobotContact> found;
  for (const Candidate& candidate : near) {
    if (broad.gap(candidate, question.time) > 0) continue;
    const RobotPair bodies(query, candidate);
    for (const Contact& contact : question.of_bodies(bodies.body_a(), bodies.body_b(),
                                                     query.options_of(candidate), question.time)) {
      found.emplace_back().contact = contact;
      name_contact(query, bodies, found.back());
    }
  }
  return found;
}

}  // namespace toccata
