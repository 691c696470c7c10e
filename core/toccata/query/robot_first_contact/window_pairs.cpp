// Relative motions of candidate pairs in a window, computed on demand.
#include "toccata/query/robot_first_contact/window_pairs.hpp"

#include <algorithm>
#include <bit>

namespace toccata {
namespace {

/// A window is too long for a link when the second order of its motion exceeds this share of the
/// link's radius.
constexpr double bending_share = 1;
/// Length of the shortest window that a link may need; otherwise a point would need ever shorter
/// windows.
constexpr double finest_level = 1.0 / 64;

double bend_of(const MotionState& state, const Mesh& mesh) {
  return state.acceleration + state.turning * mesh.radius();
}

double turning(const MotionState& state) {
  return state.turning + state.spin_speed * state.spin_speed;
}

}  // namespace

void WindowPairs::start(RobotInWorld& setting, std::span<const Candidate> candidates) {
  setting_ = &setting;
  candidates_ = candidates;
  opened_.start(setting, candidates);
  pairs_.clear();
  for (const Candidate& candidate : candidates)
    pairs_.push_back({candidate.windows ? longest_window(candidate) : 0});
}

void WindowPairs::enter(Interval window) {
  window_ = window;
  view_.candidate = -1;
}

/// Returns the length of the longest window for a pair, from the motions of its bodies in the frame
/// of the pair.
double WindowPairs::longest_window(const Candidate& candidate) const {
  const Robot& robot = setting_->robot;
  const auto of_link = [&](const Link& link, Index frame) {
    const Mesh& mesh = *link.mesh;
    const double bend = bend_of(setting_->poses.link(mesh, frame, 0.5, 0.5), mesh);
    // The second order is bend (length / 2)^2 / 2.
    return std::max(finest_level, std::sqrt(8 * bending_share * mesh.radius() / (bend + 1e-300)));
  };
  const Link& link = robot.links()[candidate.a];
  if (candidate.links < 0) return of_link(link, setting_->poses.world_frame(link.joint));
  const LinkPair& links = robot.pairs()[candidate.links];
  const PairFrames frames = setting_->poses.frames(links);
  return std::min(of_link(link, frames.a), of_link(robot.links()[links.b], frames.b));
}

bool WindowPairs::is_fine(Index candidate) const {
  return window_.hi - window_.lo <= pairs_[candidate].longest;
}

bool WindowPairs::clip(Index candidate, Interval& range) const {
  range = {std::max(range.lo, window_.lo), std::min(range.hi, window_.hi)};
  if (range.lo > range.hi) return false;
  const unsigned windows = candidates_[candidate].windows;
  if (windows == all_windows) return true;
  // Products and quotients are exact, because the count is a power of two. Windows contain their
  // ends.
  constexpr double count = BodySet::windows;
  const int begin = std::max(0, static_cast<int>(std::ceil(range.lo * count)) - 1);
  const int end = std::min(BodySet::windows - 1, static_cast<int>(range.hi * count));
  const unsigned within = windows & ((2u << end) - (1u << begin));
  if (within == 0) return false;
  range.lo = std::max(range.lo, std::countr_zero(within) / count);
  range.hi = std::min(range.hi, std::bit_width(within) / count);
  return true;
}

RobotPair& WindowPairs::bodies(Index candidate) {
  const Index before = opened_.size();
  RobotPair& bodies = opened_[opened_.open(candidate)];
  if (opened_.size() == before) return bodies;
  const PairState& now = bodies.at({window_.lo, window_.hi});
  pairs_[candidate].a_is_x = turning(now.a.motion) <= turning(now.b.motion);
  return bodies;
}

const PairState& WindowPairs::state(Index candidate) {
  return bodies(candidate).at({window_.lo, window_.hi});
}

RelativeTaylor<double> WindowPairs::motion(Index candidate) {
  const PairState& now = state(candidate);
  return taylor(candidate, now, now);
}

RelativeTaylor<double> WindowPairs::taylor(Index candidate, const PairState& now,
                                           const PairState& bounds) {
  const MovingPair& pair = bodies(candidate).pair();
  const BodyWindow a{now.a.motion, bounds.a.motion, pair.mesh_a().center()};
  const BodyWindow b{now.b.motion, bounds.b.motion, pair.mesh_b().center()};
  return a_is_x(candidate) ? relative_taylor(a, b) : relative_taylor(b, a);
}

const WindowView& WindowPairs::view(Index candidate) {
  if (view_.candidate == candidate) return view_;
  RobotPair& bodies = this->bodies(candidate);
  const double mid = middle(window_), half = std::max(window_.hi - mid, mid - window_.lo);
  const PairState& now = bodies.at({mid, mid + half});
  RelativeTaylor<double> motion;
  const Candidate& pair_of_bodies = candidates_[candidate];
  if (pair_of_bodies.links < 0 && !setting_->world.is_fixed(pair_of_bodies.b)) {
    // Bounds of links hold on both sides of the middle. Bounds of other motions hold only after it.
    PairState whole = now;
    whole.b.motion = bodies.body_b().motion.state(window_.lo, window_.hi);
    motion = taylor(candidate, now, whole);
  } else {
    motion = taylor(candidate, now, now);
  }
  const MovingPair& pair = bodies.pair();
  const double radius_a = pair.mesh_a().radius(), radius_b = pair.mesh_b().radius();
  const bool a_is_x = this->a_is_x(candidate);
  view_ = {candidate, to_float(motion),
           box_window(motion, half, pair.separation(), pair.error(), a_is_x ? radius_a : radius_b,
                      a_is_x ? radius_b : radius_a)};
  return view_;
}

}  // namespace toccata
