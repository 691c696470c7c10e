// Moves towards a target: proposals, their certificates, and the choice of their length.
#include "toccata/dynamics/hand/manipulator.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "toccata/base/expects.hpp"
#include "toccata/dynamics/body/mass.hpp"
#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/motion/recipe.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/distances.hpp"

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

constexpr double substep_in_radii = 0.1;  // longest substep close to others
constexpr double met_in_shells = 4;  // lateral distance at which a remembered contact still counts
constexpr std::size_t most_met = 64;

Pose moved_by(const Pose& pose, const Vec3d& center, const Displacement& by) {
  const Mat3d rotation = to_matrix(exp_rotation(by.angular)) * pose.rotation;
  return {rotation, pose * center + by.linear - rotation * center};
}

constexpr double least_motion = 1e-3;  // times the smallest motion: shorter ones are skipped

constexpr Displacement operator+(const Displacement& a, const Displacement& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}

/// Motion of a critically damped oscillator with rate w during t. With displacement y from rest,
/// y(t) = (y + (v + w y) t) exp(-w t). Here y is minus the displacement to the target.
struct Pulled {
  Displacement displacement, velocity;

  Pulled(const Displacement& to_target, const Displacement& v, double w, double t) {
    const double left = std::exp(-w * t);
    const Displacement slope = v + to_target * -w;
    displacement = to_target * -std::expm1(-w * t) + slope * (t * left);
    velocity = (v + slope * (-w * t)) * left;
  }
};

/// Returns the ratio of velocity to displacement that a constant force gives the oscillator,
/// starting from rest. For force f per mass, the displacement is f (1 - (1 + w t) exp(-w t)) / w^2,
/// and the velocity is f t exp(-w t).
double speed_per_displacement(double w, double t) {
  const double x = w * t;
  if (x < 1e-3) return 2 / t * (1 - x / 3);  // relative error x^2 / 18
  return w * w * t / (std::expm1(x) - x);
}

}  // namespace

Manipulator::Manipulator(const Mesh& body, const BodySet& world, const Matrix4& pose, double shell,
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
  const BodySet& world = certifier_.world();
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

void Manipulator::find_proximities(double distance, double turn) {
  const BodySet& world = certifier_.world();
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

Displacement Manipulator::wanted(const Pose& goal, double duration) const {
  const Displacement whole = to_target(goal);
  return has_momentum() ? Pulled(whole, velocity_, momentum_.rate, duration).displacement : whole;
}

/// At this velocity, the smallest motion takes one time constant of the spring.
bool Manipulator::is_at_rest() const {
  return size(velocity_) < still_in_radii * radius_ * momentum_.rate;
}

/// Updates the velocity after a motion from `before` that took `duration`. The spring has pulled.
/// The contacts acted like the constant force that explains the displacement, and they stop motion
/// towards them. If the energy of body and spring has risen and no other body pushed, the velocity
/// is reduced.
void Manipulator::update_velocity(const Pose& goal, const Pose& before, double duration) {
  const Pose now = pose_of(pose_.data());
  const auto between = [&](const Pose& from, const Pose& to) {
    return Displacement{to * center_ - from * center_,
                        rotation_between(from.rotation, to.rotation)};
  };
  const double w = momentum_.rate, most = energy(velocity_) + w * w * energy(between(before, goal));
  const Pulled free(between(before, goal), velocity_, w, duration);
  const Displacement held = between(before, now) + free.displacement * -1;
  velocity_ = free.velocity + held * speed_per_displacement(w, duration);
  find_proximities(touching_in_shells * shell_, shell_ / radius_);
  add_met(touching_in_shells * shell_);
  if (!proximities_.empty()) velocity_ = slide_.stop(slider(), proximities_, velocity_, duration);
  const bool pushed =
      std::any_of(others_.begin(), others_.end(), [](const Carried& c) { return c.moves; });
  const double moving = energy(velocity_), left = most - w * w * energy(between(now, goal));
  if (!pushed && moving > left) velocity_ = velocity_ * std::sqrt(std::max(0.0, left / moving));
}

void Manipulator::advance(const Aim& aim, const Pose& goal, int max_substeps,
                          std::span<const Displacement> given, Move& move) {
  const Pose start = pose_of(pose_.data());
  double left = aim.duration;
  for (int k = 0; k < max_substeps && left > 0 && move.status == MoveStatus::moving; ++k) {
    slide_.restart();
    Proposal proposal = propose(goal, move.waited ? time() : aim.time, left, move);
    if (!given.empty()) proposal.by = given[static_cast<std::size_t>(k) % given.size()];
    const Pose before = pose_of(pose_.data());
    const bool passes = proposal.until > time();
    const bool rests = !passes && size(proposal.by) < least_motion * still_in_radii * radius_;
    const double part = rests ? 1 : execute(proposal, move);
    move.waited = move.waited || (passes && part == 0);
    if (part == 0) velocity_ = {};
    const double used = rests ? left : part * proposal.duration;
    if (used > 0) update_velocity(goal, before, used);
    left -= used;
    learn(proposal, part, passes, move);
  }
  find_proximities(touching_in_shells * shell_, shell_ / radius_);
  carry_others(time());
  const double w = momentum_.rate;
  const Displacement pull = to_target(goal) * (w * w) + velocity_ * (-2 * w);
  slide_.hold(slider(), proximities_, velocity_, pull, still_in_radii * radius_ * w);
  move.wrench = slide_.wrench() * momentum_.mass;
  if (move.status != MoveStatus::moving || !is_at_rest()) return;
  if (!(time() < aim.time) && is_at(goal)) move.status = MoveStatus::reached;
  else if (!proximities_.empty() && is_at(start)) move.status = MoveStatus::blocked;
}

}  // namespace toccata
