#include "toccata/query/articulated/hca_walk.hpp"

#include <algorithm>
#include <tuple>

namespace toccata {
namespace {

/// Bounds of the motion hold for at most so many radians of all joints of a chain together: over
/// more, they say little.
constexpr double widest_turn = 1.5;

// The paper advances a pair of nodes until the volumes touch. Steps that are left over change little.
constexpr int most_steps = 8;

}  // namespace

void HcaWalk::start(const Journey& journey, const double* q_0, const double* q_1, bool any) {
  const Options& options = journey.options;
  places_ = &journey.places;
  horizon_ = std::min(1.0, widest_turn / std::max(places_->largest_turn(), 1e-9));
  grid_.start(journey.robot, q_0, q_1, horizon_);
  cutoff_ = options.cutoff;
  separation_ = static_cast<float>(options.separation);
  budget_ = options.budget;
  any_ = any;
  exhausted_ = false;
  live_ = touching_ = nullptr;
  contact_ = {};
}

void HcaWalk::look_at(LivePair& live, std::span<const HcaTask> tasks) {
  live_ = &live;
  seen_.look_at(live, grid_);
  stack_.assign(tasks.begin(), tasks.end());
  std::sort(stack_.begin(), stack_.end(), [](const HcaTask& s, const HcaTask& t) {
    return std::tie(s.time, s.nodes.a.value, s.nodes.b.value) >
           std::tie(t.time, t.nodes.a.value, t.nodes.b.value);
  });
}

void HcaWalk::run(HcaExtent extent) {
  rest_.clear();
  while (!stack_.empty() && extent.leaves > 0 && !is_over()) {
    HcaTask task = stack_.back();
    stack_.pop_back();
    if (task.time >= cutoff_) continue;
    if (task.depth >= extent.depth) {
      rest_.push_back(task);
    } else if (!are_leaves(live_->pair(), task.nodes)) {
      expand(task);
    } else {
      advance(element(live_->pair().mesh_a().bvh().child(task.nodes.a)),
              element(live_->pair().mesh_b().bvh().child(task.nodes.b)), task.time);
      --extent.leaves;
    }
    if (is_over()) rest_.push_back(task);
  }
  rest_.insert(rest_.end(), stack_.begin(), stack_.end());
  std::erase_if(rest_, [&](const HcaTask& task) { return task.time >= cutoff_; });
}

/// Advances the children of a pair until their volumes nearly touch: the function ToC of the paper,
/// at grid times only. The steps of a pair end when the next one would start from the same grid time.
void HcaWalk::expand(const HcaTask& task) {
  if (!spend()) return;
  const Expansion<VolumeKind::swept> expansion(live_->pair(), task.nodes);
  Siblings children{expansion.family(), {task.time, expansion.used()}, expansion.used()};
  for (int i = 0; i < most_steps && children.unsettled; ++i) {
    double now = cutoff_;
    for_lanes(children.unsettled, [&](int lane) { now = std::min(now, children.time[lane]); });
    step(expansion, GridPlaces::slot(now), children);
  }
  const auto first = static_cast<std::ptrdiff_t>(stack_.size());
  for_lanes(children.time.open(), [&](int lane) {
    stack_.push_back({children.time[lane], expansion.child(lane), task.depth + 1});
  });
  // The earliest child goes on top.
  std::stable_sort(stack_.begin() + first, stack_.end(),
                   [](const HcaTask& s, const HcaTask& t) { return s.time > t.time; });
}

/// One step of advancement from a grid time, for every open pair whose proof reaches that far.
void HcaWalk::step(const Expansion<VolumeKind::swept>& expansion, int slot, Siblings& siblings) {
  const Approach bounds = expansion.bounds(seen_.relative(slot, siblings.family.of_a));
  const unsigned open = siblings.time.open();
  const double now = GridPlaces::time(slot), next = GridPlaces::time(slot + 1);
  const double end = grid_.end(slot) < 1 ? grid_.end(slot) : LaneTimes::never;
  const bool at_rest = live_->is_at_rest();
  unsigned known = 0, far = 0;
  for (int k = 0; k < 2; ++k) {
    Quad& time = siblings.time.half[k];
    const QuadMask reached = time >= now;
    known |= bits(reached) << 4 * k;
    const Quad step = widened(bounds.step, k);
    const Quad until = at_rest ? (step > 0 ? quad(LaneTimes::never) : quad(now))
                               : min(now + step, quad(end));
    time = reached ? max(time, until) : time;
    far |= bits(until >= next) << 4 * k;
    time = time < cutoff_ ? time : quad(LaneTimes::never);
  }
  const unsigned promising =
      far & bits(bounds.gap - separation_ > settled_gap * expansion.reach());
  const unsigned left = siblings.time.open();
  siblings.unsettled = left & ((siblings.unsettled & ~known) | (promising & known));
  ++contact_.stats.ca_iterations;
  contact_.stats.bv_tests += std::popcount(open);
  contact_.stats.front_nodes += std::popcount(open & ~left);
}

Span HcaWalk::span(double time) const {
  return {time, std::min({cutoff_, 1.0, time + horizon_})};
}

void HcaWalk::advance(Index a, Index b, double& time) {
  const MovingPair& pair = live_->pair();
  while (time < cutoff_ && spend()) {
    ++contact_.stats.elementary_tests;
    const Span window = span(time);
    const LeafApproach leaf = approach_leaves(pair, live_->at(window, *places_), a, b);
    if (leaf.touches) return touch(time, a, b, leaf);
    if (any_ && probe(a, b, time + 2 * leaf.step)) return;
    if (!(leaf.step > 0)) {
      // Rounding forbids any step: undecided from here on, unless another pair touches before.
      contact_.give_up(time);
      touching_ = nullptr;
      cutoff_ = time;
      return;
    }
    const double until = live_->is_at_rest() ? cutoff_ : time + leaf.step;
    time = window.end < std::min(cutoff_, 1.0) ? std::min(until, window.end) : until;
  }
  contact_.stats.front_nodes += !exhausted_;
}

/// Any contact will do: triangles that come closer are tried a little later, where they may well
/// touch. Nothing is known about the time between.
bool HcaWalk::probe(Index a, Index b, double time) {
  if (live_->is_at_rest() || !(time < std::min(cutoff_, 1.0))) return false;
  ++contact_.stats.elementary_tests;
  const LeafApproach leaf = approach_leaves(live_->pair(), live_->at({time, time}, *places_), a, b);
  if (leaf.touches) touch(time, a, b, leaf);
  return leaf.touches;
}

void HcaWalk::touch(double time, Index a, Index b, const LeafApproach& leaf) {
  record(contact_, time, a, b, leaf.triangles);
  touching_ = live_;
  cutoff_ = time;
}

}  // namespace toccata
