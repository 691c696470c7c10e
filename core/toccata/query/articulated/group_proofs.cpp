#include "toccata/query/articulated/group_proofs.hpp"

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

/// As far as links at rest are concerned.
bool same(const Options& a, const Options& b) {
  return a.initial == b.initial && a.separation == b.separation && a.tolerance == b.tolerance;
}

}  // namespace

void GroupProofs::start(const Robot& robot, const World& world, const RobotOptions& options,
                        Count version) {
  asked_.clear();
  version_ = version;
  const bool is_same = robot_ == robot.id() && world_ == world.id() &&
                       self_contact_ == options.self_contact && same(options_, options.options) &&
                       separations_ == options.separations && untested_ == options.untested;
  knows_all_ = is_same && confirmed_ == version;
  if (is_same) return;
  known_.clear();
  confirmed_ = 0;
  robot_ = robot.id(), world_ = world.id();
  self_contact_ = options.self_contact;
  options_ = options.options;
  separations_ = options.separations, untested_ = options.untested;
}

bool GroupProofs::knows(const Nodes& nodes) {
  const auto found = known_.find({nodes.a, nodes.b});
  if (found != known_.end() && same(found->second, nodes)) return true;
  asked_.push_back(nodes);
  return false;
}

void GroupProofs::confirm() {
  for (const Nodes& nodes : asked_) known_[{nodes.a, nodes.b}] = nodes;
  asked_.clear();
  confirmed_ = version_;
}

}  // namespace toccata
