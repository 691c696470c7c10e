#include "toccata/dynamics/hand/manipulator.hpp"

#include <algorithm>
#include <cstdio>

#include "toccata/base/expects.hpp"
#include "toccata/dynamics/body/mass.hpp"
#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/dynamics/certify/separation_rule.hpp"
#include "toccata/motion/recipe.hpp"
#include "toccata/query/check_triangles.hpp"
#include "toccata/query/rigid/distance.hpp"

namespace toccata {
namespace {

constexpr int enough_substeps = 8;  // between two checks whether the body approaches its target
constexpr double least_trust = 0x1p-8;
constexpr int most_refused = 6;

double radius_about(const Mesh& mesh, const Vec3d& center) {
  double most = 0;
  for (const Face& face : mesh.faces())
    for (const Index v : face) most = std::max(most, norm(mesh.vertices()[v] - center));
  return most;
}

const Mesh& checked(const Mesh& body) {
  check_triangles(body, "body");
  return body;
}

[[noreturn]] void reject_shell(double least, double got) {
  char text[128];
  std::snprintf(text, sizeof text, "expected at least %.3g, far above rounding here, got %.3g",
                least, got);
  throw std::invalid_argument(std::string("shell: ") + text);
}

}  // namespace

Manipulator::Manipulator(const Mesh& body, const World& world, const Matrix4& pose, double shell,
                         const Momentum& momentum)
    : body_(body),
      certifier_(body, world),
      pose_(pose),
      shell_(shell),
      momentum_(momentum),
      ranks_(checked(body)) {
  check_pose(pose.data(), "pose");
  const MassProperties mass = mass_properties(body, 1);
  center_ = mass.center;
  radius_ = radius_about(body, center_);
  // Keeps the rotation of rods about their axes finite.
  inertia_ = mass.inertia * (1 / mass.mass) + identity3 * (1e-3 * radius_ * radius_);
  double least = 0;
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i) {
    check_triangles(world.body(i).mesh, "scene");
    world_ranks_.emplace_back(world.body(i).mesh);
    others_.push_back({&world.body(i).mesh, {}, {}, false});
    least = std::max(least, 10 / hard_in_shells * certifier_.resolution(here(), i));
  }
  if (shell_ == 0) shell_ = std::max(shell_in_radii * radius_, least);
  if (!(shell_ >= least)) reject_shell(least, shell_);
}

/// Adapts to the proven portion: the body met features out of sight, or the linearization was poor.
void Manipulator::Trust::adapt(double part) {
  if (part >= 0.5) {
    sight = std::max(least_sight, sight / 2);
    length = std::min(1.0, 2 * length);
  } else if (sight < most_sight) {
    sight = std::min(most_sight, 4 * sight);
  } else {
    length /= 4;
  }
}

double Manipulator::Trust::straight() const {
  return refused == 0 ? 1 : refused == 1 ? 0.5 : std::ldexp(1, -10 * (refused - 1));
}

Manipulator::Obstacle Manipulator::obstacle() const {
  const World& world = certifier_.world();
  const Motion still = here();
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i) {
    const double resolution = certifier_.resolution(still, i);
    const double distance = toccata::distance({body_, still}, certifier_.other(i)).lower;
    if (!(distance > resolution)) return {i, distance, resolution};
  }
  return {};
}

Displacement Manipulator::to_target(const Pose& target) const {
  const Pose now = pose_of(pose_.data());
  return {target * center_ - now * center_, rotation_between(now.rotation, target.rotation)};
}

/// Bounds the displacement of all points of the body.
double Manipulator::size(const Displacement& d) const {
  return norm(d.linear) + radius_ * norm(d.angular);
}

/// Returns twice the energy of a spring that pulls the body along a displacement.
double Manipulator::energy(const Displacement& d) const {
  const Mat3d inertia = turned(pose_of(pose_.data()).rotation, inertia_);
  return norm2(d.linear) + dot(d.angular, inertia * d.angular);
}

/// Continues if the target is unchanged, as if there were no moves in between.
void Manipulator::pursue(const Matrix4& target, const Pose& goal) {
  if (pursuit_.target == target) return;
  pursuit_ = {};
  pursuit_.target = target;
  pursuit_.energy = energy(to_target(goal));
  slide_.restart();
}

bool Manipulator::is_at(const Pose& goal) const {
  return size(to_target(goal)) < still_in_radii * radius_;
}

/// Returns whether the last substeps brought the body closer to the target. Otherwise it oscillates
/// about an equilibrium.
bool Manipulator::gets_nearer(const Pose& goal) {
  if (++pursuit_.substeps < enough_substeps) return true;
  const double before = pursuit_.energy;
  pursuit_.energy = energy(to_target(goal)), pursuit_.substeps = 0;
  return pursuit_.energy < before;
}

Move Manipulator::move(const Aim& aim, int max_substeps, std::span<const Displacement> given) {
  const Pose goal = read_pose(aim.target.data(), "target");
  first_of_move_.push_back({path_.size(), velocity_});
  pursue(aim.target, goal);
  Move move;
  if (has_momentum()) advance(aim, goal, max_substeps, given, move);
  else follow(aim, goal, max_substeps, given, move);
  move.time = time();
  move.waited = time() < aim.time;
  return move;
}

void Manipulator::follow(const Aim& aim, const Pose& goal, int max_substeps,
                         std::span<const Displacement> given, Move& move) {
  const auto is_done = [&] { return is_at(goal) && (move.waited || time() >= aim.time); };
  for (int k = 0; k < max_substeps && !is_done() && move.status == MoveStatus::moving; ++k) {
    Proposal proposal = propose(goal, move.waited ? time() : aim.time, 0, move);
    if (!given.empty()) proposal.by = given[static_cast<std::size_t>(k) % given.size()];
    else if (proposal.is_blocked) move.status = MoveStatus::blocked;
    if (move.status == MoveStatus::moving) substep(proposal, goal, given.empty(), move);
  }
  if (is_done() && move.status == MoveStatus::moving)
    move.status = time() < aim.time ? MoveStatus::blocked : MoveStatus::reached;
}

/// Executes one proposal, and adapts the next ones to the outcome.
void Manipulator::substep(const Proposal& proposal, const Pose& goal, bool is_own, Move& move) {
  const bool passes = proposal.until > time();
  const double part = execute(proposal, move);
  if (passes) {
    pursuit_.energy = energy(to_target(goal)), pursuit_.substeps = 0;  // others may have pushed it
    move.waited = part == 0;
  } else if (is_own && part > 0 && !gets_nearer(goal) && !is_at(goal)) {
    move.status = MoveStatus::blocked;
    return;
  }
  if (is_own && !proposal.is_straight) slide_.executed(proposal.by * part);
  learn(proposal, part, passes, move);
}

void Manipulator::learn(const Proposal& proposal, double part, bool passes, Move& move) {
  Trust& trust = pursuit_.trust;
  if (proposal.is_straight) {
    trust.refused = part > 0 ? 0 : trust.refused + 1;
    if (trust.refused < most_refused) return;
  }
  trust.adapt(part);
  if (trust.length < least_trust && part == 0) {
    trust = {};
    if (!passes) move.status = MoveStatus::jammed;
  }
}

void Manipulator::undo(std::size_t count) {
  if (count == 0) return;
  met_.clear();
  pursuit_ = {};
  const auto [first, velocity] = first_of_move_[first_of_move_.size() - count];
  velocity_ = velocity;
  first_of_move_.resize(first_of_move_.size() - count);
  if (first == path_.size()) return;
  std::copy_n(path_[first].numbers.begin(), pose_.size(), pose_.begin());
  certifier_.set_time(path_[first].window.lo);
  path_.resize(first);
}

}  // namespace toccata
