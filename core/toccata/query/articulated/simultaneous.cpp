#include "toccata/query/articulated/simultaneous.hpp"

#include <algorithm>
#include <bit>

#include "toccata/query/articulated/outcome.hpp"

namespace toccata {
namespace {

// As for rigid bodies: a pair is looked at in shorter windows when its path exceeds the first share
// of the boxes' extent along it, or the second if the boxes overlap at an end of the window.
constexpr float halving_share = 0.2f, overlapping_share = 1.0f;

/// A window is too long for a link when the second order of its motion exceeds this share of the
/// link's radius.
constexpr double bending_share = 0.5;

/// Equations are asked of triangles that a fixed direction keeps apart for this share of the time.
/// Measured on arms among pipes: asked of all, they take half of the time of a colliding motion.
constexpr double asked_beyond = 0.8;

double bend_of(const MotionState& state, const Mesh& mesh) {
  return state.acceleration + state.turning * mesh.radius();
}

double turning(const MotionState& state) {
  return state.turning + state.spin_speed * state.spin_speed;
}

Triangle about(const Vec3d& center, const Triangle& t) {
  return {{t.corner[0] - center, t.corner[1] - center, t.corner[2] - center}};
}

}  // namespace

void Simultaneous::run(const Journey& journey, std::span<const Candidate> candidates,
                       std::span<const Prospect> prospects, bool any, RobotContact& found) {
  journey_ = &journey;
  candidates_ = candidates;
  any_ = any;
  found_ = &found;
  budget_ = journey.options.budget;
  start(prospects);
  while (!windows_.empty() && found.contact.status == Status::free) {
    const Window window = windows_.back();
    windows_.pop_back();
    visit(window);
    nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(window.nodes), nodes_.end());
    triangles_.erase(triangles_.begin() + static_cast<std::ptrdiff_t>(window.triangles),
                     triangles_.end());
    if (found.contact.status == Status::free) go_on();
  }
}

void Simultaneous::start(std::span<const Prospect> prospects) {
  awake_ = 0;
  couples_.clear();
  windows_.clear();
  triangles_.clear();
  nodes_.clear();
  const Interval whole{0, std::min(journey_->options.cutoff, 1.0)};
  for (const Prospect& prospect : prospects) {
    const double longest = longest_window(candidates_[prospect.candidate]);
    couples_.push_back({prospect, longest});
    nodes_.push_back({static_cast<Index>(couples_.size()) - 1, {0, Bvh::root(), true}, 1, whole});
  }
  windows_.push_back({whole, 0, 0});
}

/// One level per link, by its motion as the world sees it.
double Simultaneous::longest_window(const Candidate& candidate) const {
  const auto of_link = [&](Index i) {
    const Link& link = journey_->robot.links()[i];
    const Mesh& mesh = *link.mesh;
    const Index frame = journey_->robot.world_frame(link.joint);
    const double bend = bend_of(journey_->places.link(mesh, frame, 0.5, 0.5), mesh);
    // bend (length / 2)^2 / 2 is the second order.
    return std::sqrt(8 * bending_share * mesh.radius() / (bend + 1e-300));
  };
  const double a = of_link(candidate.link);
  return candidate.pair < 0 ? a : std::min(a, of_link(journey_->robot.pairs()[candidate.pair].b));
}

bool Simultaneous::spend() {
  if (--budget_ >= 0) return true;
  // Windows come up in the order of time, so nothing touches before this one.
  found_->contact.give_up(now_.lo);
  return false;
}

void Simultaneous::visit(const Window& window) {
  now_ = window.time;
  view_.couple = -1;
  nodes_left_.clear();
  triangles_left_.clear();
  triangles_found_.clear();
  if (now_.lo >= journey_->options.cutoff) return;
  const auto going = [&] { return found_->contact.status == Status::free; };
  for (std::size_t i = window.nodes; i < nodes_.size() && going(); ++i) walk(nodes_[i]);
  // Only then the triangles, whose motions are expanded at another time, the start of the window.
  for (std::size_t i = window.triangles; i < triangles_.size() && going(); ++i) solve(triangles_[i]);
  for (std::size_t i = 0; i < triangles_found_.size() && going(); ++i) solve(triangles_found_[i]);
}

/// Cuts a span down to the window and to the slabs in which the couple may touch. False if nothing
/// is left.
bool Simultaneous::clip(Index couple, Interval& span) const {
  span = {std::max(span.lo, now_.lo), std::min(span.hi, now_.hi)};
  if (span.lo > span.hi) return false;
  const unsigned slabs = couples_[couple].prospect.slabs;
  if (slabs == all_slabs) return true;
  constexpr double count = World::slabs;
  // Exact, since the slabs are a power of two. A slab's ends belong to it.
  const double first = span.lo * count, last = span.hi * count;
  const int begin = std::max(0, static_cast<int>(std::ceil(first)) - 1);
  const int end = std::min(World::slabs - 1, static_cast<int>(last));
  const unsigned within = slabs & ((2u << end) - (1u << begin));
  if (within == 0) return false;
  span.lo = std::max(span.lo, std::countr_zero(within) / count);
  span.hi = std::min(span.hi, std::bit_width(within) / count);
  return true;
}

LivePair& Simultaneous::wake(Couple& couple) {
  if (couple.live >= 0) return *live_[couple.live];
  if (live_.size() == static_cast<std::size_t>(awake_)) live_.emplace_back();
  LivePair& live = live_[awake_].emplace(*journey_, candidates_[couple.prospect.candidate]);
  couple.live = awake_++;
  // x is the body that turns less.
  const PairState& state = live.at({now_.lo, now_.hi}, journey_->places);
  couple.a_is_x = turning(state.a.motion) <= turning(state.b.motion);
  ++found_->pairs_tested;
  found_->contact.tolerance = std::max(found_->contact.tolerance, live.pair().tolerance());
  return live;
}

const RelativeTaylor<double> Simultaneous::taylor(const Couple& couple, const PairState& now,
                                                  const PairState& bounds) const {
  const MovingPair& pair = live_[couple.live]->pair();
  const BodyWindow a{now.a.motion, bounds.a.motion, pair.mesh_a().center()};
  const BodyWindow b{now.b.motion, bounds.b.motion, pair.mesh_b().center()};
  return couple.a_is_x ? relative_taylor(a, b) : relative_taylor(b, a);
}

const Simultaneous::View& Simultaneous::view(Index index) {
  if (view_.couple == index) return view_;
  Couple& couple = couples_[index];
  LivePair& live = wake(couple);
  const double mid = middle(now_), half = std::max(now_.hi - mid, mid - now_.lo);
  const PairState& state = live.at({mid, mid + half}, journey_->places);
  // Bounds of links hold on both sides of the middle; those of other motions only after it.
  const Candidate& candidate = live.candidate();
  const bool one_sided = candidate.pair < 0 && !journey_->world.is_fixed(candidate.other);
  RelativeTaylor<double> motion;
  if (one_sided) {
    PairState whole = state;
    whole.b.motion = live.body_b().motion.state(now_.lo, now_.hi);
    motion = taylor(couple, state, whole);
  } else {
    motion = taylor(couple, state, state);
  }
  const MovingPair& pair = live.pair();
  const double radius_a = pair.mesh_a().radius(), radius_b = pair.mesh_b().radius();
  view_ = {index, to_float(motion),
           box_window(motion, half, pair.separation(), pair.error(),
                      couple.a_is_x ? radius_a : radius_b, couple.a_is_x ? radius_b : radius_a)};
  return view_;
}

/// Looks at pairs of nodes and at all below them that this window is short enough for.
void Simultaneous::walk(const ActiveNodes& active) {
  ActiveNodes first = active;
  if (!clip(first.couple, first.span)) return;
  if (now_.hi - now_.lo > couples_[first.couple].longest) return nodes_left_.push_back(first);
  below_.assign(1, first);
  while (!below_.empty() && found_->contact.status == Status::free) {
    const ActiveNodes next = below_.back();
    below_.pop_back();
    if (spend()) look_at(next);
  }
}

void Simultaneous::look_at(const ActiveNodes& active) {
  const View& view = this->view(active.couple);
  const Couple& couple = couples_[active.couple];
  const MovingPair& pair = live_[couple.live]->pair();
  const Family& family = active.family;
  const Bvh &a = pair.mesh_a().bvh(), &b = pair.mesh_b().bvh();
  const BoxLanes split = all_lanes((family.of_a ? a : b).nodes[family.parent]);
  const BoxLanes other =
      one_lane((family.of_a ? b : a).nodes[family.other.node()], family.other.lane());
  const bool split_is_x = family.of_a == couple.a_is_x;
  found_->contact.stats.bv_tests += std::popcount(active.lanes);
  sort_out(active, meet(split_is_x ? split : other, split_is_x ? other : split, view.motion, view.box));
}

/// Excludes lanes, goes down, or leaves them for shorter windows.
void Simultaneous::sort_out(const ActiveNodes& active, const BoxMeeting& meeting) {
  const MovingPair& pair = live_[couples_[active.couple].live]->pair();
  const double mid = middle(now_), half = view_.box.half;
  const auto tolerance = static_cast<float>(pair.tolerance());
  ActiveNodes later = active;
  later.lanes = 0;
  later.span = {now_.hi, now_.lo};
  for_lanes(active.lanes, [&](int lane) {
    const float from = meeting.from[lane], to = meeting.to[lane];
    Interval span{std::max(active.span.lo, mid + half * from),
                  std::min(active.span.hi, mid + half * to)};
    if (from > to || !clip(active.couple, span)) {
      ++found_->contact.stats.front_nodes;
      return;
    }
    const NodePair nodes = active.family.child(lane);
    if (span.lo > mid && half > 0) {
      later.lanes |= 1u << lane;
      later.span = {std::min(later.span.lo, span.lo), std::max(later.span.hi, span.hi)};
      return;
    }
    if (are_leaves(pair, nodes)) {
      triangles_found_.push_back({active.couple, element(pair.mesh_a().bvh().child(nodes.a)),
                                  element(pair.mesh_b().bvh().child(nodes.b)), all_features, span});
      return;
    }
    const float share = meeting.share[lane];
    const bool overlap_at_end = from < -1 || to > 1;
    const bool too_long =
        share > (overlap_at_end ? overlapping_share : halving_share) && meeting.path[lane] > tolerance;
    if (too_long) {
      later.lanes |= 1u << lane;
      later.span = {std::min(later.span.lo, span.lo), std::max(later.span.hi, span.hi)};
    } else {
      const Expansion<VolumeKind::box> expansion(pair, nodes);
      below_.push_back({active.couple, expansion.family(), expansion.used(), span});
    }
  });
  if (later.lanes) nodes_left_.push_back(later);
}

/// Two triangles over the window: they touch at its start, or are excluded, or stay active.
void Simultaneous::solve(const ActiveTriangles& given) {
  ActiveTriangles active = given;
  if (!clip(active.couple, active.span)) return;
  if (active.span.lo > middle(now_)) return triangles_left_.push_back(active);
  if (!spend()) return;
  LivePair& live = wake(couples_[active.couple]);
  const MovingPair& pair = live.pair();
  const PairState& state = live.at({now_.lo, now_.hi}, journey_->places);
  Contact& contact = found_->contact;
  ++contact.stats.elementary_tests;
  const LeafApproach leaf = approach_leaves(pair, state, active.a, active.b);
  if (leaf.touches) {
    record(contact, now_.lo, active.a, active.b, leaf.triangles);
    return name_contact(*journey_, live, *found_);
  }
  if (live.is_at_rest() && leaf.step > 0) return;
  active.span.lo = std::max(active.span.lo, now_.lo + leaf.step);
  if (active.span.lo > active.span.hi) return;
  if (any_ && probe(live, active, now_.lo + 2 * leaf.step)) return;
  const bool curved = pair.mesh_a().surface() || pair.mesh_b().surface();
  // The equations cost several times as much: they are asked where little is left to exclude.
  const double rest = active.span.hi - now_.lo;
  const bool nearly_done = leaf.step > asked_beyond * rest || !(active.span.lo > now_.lo);
  if (!curved && nearly_done && exclude(pair, state, active)) return;
  // Neither proof gets any further, nor do the triangles touch.
  if (!(active.span.lo > now_.lo)) return contact.give_up(now_.lo);
  triangles_left_.push_back(active);
}

/// The equations over the window. True if none can vanish in it.
bool Simultaneous::exclude(const MovingPair& pair, const PairState& state,
                           ActiveTriangles& active) {
  const Couple& couple = couples_[active.couple];
  const Triangle a = about(pair.mesh_a().center(), pair.mesh_a().triangle(active.a));
  const Triangle b = about(pair.mesh_b().center(), pair.mesh_b().triangle(active.b));
  const TrianglePair triangles = couple.a_is_x ? TrianglePair{a, b} : TrianglePair{b, a};
  found_->contact.stats.elementary_tests += std::popcount(active.open);
  const FeatureTest test =
      test_features(triangles, taylor(couple, state, state), active.span.hi - now_.lo,
                    {pair.separation(), pair.tolerance(), pair.error()}, active.open);
  // A touch that does not count, since the two only move apart from how they started.
  if (test.touches) return false;
  active.open = test.open;
  active.span.lo = std::max(active.span.lo, now_.lo + test.step);
  return !test.open || active.span.lo > active.span.hi;
}

/// Any contact will do: triangles that come closer are tried a little later, where they may well
/// touch. Nothing is known about the time between.
bool Simultaneous::probe(LivePair& live, const ActiveTriangles& active, double time) {
  if (!(time < std::min(journey_->options.cutoff, 1.0))) return false;
  ++found_->contact.stats.elementary_tests;
  const PairState state = live.pair().state(time, time);
  const LeafApproach leaf = approach_leaves(live.pair(), state, active.a, active.b);
  if (!leaf.touches) return false;
  record(found_->contact, time, active.a, active.b, leaf.triangles);
  found_->contact.safe_until = now_.lo;
  name_contact(*journey_, live, *found_);
  return true;
}

/// Windows for what stays active: from its earliest to its latest time, in two halves unless that
/// is much shorter than the window before.
void Simultaneous::go_on() {
  if (nodes_left_.empty() && triangles_left_.empty()) return;
  Interval left{now_.hi, now_.lo};
  const auto include = [&](const Interval& span) {
    left = {std::min(left.lo, span.lo), std::max(left.hi, span.hi)};
  };
  for (const ActiveNodes& n : nodes_left_) include(n.span);
  for (const ActiveTriangles& t : triangles_left_) include(t.span);
  const auto push = [&](const Interval& time) {
    windows_.push_back({time, nodes_.size(), triangles_.size()});
    const auto meets = [&](const auto& active) {
      return active.span.lo <= time.hi && active.span.hi >= time.lo;
    };
    std::copy_if(nodes_left_.begin(), nodes_left_.end(), std::back_inserter(nodes_), meets);
    std::copy_if(triangles_left_.begin(), triangles_left_.end(), std::back_inserter(triangles_), meets);
  };
  if (left.hi - left.lo <= (now_.hi - now_.lo) / 2) return push(left);
  ++found_->contact.stats.subdivisions;
  const double mid = middle(left);
  push({mid, left.hi});
  push({left.lo, mid});
}

}  // namespace toccata
