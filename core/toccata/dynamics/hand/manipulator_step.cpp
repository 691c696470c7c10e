// One substep of a manipulator: proposal, certificate and execution.
#include <algorithm>

#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/dynamics/certify/separation_rule.hpp"
#include "toccata/dynamics/hand/manipulator.hpp"
#include "toccata/motion/recipe.hpp"

namespace toccata {
namespace {

constexpr double substep_in_radii = 0.1;  // longest substep close to others
constexpr double met_in_shells = 4;  // lateral distance at which a remembered contact still counts
constexpr std::size_t most_met = 64;

Pose moved_by(const Pose& pose, const Vec3d& center, const Displacement& by) {
  const Mat3d rotation = to_matrix(exp_rotation(by.angular)) * pose.rotation;
  return {rotation, pose * center + by.linear - rotation * center};
}

}  // namespace

void Manipulator::find_proximities(double distance, double turn) {
  const World& world = certifier_.world();
  const Motion still = here();
  const Box box = swept_box(still, body_.center(), body_.radius(), {0, 1});
  proximities_.clear();
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i)
    if (near(box, world.box(i), distance))  // the box of its whole motion
      certifier_.list_proximities(still, i, distance, {turn, &ranks_, &world_ranks_[i]},
                                  proximities_);
}

/// Estimates the largest displacement of bodies with a motion until a time.
double Manipulator::farthest_of_others(double until) const {
  double most = 0;
  for (Index i = 0; i < static_cast<Index>(others_.size()); ++i) {
    const Mesh& mesh = *others_[i].mesh;
    const Motion motion = certifier_.other_during(i, {time(), until});
    most = std::max(most, farthest_move(motion, mesh.center(), mesh.radius()));
  }
  return most;
}

void Manipulator::carry_others(double until) {
  for (Index i = 0; i < static_cast<Index>(others_.size()); ++i) {
    const bool moves = until > time() && !certifier_.world().is_fixed(i);
    const Pose before = certifier_.other(i).motion.pose(0);
    const Pose after = moves ? certifier_.world().body(i).motion.pose(until) : before;
    others_[i] = {others_[i].mesh, before, after, moves};
  }
}

Slider Manipulator::slider() const {
  const Pose pose = pose_of(pose_.data());
  return {body_, others_, pose, pose * center_, turned(pose.rotation, inertia_)};
}

/// Solves for the displacement among moving bodies. Bodies that would crush the body make smaller
/// steps, or wait.
void Manipulator::slide_beside(Proposal& proposal, const SlideLimits& limits) {
  const Slider slider = this->slider();
  const Displacement wanted = proposal.by;
  for (int tries = 0;; ++tries) {
    carry_others(proposal.until);
    proposal.by = slide_.solve(slider, proximities_, wanted, limits);
    if (proposal.until == time()) return;
    const double passing = proposal.until - time();
    if (!slide_.is_crushed()) {
      proposal.until = std::min(proposal.until, time() + passing * slide_.share());
      return;
    }
    proposal.until = tries < 3 ? time() + passing / 4 : time();
  }
}

/// Proposes a motion. If no body is close, it is the whole displacement to the target, and ends at
/// the shell of the first contact. Otherwise its length is limited to the range of linearized
/// constraints, and it is projected onto them.
Manipulator::Proposal Manipulator::propose(const Pose& goal, double until, double duration,
                                           Move& move) {
  const Displacement whole = wanted(goal, duration);
  const Trust& trust = pursuit_.trust;
  const SlideLimits limits{shell_, recovery_in_shells * shell_,
                           trust.length * substep_in_radii * radius_,
                           trust.length * std::sqrt(shell_ / radius_)};
  const double most = trust.sight * (limits.translation + radius_ * limits.angle);
  const double passing = farthest_of_others(until);
  const double within = 1.5 * shell_ + std::min(2 * size(whole) + passing, most);
  Proposal proposal{whole, until, shell_, duration};
  move.wrench = {};
  find_proximities(within, limits.angle);
  start_.known.assign(others_.size(), infinity);
  start_.rest = within;
  if (proximities_.empty()) {
    const double part = trust.straight();
    if (part == 1) return proposal;
    proposal.by = has_momentum() ? wanted(goal, part * duration) : whole * part;
    proposal.until = time() + (until - time()) * part, proposal.duration *= part;
    return proposal;
  }
  for (const Proximity& p : proximities_)
    start_.known[p.body_b] = std::min(start_.known[p.body_b], p.distance);
  add_met(within);
  double share = passing > limits.translation ? limits.translation / passing : 1;
  if (has_momentum()) {
    share = std::min(share, limits.part_of(whole));
    proposal.by = wanted(goal, share * duration);
  }
  proposal.until = share < 1 ? time() + (until - time()) * share : until;
  slide_beside(proposal, limits);
  proposal.duration *= share * slide_.share();
  proposal.most = hard_in_shells * shell_;
  proposal.is_straight = false;
  proposal.is_blocked = size(proposal.by) < still_in_radii * radius_ && proposal.until == time();
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

/// Adds remembered contacts as planes. Where facets meet at an angle, a step along one facet runs
/// into the next one, which was not listed at the start. Such a contact stays listed until the body
/// has left it behind.
void Manipulator::add_met(double within) {
  const Pose pose = pose_of(pose_.data());
  std::erase_if(met_, [&](const Met& met) {
    const Pose at = certifier_.other(met.other).motion.pose(0);
    const Vec3d normal = at.rotation * met.normal, point = at * met.point;
    const Vec3d here = pose * met.on_body, apart = here - point;
    const double distance = dot(apart, normal);
    if (norm(apart - normal * distance) > met_in_shells * shell_) return true;
    if (distance > within) return false;
    Proximity& p = proximities_.emplace_back();
    p.kind = Feature::vertex_face;
    p.body_b = met.other;
    p.point_a = here, p.point_b = point, p.normal = normal, p.distance = distance;
    return false;
  });
}

void Manipulator::remember(const Certificate& certificate, const WorldMotion& moving) {
  const Contact& met = certificate.first;
  if (met.status != Status::contact || !(norm(met.normal) > 0.5)) return;
  if (met_.size() == most_met) met_.erase(met_.begin());
  const auto local = [](const Pose& pose, const Vec3d& p) {
    return transposed_times(pose.rotation, p - pose.translation);
  };
  const Pose other =
      certifier_.other_during(certificate.body, moving.window).pose(certificate.until);
  met_.push_back({local(moving.motion.pose(certificate.until), met.closest.point_a),
                  local(other, met.closest.point_b), transposed_times(other.rotation, met.normal),
                  certificate.body});
}

/// Executes the proven portion of a proposal, and returns it. The portion becomes a motion of its
/// own, so all motions of the path are free from start to end.
double Manipulator::execute(const Proposal& proposal, Move& move) {
  const auto motion_to = [&](const Pose& end) {
    numbers_ = numbers_to(end);
    return make_motion(MotionKind::linear, numbers_);
  };
  Motion motion = motion_to(moved_by(pose_of(pose_.data()), center_, proposal.by));
  Interval window{time(), proposal.until};
  const WorldMotion moving{motion, window};
  Certificate certificate = certifier_.certify(moving, start_, proposal.most);
  if (!certificate.is_free) {
    remember(certificate, moving);
    const double least = 1e-3 * still_in_radii * radius_;
    if (certificate.until * (size(proposal.by) + farthest_of_others(window.hi)) < least) return 0;
    const Motion beginning = motion_to(motion.pose(certificate.until));
    window.hi = std::min(window.hi, window.lo + certificate.until * (window.hi - window.lo));
    certificate.separation =
        certifier_.certify_beginning(moving, certificate, {beginning, window}, start_);
    if (!(certificate.separation > 0)) return 0;
    motion = beginning;
    ++move.truncated;
  }
  path_.push_back({numbers_, certificate.separation, window});
  write_pose(motion.pose(1), pose_.data());
  certifier_.set_time(window.hi);
  ++move.substeps;
  return certificate.until;
}

}  // namespace toccata
