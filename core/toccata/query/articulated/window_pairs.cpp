#include "toccata/query/articulated/window_pairs.hpp"

#include <algorithm>
#include <bit>

namespace toccata {
namespace {

/// A window is too long for a link when the second order of its motion exceeds this share of the
/// link's radius.
constexpr double bending_share = 1;
/// No link asks for shorter windows than this, be it a point.
constexpr double finest_level = 1.0 / 64;

double bend_of(const MotionState& state, const Mesh& mesh) {
  return state.acceleration + state.turning * mesh.radius();
}

double turning(const MotionState& state) {
  return state.turning + state.spin_speed * state.spin_speed;
}

}  // namespace

void WindowPairs::start(const RobotQuery& query, std::span<const Candidate> candidates,
                        std::span<const PendingCandidate> pending) {
  query_ = &query;
  candidates_ = candidates;
  opened_.clear();
  tolerance_ = 0;
  pairs_.clear();
  for (const PendingCandidate& pending : pending)
    pairs_.push_back({pending, longest_window(candidates[pending.candidate])});
}

void WindowPairs::enter(Interval window) {
  window_ = window;
  view_.window_pair = -1;
}

/// By the motions of the links in the frame that the pair is seen from.
double WindowPairs::longest_window(const Candidate& candidate) const {
  const Robot& robot = query_->robot;
  const auto of_link = [&](const Link& link, Index frame) {
    const Mesh& mesh = *link.mesh;
    const double bend = bend_of(query_->poses.link(mesh, frame, 0.5, 0.5), mesh);
    // The second order is bend (length / 2)^2 / 2.
    return std::max(finest_level, std::sqrt(8 * bending_share * mesh.radius() / (bend + 1e-300)));
  };
  const Link& link = robot.links()[candidate.link];
  if (candidate.pair < 0) return of_link(link, robot.world_frame(link.joint));
  const LinkPair& links = robot.pairs()[candidate.pair];
  return std::min(of_link(link, links.frame_a), of_link(robot.links()[links.b], links.frame_b));
}

bool WindowPairs::is_fine(Index window_pair) const {
  return window_.hi - window_.lo <= pairs_[window_pair].longest;
}

bool WindowPairs::clip(Index window_pair, Interval& span) const {
  span = {std::max(span.lo, window_.lo), std::min(span.hi, window_.hi)};
  if (span.lo > span.hi) return false;
  const unsigned windows = pairs_[window_pair].pending.windows;
  if (windows == all_windows) return true;
  // Exact, since there are a power of two of them. A window's ends belong to it.
  constexpr double count = World::windows;
  const int begin = std::max(0, static_cast<int>(std::ceil(span.lo * count)) - 1);
  const int end = std::min(World::windows - 1, static_cast<int>(span.hi * count));
  const unsigned within = windows & ((2u << end) - (1u << begin));
  if (within == 0) return false;
  span.lo = std::max(span.lo, std::countr_zero(within) / count);
  span.hi = std::min(span.hi, std::bit_width(within) / count);
  return true;
}

RobotPair& WindowPairs::bodies(Index index) {
  WindowPair& window_pair = pairs_[index];
  if (window_pair.bodies >= 0) return opened_[window_pair.bodies];
  window_pair.bodies = opened_.size();
  RobotPair& bodies = opened_.add(*query_, candidates_[window_pair.pending.candidate]);
  const PairState& now = bodies.at({window_.lo, window_.hi}, query_->poses);
  window_pair.a_is_x = turning(now.a.motion) <= turning(now.b.motion);
  tolerance_ = std::max(tolerance_, bodies.pair().stated_tolerance());
  return bodies;
}

const PairState& WindowPairs::state(Index index) {
  return bodies(index).at({window_.lo, window_.hi}, query_->poses);
}

RelativeTaylor<double> WindowPairs::motion(Index index) {
  const PairState& now = state(index);
  return taylor(pairs_[index], now, now);
}

RelativeTaylor<double> WindowPairs::taylor(const WindowPair& window_pair, const PairState& now,
                                           const PairState& bounds) const {
  const MovingPair& pair = opened_[window_pair.bodies].pair();
  const BodyWindow a{now.a.motion, bounds.a.motion, pair.mesh_a().center()};
  const BodyWindow b{now.b.motion, bounds.b.motion, pair.mesh_b().center()};
  return window_pair.a_is_x ? relative_taylor(a, b) : relative_taylor(b, a);
}

const CoupleView& WindowPairs::view(Index index) {
  if (view_.window_pair == index) return view_;
  RobotPair& bodies = this->bodies(index);
  const WindowPair& window_pair = pairs_[index];
  const double mid = middle(window_), half = std::max(window_.hi - mid, mid - window_.lo);
  const PairState& now = bodies.at({mid, mid + half}, query_->poses);
  RelativeTaylor<double> motion;
  const Candidate& candidate = bodies.candidate();
  if (candidate.pair < 0 && !query_->world.is_fixed(candidate.other)) {
    // Bounds of links hold on both sides of the middle; those of other motions only after it.
    PairState whole = now;
    whole.b.motion = bodies.body_b().motion.state(window_.lo, window_.hi);
    motion = taylor(window_pair, now, whole);
  } else {
    motion = taylor(window_pair, now, now);
  }
  const MovingPair& pair = bodies.pair();
  const double radius_a = pair.mesh_a().radius(), radius_b = pair.mesh_b().radius();
  view_ = {index, to_float(motion),
           box_window(motion, half, pair.separation(), pair.error(),
                      window_pair.a_is_x ? radius_a : radius_b,
                      window_pair.a_is_x ? radius_b : radius_a)};
  return view_;
}

}  // namespace toccata
