#include "toccata/dynamics/manipulator.hpp"

#include <algorithm>
#include <cstdio>

#include "toccata/base/expects.hpp"
#include "toccata/dynamics/mass.hpp"
#include "toccata/dynamics/symmetric.hpp"
#include "toccata/motion/recipe.hpp"
#include "toccata/query/check_triangles.hpp"
#include "toccata/query/rigid/distance.hpp"

namespace toccata {
namespace {

constexpr double shell_in_radii = 1e-3;
constexpr double hard_in_shells = 0.25;  // separation that motions near others are certified with
constexpr double recovery_in_shells = 0.2;  // how far a body is pushed out to the shell at once
constexpr double way_in_radii = 0.1;        // the longest substep near others
constexpr double still_in_radii = 1e-6;     // motions smaller than this are none
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
  } else if (sight < most_sight) {
    sight = std::min(most_sight, 4 * sight);
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

void Manipulator::find_near(double distance, double turn) {
  const World& world = certifier_.world();
  const Motion still = here();
  const Box box = swept_box(still, body_.center(), body_.radius(), {0, 1});
  near_.clear();
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i)
    if (near(box, world.box(i), distance))
      certifier_.list(still, i, distance, {turn, &ranks_, &world_ranks_[i]}, near_);
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
Manipulator::Proposal Manipulator::propose(const Displacement& wanted, Move& move) {
  const Trust& trust = pursuit_.trust;
  const SlideLimits limits{shell_, recovery_in_shells * shell_,
                           trust.length * way_in_radii * radius_,
                           trust.length * std::sqrt(shell_ / radius_)};
  const double most = trust.sight * (limits.way + radius_ * limits.angle);
  const double within = 1.5 * shell_ + std::min(2 * size(wanted), most);
  Proposal proposal{wanted, shell_};
  move.wrench = {};
  find_near(within, limits.angle);
  start_.known.assign(certifier_.world().size(), infinity);
  start_.rest = within;
  if (near_.empty()) return proposal;
  for (const Proximity& p : near_)
    start_.known[p.body_b] = std::min(start_.known[p.body_b], p.distance);
  add_met(within);
  const Pose pose = pose_of(pose_.data());
  const Slider slider{body_, certifier_.world(), pose, pose * center_,
                      turned(pose.rotation, inertia_)};
  proposal.by = slide_.solve(slider, near_, wanted, limits);
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
void Manipulator::add_met(double within) {
  const Pose pose = pose_of(pose_.data());
  std::erase_if(met_, [&](const Met& met) {
    const Vec3d here = pose * met.on_body, apart = here - met.point;
    const double distance = dot(apart, met.normal);
    if (norm(apart - met.normal * distance) > met_in_shells * shell_) return true;
    if (distance > within) return false;
    Proximity& p = near_.emplace_back();
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
/// motion of its own: all motions of the path are free from end to end.
double Manipulator::execute(const Proposal& proposal, Move& move) {
  const auto motion_to = [&](const Pose& end) {
    numbers_ = numbers_to(end);
    return make_motion(MotionKind::linear, numbers_);
  };
  Motion motion = motion_to(moved_by(pose_of(pose_.data()), center_, proposal.by));
  Verdict verdict = certifier_.certify(motion, start_, proposal.most);
  if (!verdict.is_free) {
    remember(verdict.first, motion.pose(verdict.until));
    if (verdict.until * size(proposal.by) < 1e-3 * still_in_radii * radius_) return 0;
    const Motion beginning = motion_to(motion.pose(verdict.until));
    verdict.separation = certifier_.certify_beginning(motion, verdict, beginning, start_);
    if (!(verdict.separation > 0)) return 0;
    motion = beginning;
    ++move.truncated;
  }
  path_.push_back({numbers_, verdict.separation});
  write_pose(motion.pose(1), pose_.data());
  ++move.substeps;
  return verdict.until;
}

/// The same target goes on as if there were no moves in between.
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

/// After a substep. False if some of them did not bring the body any nearer: it goes to and fro
/// about an equilibrium.
bool Manipulator::gets_nearer(const Pose& goal) {
  if (++pursuit_.substeps < enough_substeps) return true;
  const double before = pursuit_.energy;
  pursuit_.energy = energy(to_target(goal)), pursuit_.substeps = 0;
  return pursuit_.energy < before;
}

Move Manipulator::move(const Matrix4& target, int max_substeps,
                       std::span<const Displacement> given) {
  const Pose goal = read_pose(target.data(), "target");
  first_of_move_.push_back(path_.size());
  pursue(target, goal);
  Move move;
  for (int k = 0; k < max_substeps && !is_at(goal); ++k) {
    Proposal proposal = propose(to_target(goal), move);
    if (!given.empty()) {
      proposal.by = given[static_cast<std::size_t>(k) % given.size()];
    } else if (proposal.is_blocked) {
      move.status = MoveStatus::blocked;
      return move;
    }
    const double part = execute(proposal, move);
    if (given.empty() && part > 0 && !gets_nearer(goal) && !is_at(goal)) {
      move.status = MoveStatus::blocked;
      return move;
    }
    if (proposal.is_straight && part > 0) continue;
    if (given.empty() && !proposal.is_straight) slide_.executed(proposal.by * part);
    Trust& trust = pursuit_.trust;
    trust.adapt(part);
    if (trust.length < least_trust && part == 0) {
      trust = {};
      move.status = MoveStatus::jammed;
      return move;
    }
  }
  if (is_at(goal)) move.status = MoveStatus::reached;
  return move;
}

void Manipulator::undo(std::size_t count) {
  if (count == 0) return;
  met_.clear();
  pursuit_ = {};
  const std::size_t first = first_of_move_[first_of_move_.size() - count];
  first_of_move_.resize(first_of_move_.size() - count);
  if (first == path_.size()) return;
  std::copy_n(path_[first].numbers.begin(), pose_.size(), pose_.begin());
  path_.resize(first);
}

}  // namespace toccata
