#include "toccata/dynamics/manipulator.hpp"

#include <algorithm>
#include <cstdio>

#include "toccata/base/expects.hpp"
#include "toccata/dynamics/mass.hpp"
#include "toccata/dynamics/symmetric.hpp"
#include "toccata/motion/recipe.hpp"
#include "toccata/query/check_triangles.hpp"
#include "toccata/query/rigid/distance.hpp"
#include "toccata/query/rigid/proximities.hpp"

namespace toccata {
namespace {

constexpr double shell_in_radii = 1e-3;
constexpr double hard_in_shells = 0.25;  // separation that motions near others are certified with
constexpr double recovery_in_shells = 0.2;  // how far a body is pushed out to the shell at once
constexpr double way_in_radii = 0.1;        // the longest substep near others
constexpr double still_in_radii = 1e-6;     // motions smaller than this are none
constexpr double least_share = 0.4;         // see `Certifier::certify`
constexpr double met_in_shells = 4;         // how far beside itself what was met is still near
constexpr int enough_substeps = 8;          // to tell whether a body gets nearer to its target
constexpr std::size_t most_met = 64;
constexpr double least_trust = 0x1p-8;

double radius_about(const Mesh& mesh, const Vec3d& center) {
  double most = 0;
  for (const Face& face : mesh.faces())
    for (const Index v : face) most = std::max(most, norm(mesh.vertices()[v] - center));
  return most;
}

Pose moved_by(const Pose& pose, const Vec3d& center, const Displacement& by) {
  const Mat3d rotation = to_matrix(exp_rotation(by.angular)) * pose.rotation;
  return {rotation, pose * center + by.linear - rotation * center};
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

Manipulator::Manipulator(const Mesh& body, const World& world, const Matrix4& pose, double shell)
    : body_(body), certifier_(body, world), pose_(pose), shell_(shell), ranks_(checked(body)) {
  check_pose(pose.data(), "pose");
  const MassProperties mass = mass_properties(body, 1);
  center_ = mass.center;
  radius_ = radius_about(body, center_);
  // Rods would turn about themselves for nothing.
  inertia_ = mass.inertia * (1 / mass.mass) + identity3 * (1e-3 * radius_ * radius_);
  double least = 0;
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i) {
    check_triangles(world.body(i).mesh, "scene");
    world_ranks_.emplace_back(world.body(i).mesh);
    expects(world.is_fixed(i), "scene", "expected bodies that stay, got one on a motion");
    least = std::max(least, 10 / hard_in_shells * certifier_.low(here(), i));
  }
  if (shell_ == 0) shell_ = std::max(shell_in_radii * radius_, least);
  if (!(shell_ >= least)) reject_shell(least, shell_);
}

/// What was met too early was out of sight, or rows were not worth so much.
void Manipulator::Trust::adapt(double part) {
  if (part >= 0.5) {
    sight = std::max(least_sight, sight / 2);
    length = std::min(1.0, 2 * length);
  } else if (sight < 1) {
    sight = std::min(1.0, 4 * sight);
  } else {
    length /= 4;
  }
}

Manipulator::Obstacle Manipulator::obstacle() const {
  const World& world = certifier_.world();
  const Motion still = here();
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i) {
    const double low = certifier_.low(still, i);
    const double distance = toccata::distance({body_, still}, world.body(i)).lower;
    if (!(distance > low)) return {i, distance, low};
  }
  return {};
}

std::vector<Proximity> Manipulator::near(double distance, double turn) const {
  const World& world = certifier_.world();
  const Motion still = here();
  const Box box = swept_box(still, body_.center(), body_.radius(), {0, 1});
  std::vector<Proximity> found;
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i) {
    if (!toccata::near(box, world.box(i), distance)) continue;
    const NearScope scope{turn, &ranks_, &world_ranks_[i]};
    for (Proximity& p : proximities({body_, still}, world.body(i), distance, scope)) {
      p.body_b = i;
      found.push_back(p);
    }
  }
  return found;
}

Displacement Manipulator::to_target(const Pose& target) const {
  const Pose now = pose_of(pose_.data());
  return {target * center_ - now * center_, rotation_between(now.rotation, target.rotation)};
}

/// No point of the body moves farther.
double Manipulator::size(const Displacement& d) const {
  return norm(d.linear) + radius_ * norm(d.angular);
}

/// Of a spring that pulls the body along a displacement, twice.
double Manipulator::energy(const Displacement& d) const {
  const Mat3d inertia = turned(pose_of(pose_.data()).rotation, inertia_);
  return norm2(d.linear) + dot(d.angular, inertia * d.angular);
}

/// Where nothing is near, the whole way; it ends at the shell of what is met. Otherwise as far as
/// rows that are linear in the motion are worth something, and projected on what they allow.
Manipulator::Proposal Manipulator::propose(const Displacement& wanted, const Trust& trust,
                                           Move& move) {
  const SlideLimits limits{shell_, recovery_in_shells * shell_,
                           trust.length * way_in_radii * radius_,
                           trust.length * std::sqrt(shell_ / radius_)};
  const double most = trust.sight * (limits.way + radius_ * limits.angle);
  const double within = 1.5 * shell_ + std::min(2 * size(wanted), most);
  Proposal proposal{wanted, {std::vector(certifier_.world().size(), infinity), within}, shell_};
  move.wrench = {};
  std::vector<Proximity> found = near(within, limits.angle);
  if (found.empty()) return proposal;
  for (const Proximity& p : found) {
    double& known = proposal.start.known[p.body_b];
    known = std::min(known, p.distance);
  }
  add_met(found, within);
  const Pose pose = pose_of(pose_.data());
  const Slider slider{body_, certifier_.world(), pose, pose * center_,
                      turned(pose.rotation, inertia_)};
  proposal.by = slide_.solve(slider, found, wanted, limits);
  proposal.most = hard_in_shells * shell_;
  proposal.is_straight = false;
  proposal.is_blocked = size(proposal.by) < still_in_radii * radius_;
  move.wrench = slide_.wrench();
  return proposal;
}

std::array<double, 35> Manipulator::numbers_to(const Pose& end) const {
  std::array<double, 35> numbers;
  std::copy(pose_.begin(), pose_.end(), numbers.begin());
  write_pose(end, &numbers[16]);
  numbers[32] = center_.x, numbers[33] = center_.y, numbers[34] = center_.z;
  return numbers;
}

/// Where facets change from one to the next, a step along one of them meets another that was not
/// near: it is near from now on, as a plane, until the body has left it behind.
void Manipulator::add_met(std::vector<Proximity>& near, double within) {
  const Pose pose = pose_of(pose_.data());
  std::erase_if(met_, [&](const Met& met) {
    const Vec3d here = pose * met.on_body, apart = here - met.point;
    const double distance = dot(apart, met.normal);
    if (norm(apart - met.normal * distance) > met_in_shells * shell_) return true;
    if (distance > within) return false;
    Proximity& p = near.emplace_back();
    p.kind = NearKind::vertex_face;
    p.point_a = here, p.point_b = met.point, p.normal = met.normal, p.distance = distance;
    return false;
  });
}

void Manipulator::remember(const Contact& met, const Pose& pose) {
  if (met.status != Status::contact || !(norm(met.normal) > 0.5)) return;
  if (met_.size() == most_met) met_.erase(met_.begin());
  const Vec3d on_body = transposed_times(pose.rotation, met.closest.point_a - pose.translation);
  met_.push_back({on_body, met.closest.point_b, met.normal});
}

/// Executes what is proven of a proposal, and returns which part of it that is. A part becomes a
/// motion of its own, and is certified again with smaller separations, since it differs by
/// rounding: all motions of the path are free from end to end.
double Manipulator::execute(const Proposal& proposal, Move& move) {
  Pose end = moved_by(pose_of(pose_.data()), center_, proposal.by);
  double part = 1;
  for (double share = 1; share > least_share; share /= 2) {
    const std::array<double, 35> numbers = numbers_to(end);
    const Motion motion = make_motion(MotionKind::linear, numbers);
    const Verdict verdict = certifier_.certify(motion, proposal.start, proposal.most, share);
    if (verdict.is_free) {
      path_.push_back({numbers, verdict.separation});
      write_pose(motion.pose(1), pose_.data());
      ++move.substeps;
      move.truncated += part < 1;
      return part;
    }
    remember(verdict.first, motion.pose(verdict.until));
    part *= verdict.until;
    if (part * size(proposal.by) < 1e-3 * still_in_radii * radius_) return 0;
    end = motion.pose(verdict.until);
  }
  return 0;
}

Move Manipulator::move(const Matrix4& target, int max_substeps,
                       std::span<const Displacement> given) {
  const Pose goal = read_pose(target.data(), "target");
  first_of_move_.push_back(path_.size());
  Move move;
  Trust trust;
  const double before = energy(to_target(goal));
  slide_.restart();
  for (int k = 0; k < max_substeps; ++k) {
    const Displacement wanted = to_target(goal);
    if (size(wanted) < still_in_radii * radius_) break;
    Proposal proposal = propose(wanted, trust, move);
    if (!given.empty()) {
      proposal.by = given[static_cast<std::size_t>(k) % given.size()];
    } else if (proposal.is_blocked) {
      move.status = MoveStatus::blocked;
      return move;
    }
    const double part = execute(proposal, move);
    if (proposal.is_straight && part > 0) continue;
    if (given.empty() && !proposal.is_straight) slide_.executed(proposal.by * part);
    trust.adapt(part);
    if (trust.length < least_trust && part == 0) {
      move.status = MoveStatus::jammed;
      return move;
    }
  }
  const Displacement left = to_target(goal);
  if (size(left) < still_in_radii * radius_) {
    move.status = MoveStatus::reached;
  } else if (given.empty() && move.substeps >= enough_substeps && energy(left) >= before) {
    move.status = MoveStatus::blocked;  // it goes to and fro about an equilibrium
  }
  return move;
}

void Manipulator::undo(std::size_t count) {
  if (count == 0) return;
  met_.clear();
  const std::size_t first = first_of_move_[first_of_move_.size() - count];
  first_of_move_.resize(first_of_move_.size() - count);
  if (first == path_.size()) return;
  std::copy_n(path_[first].numbers.begin(), pose_.size(), pose_.begin());
  path_.resize(first);
}

}  // namespace toccata
