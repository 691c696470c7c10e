// One substep of a manipulator: what it proposes, and what of it is executed.
#include <algorithm>

#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/dynamics/certify/separation_rule.hpp"
#include "toccata/dynamics/hand/manipulator.hpp"
#include "toccata/motion/recipe.hpp"

namespace toccata {
namespace {

constexpr double way_in_radii = 0.1;  // the longest substep near others
constexpr double met_in_shells = 4;   // how far beside itself what was met is still near
constexpr std::size_t most_met = 64;

Pose moved_by(const Pose& pose, const Vec3d& center, const Displacement& by) {
  const Mat3d rotation = to_matrix(exp_rotation(by.angular)) * pose.rotation;
  return {rotation, pose * center + by.linear - rotation * center};
}

}  // namespace

void Manipulator::find_near(double distance, double turn) {
  const World& world = certifier_.world();
  const Motion still = here();
  const Box box = swept_box(still, body_.center(), body_.radius(), {0, 1});
  near_.clear();
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i)
    if (near(box, world.box(i), distance))  // those of whole motions
      certifier_.list(still, i, distance, {turn, &ranks_, &world_ranks_[i]}, near_);
}

/// How far bodies on motions get until a time, about.
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

/// Others that would crush the body make smaller steps, or wait.
void Manipulator::slide_beside(Proposal& proposal, const SlideLimits& limits) {
  const Slider slider = this->slider();
  const Displacement wanted = proposal.by;
  for (int tries = 0;; ++tries) {
    carry_others(proposal.until);
    proposal.by = slide_.solve(slider, near_, wanted, limits);
    if (proposal.until == time()) return;
    const double passing = proposal.until - time();
    if (!slide_.is_crushed()) {
      proposal.until = std::min(proposal.until, time() + passing * slide_.share());
      return;
    }
    proposal.until = tries < 3 ? time() + passing / 4 : time();
  }
}

/// Where nothing is near, the whole way; it ends at the shell of what is met. Otherwise as far as
/// rows that are linear in the motion are worth something, and projected on what they allow.
Manipulator::Proposal Manipulator::propose(const Pose& goal, double until, double duration,
                                           Move& move) {
  const Displacement whole = wanted(goal, duration);
  const Trust& trust = pursuit_.trust;
  const SlideLimits limits{shell_, recovery_in_shells * shell_,
                           trust.length * way_in_radii * radius_,
                           trust.length * std::sqrt(shell_ / radius_)};
  const double most = trust.sight * (limits.way + radius_ * limits.angle);
  const double passing = farthest_of_others(until);
  const double within = 1.5 * shell_ + std::min(2 * size(whole) + passing, most);
  Proposal proposal{whole, until, shell_, duration};
  move.wrench = {};
  find_near(within, limits.angle);
  start_.known.assign(others_.size(), infinity);
  start_.rest = within;
  if (near_.empty()) {
    const double part = trust.straight();
    if (part == 1) return proposal;
    proposal.by = has_momentum() ? wanted(goal, part * duration) : whole * part;
    proposal.until = time() + (until - time()) * part, proposal.duration *= part;
    return proposal;
  }
  for (const Proximity& p : near_)
    start_.known[p.body_b] = std::min(start_.known[p.body_b], p.distance);
  add_met(within);
  double share = passing > limits.way ? limits.way / passing : 1;
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

/// Where facets change from one to the next, a step along one of them meets another that was not
/// near: it is near from now on, as a plane, until the body has left it behind.
void Manipulator::add_met(double within) {
  const Pose pose = pose_of(pose_.data());
  std::erase_if(met_, [&](const Met& met) {
    const Pose at = certifier_.other(met.other).motion.pose(0);
    const Vec3d normal = at.rotation * met.normal, point = at * met.point;
    const Vec3d here = pose * met.on_body, apart = here - point;
    const double distance = dot(apart, normal);
    if (norm(apart - normal * distance) > met_in_shells * shell_) return true;
    if (distance > within) return false;
    Proximity& p = near_.emplace_back();
    p.kind = Feature::vertex_face;
    p.body_b = met.other;
    p.point_a = here, p.point_b = point, p.normal = normal, p.distance = distance;
    return false;
  });
}

void Manipulator::remember(const Verdict& verdict, const Step& step) {
  const Contact& met = verdict.first;
  if (met.status != Status::contact || !(norm(met.normal) > 0.5)) return;
  if (met_.size() == most_met) met_.erase(met_.begin());
  const auto local = [](const Pose& pose, const Vec3d& p) {
    return transposed_times(pose.rotation, p - pose.translation);
  };
  const Pose other = certifier_.other_during(verdict.body, step.window).pose(verdict.until);
  met_.push_back({local(step.motion.pose(verdict.until), met.closest.point_a),
                  local(other, met.closest.point_b), transposed_times(other.rotation, met.normal),
                  verdict.body});
}

/// Executes what is proven of a proposal, and returns which part of it that is. A part becomes a
/// motion of its own: all motions of the path are free from end to end.
double Manipulator::execute(const Proposal& proposal, Move& move) {
  const auto motion_to = [&](const Pose& end) {
    numbers_ = numbers_to(end);
    return make_motion(MotionKind::linear, numbers_);
  };
  Motion motion = motion_to(moved_by(pose_of(pose_.data()), center_, proposal.by));
  Interval window{time(), proposal.until};
  const Step step{motion, window};
  Verdict verdict = certifier_.certify(step, start_, proposal.most);
  if (!verdict.is_free) {
    remember(verdict, step);
    const double least = 1e-3 * still_in_radii * radius_;
    if (verdict.until * (size(proposal.by) + farthest_of_others(window.hi)) < least) return 0;
    const Motion beginning = motion_to(motion.pose(verdict.until));
    window.hi = std::min(window.hi, window.lo + verdict.until * (window.hi - window.lo));
    verdict.separation = certifier_.certify_beginning(step, verdict, {beginning, window}, start_);
    if (!(verdict.separation > 0)) return 0;
    motion = beginning;
    ++move.truncated;
  }
  path_.push_back({numbers_, verdict.separation, window});
  write_pose(motion.pose(1), pose_.data());
  certifier_.set_time(window.hi);
  ++move.substeps;
  return verdict.until;
}

}  // namespace toccata
