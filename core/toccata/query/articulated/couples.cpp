#include "toccata/query/articulated/couples.hpp"

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

void Couples::start(const Journey& journey, std::span<const Candidate> candidates,
                    std::span<const Prospect> prospects) {
  journey_ = &journey;
  candidates_ = candidates;
  awake_ = 0;
  tolerance_ = 0;
  couples_.clear();
  for (const Prospect& prospect : prospects)
    couples_.push_back({prospect, longest_window(candidates[prospect.candidate])});
}

void Couples::enter(Interval window) {
  window_ = window;
  view_.couple = -1;
}

/// By the motions of the links in the frame that the pair is seen from.
double Couples::longest_window(const Candidate& candidate) const {
  const Robot& robot = journey_->robot;
  const auto of_link = [&](const Link& link, Index frame) {
    const Mesh& mesh = *link.mesh;
    const double bend = bend_of(journey_->places.link(mesh, frame, 0.5, 0.5), mesh);
    // The second order is bend (length / 2)^2 / 2.
    return std::max(finest_level, std::sqrt(8 * bending_share * mesh.radius() / (bend + 1e-300)));
  };
  const Link& link = robot.links()[candidate.link];
  if (candidate.pair < 0) return of_link(link, robot.world_frame(link.joint));
  const LinkPair& links = robot.pairs()[candidate.pair];
  return std::min(of_link(link, links.frame_a), of_link(robot.links()[links.b], links.frame_b));
}

bool Couples::is_fine(Index couple) const {
  return window_.hi - window_.lo <= couples_[couple].longest;
}

bool Couples::clip(Index couple, Interval& span) const {
  span = {std::max(span.lo, window_.lo), std::min(span.hi, window_.hi)};
  if (span.lo > span.hi) return false;
  const unsigned slabs = couples_[couple].prospect.slabs;
  if (slabs == all_slabs) return true;
  // Exact, since there are a power of two of them. A slab's ends belong to it.
  constexpr double count = World::slabs;
  const int begin = std::max(0, static_cast<int>(std::ceil(span.lo * count)) - 1);
  const int end = std::min(World::slabs - 1, static_cast<int>(span.hi * count));
  const unsigned within = slabs & ((2u << end) - (1u << begin));
  if (within == 0) return false;
  span.lo = std::max(span.lo, std::countr_zero(within) / count);
  span.hi = std::min(span.hi, std::bit_width(within) / count);
  return true;
}

LivePair& Couples::live(Index index) {
  Couple& couple = couples_[index];
  if (couple.live >= 0) return *live_[couple.live];
  if (live_.size() == static_cast<std::size_t>(awake_)) live_.emplace_back();
  LivePair& live = live_[awake_].emplace(*journey_, candidates_[couple.prospect.candidate]);
  couple.live = awake_++;
  const PairState& now = live.at({window_.lo, window_.hi}, journey_->places);
  couple.a_is_x = turning(now.a.motion) <= turning(now.b.motion);
  tolerance_ = std::max(tolerance_, live.pair().tolerance());
  return live;
}

const PairState& Couples::state(Index index) {
  return live(index).at({window_.lo, window_.hi}, journey_->places);
}

RelativeTaylor<double> Couples::motion(Index index) {
  const PairState& now = state(index);
  return taylor(couples_[index], now, now);
}

RelativeTaylor<double> Couples::taylor(const Couple& couple, const PairState& now,
                                       const PairState& bounds) const {
  const MovingPair& pair = live_[couple.live]->pair();
  const BodyWindow a{now.a.motion, bounds.a.motion, pair.mesh_a().center()};
  const BodyWindow b{now.b.motion, bounds.b.motion, pair.mesh_b().center()};
  return couple.a_is_x ? relative_taylor(a, b) : relative_taylor(b, a);
}

const CoupleView& Couples::view(Index index) {
  if (view_.couple == index) return view_;
  LivePair& live = this->live(index);
  const Couple& couple = couples_[index];
  const double mid = middle(window_), half = std::max(window_.hi - mid, mid - window_.lo);
  const PairState& now = live.at({mid, mid + half}, journey_->places);
  RelativeTaylor<double> motion;
  const Candidate& candidate = live.candidate();
  if (candidate.pair < 0 && !journey_->world.is_fixed(candidate.other)) {
    // Bounds of links hold on both sides of the middle; those of other motions only after it.
    PairState whole = now;
    whole.b.motion = live.body_b().motion.state(window_.lo, window_.hi);
    motion = taylor(couple, now, whole);
  } else {
    motion = taylor(couple, now, now);
  }
  const MovingPair& pair = live.pair();
  const double radius_a = pair.mesh_a().radius(), radius_b = pair.mesh_b().radius();
  view_ = {index, to_float(motion),
           box_window(motion, half, pair.separation(), pair.error(),
                      couple.a_is_x ? radius_a : radius_b, couple.a_is_x ? radius_b : radius_a)};
  return view_;
}

}  // namespace toccata
