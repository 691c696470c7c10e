#include "toccata/query/articulated/hca_walk.hpp"

#include <algorithm>

namespace toccata {
namespace {

/// Bounds of the motion hold for at most so many radians of all joints of a chain together: over
/// more, they say little.
constexpr double widest_turn = 1.5;

// The paper advances a pair of nodes until the volumes touch. Steps that are left over change
// little.
constexpr int most_steps = 32;

/// As `settled_gap` of rigid bodies; smaller, since the places of the links at grid times are at
/// hand.
constexpr float settled = 0.03f;

}  // namespace

void HcaWalk::start(const Journey& journey, const double* q_0, const double* q_1, bool any) {
  const Options& options = journey.options;
  places_ = &journey.places;
  horizon_ = std::min(1.0, widest_turn / std::max(places_->largest_turn(), 1e-9));
  grid_.start(journey.robot, q_0, q_1, horizon_);
  chains_.start(journey.robot, grid_, places_->largest_turn());
  budget_ = options.budget;
  any_ = any;
  exhausted_ = false;
  live_ = nullptr;
  earliest_ = {options.cutoff};
  stats_ = {};
  chain_asked_ = chain_helped_ = 0;
}

void HcaWalk::look_at(LivePair& live, std::span<const HcaTask> tasks) {
  live_ = &live;
  separation_ = static_cast<float>(live.pair().separation());
  seen_.look_at(live, grid_);
  stack_.assign(tasks.begin(), tasks.end());
  // The earliest is looked at first. Sorting them all costs more than a better order saves.
  const auto earliest =
      std::min_element(stack_.begin(), stack_.end(),
                       [](const HcaTask& s, const HcaTask& t) { return s.time < t.time; });
  if (earliest != stack_.end()) std::iter_swap(earliest, stack_.end() - 1);
}

void HcaWalk::run(HcaExtent extent) {
  rest_.clear();
  while (!stack_.empty() && extent.leaves > 0 && !is_over()) {
    HcaTask task = stack_.back();
    stack_.pop_back();
    if (task.time >= earliest_.cutoff) continue;
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
  std::reverse(rest_.begin(), rest_.end());  // what came up first comes up first again
  rest_.insert(rest_.end(), stack_.begin(), stack_.end());
  std::erase_if(rest_, [&](const HcaTask& task) { return task.time >= earliest_.cutoff; });
}

/// Advances the children of a pair until their volumes nearly touch: the function ToC of the paper,
/// at grid times only. The steps of a pair end when the next one would start from the same grid
/// time.
void HcaWalk::expand(const HcaTask& task) {
  if (!spend()) return;
  const Expansion<VolumeKind::swept> expansion(live_->pair(), task.nodes);
  Siblings children{expansion.family(), {task.time, expansion.used()}, expansion.used()};
  for (int i = 0; i < most_steps && children.unsettled; ++i) {
    double now = earliest_.cutoff;
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
  const Pack beyond = end < 1 ? chain_step(expansion, slot, bounds, open) : Pack{};
  unsigned known = 0, far = 0;
  for (int k = 0; k < 2; ++k) {
    Quad& time = siblings.time.half[k];
    const QuadMask reached = time >= now;
    known |= bits(reached) << 4 * k;
    const Quad step = widened(bounds.step, k);
    const Quad until = at_rest ? select(step > 0, quad(LaneTimes::never), quad(now))
                               : max(min(now + step, quad(end)), now + widened(beyond, k));
    time = select(reached, max(time, until), time);
    far |= bits(until >= next) << 4 * k;
    time = select(time < earliest_.cutoff, time, quad(LaneTimes::never));
  }
  const unsigned promising = far & bits(bounds.gap - separation_ > settled * expansion.reach());
  const unsigned left = siblings.time.open();
  siblings.unsettled = left & ((siblings.unsettled & ~known) | (promising & known));
  ++stats_.ca_iterations;
  stats_.bv_tests += std::popcount(open);
  stats_.front_nodes += std::popcount(open & ~left);
}

/// The same by bounds that hold beyond the window, to the end of the motion: 0 where no step ends
/// with the window, or where such bounds have seldom been of use.
Pack HcaWalk::chain_step(const Expansion<VolumeKind::swept>& expansion, int slot,
                         const Approach& bounds, unsigned open) {
  const auto window = static_cast<float>(grid_.end(slot) - GridPlaces::time(slot));
  const bool helps = 8 * chain_helped_ + 32 > chain_asked_;
  const bool bounded = live_->frame_b() >= 0 || live_->body_b().motion.is_fixed();
  if (!helps || !bounded || !(open & bits(bounds.step >= window))) return Pack{};
  const auto [parent, other, of_a] = expansion.family();
  const MovingPair& pair = live_->pair();
  const auto from_origin = [](const Mesh& mesh, const WideNode& node) {
    return norm(node.center + broadcast(to_float(mesh.center()))) + node.reach;
  };
  const Pack far_x = from_origin(of_a ? pair.mesh_a() : pair.mesh_b(), expansion.node());
  const Pack far_y = from_origin(of_a ? pair.mesh_b() : pair.mesh_a(), expansion.other_node());
  const Index frame_x = of_a ? live_->frame_a() : live_->frame_b();
  const Index frame_y = of_a ? live_->frame_b() : live_->frame_a();
  const Mat3f& axes = seen_.axes(slot, of_a);
  const Mat3p turn{broadcast(axes.x), broadcast(axes.y), broadcast(axes.z)};
  const Vec3p n = turn * bounds.direction;
  const Pack rate = chains_.speed(frame_x, -n, far_x) +
                    chains_.speed(frame_y, n, broadcast(far_y[other.lane()])) +
                    seen_.relative(slot, of_a).rate_slack;
  const Pack room = max(bounds.gap - separation_, Pack{});
  // The few roundings here are below 2^-20. What never comes nearer has all the time.
  const Pack step = room / max(rate, broadcast(1e-30f)) * (1 - 0x1p-16f);
  ++chain_asked_;
  chain_helped_ += (open & bits(step > window)) != 0;
  return step;
}

Span HcaWalk::span(double time) const {
  return {time, std::min({earliest_.cutoff, 1.0, time + horizon_})};
}

void HcaWalk::advance(Index a, Index b, double& time) {
  const MovingPair& pair = live_->pair();
  while (time < earliest_.cutoff && spend()) {
    ++stats_.elementary_tests;
    const Span window = span(time);
    const LeafApproach leaf = approach_leaves(pair, live_->at(window, *places_), a, b);
    if (leaf.touches) return touch(time, a, b, leaf);
    if (any_ && probe(a, b, time + 2 * leaf.step)) return;
    if (!(leaf.step > 0)) {
      // Rounding forbids any step: undecided from here on, unless another pair touches before.
      earliest_ = {time};
      earliest_.contact.give_up(time);
      return;
    }
    const double until = live_->is_at_rest() ? earliest_.cutoff : time + leaf.step;
    time = window.end < std::min(earliest_.cutoff, 1.0) ? std::min(until, window.end) : until;
  }
  stats_.front_nodes += !exhausted_;
}

/// Any contact will do: triangles that come closer are tried a little later, where they may well
/// touch. Nothing is known about the time between.
bool HcaWalk::probe(Index a, Index b, double time) {
  if (live_->is_at_rest() || !(time < std::min(earliest_.cutoff, 1.0))) return false;
  ++stats_.elementary_tests;
  const LeafApproach leaf = approach_leaves(live_->pair(), live_->at({time, time}, *places_), a, b);
  if (leaf.touches) touch(time, a, b, leaf);
  return leaf.touches;
}

void HcaWalk::touch(double time, Index a, Index b, const LeafApproach& leaf) {
  earliest_ = {time, {}, live_};
  record(earliest_.contact, time, a, b, leaf.triangles);
}

}  // namespace toccata
