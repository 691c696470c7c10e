// Storage and confirmation of the proofs that links of rigid groups are apart.
#include "toccata/broad/group_proofs.hpp"

namespace toccata {
namespace {

bool same(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool same(const Pose& a, const Pose& b) {
  return same(a.translation, b.translation) && same(a.rotation.x, b.rotation.x) &&
         same(a.rotation.y, b.rotation.y) && same(a.rotation.z, b.rotation.z);
}

bool same(const GroupProofs::Nodes& a, const GroupProofs::Nodes& b) {
  return a.changed_a == b.changed_a && a.changed_b == b.changed_b && same(a.at_a, b.at_a) &&
         same(a.at_b, b.at_b);
}

/// Returns whether two queries have the same answers about links at rest.
bool same(const GroupProofs::Query& a, const GroupProofs::Query& b) {
  const Options &s = a.options, &t = b.options;
  return a.self_contact == b.self_contact && s.initial == t.initial &&
         s.separation == t.separation && s.tolerance == t.tolerance &&
         a.separations == b.separations && a.ignored == b.ignored;
}

}  // namespace

void GroupProofs::start(const Robot& robot, const BodySet& world, const Query& query,
                        Count version) {
  assumed_.clear();
  version_ = version;
  is_same_ = robot_ == robot.id() && world_ == world.id() && same(query_, query);
  knows_all_ = is_same_ && confirmed_ == version;
  if (is_same_) return;
  known_.clear();
  confirmed_ = 0;
  robot_ = robot.id(), world_ = world.id();
  query_ = query;
}

bool GroupProofs::knows(const Nodes& nodes) {
  const auto found = known_.find({nodes.a, nodes.b});
  if (found != known_.end() && same(found->second, nodes)) return true;
  assumed_.push_back(nodes);
  return false;
}

void GroupProofs::confirm() {
  for (const Nodes& nodes : assumed_) known_[{nodes.a, nodes.b}] = nodes;
  assumed_.clear();
  confirmed_ = version_;
}

}  // namespace toccata
