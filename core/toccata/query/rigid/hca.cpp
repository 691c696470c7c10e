// method="hca": hierarchical conservative advancement (Tang et al. 2013, algorithm 3), depth first.
//
// Corrected as design and proof require: the smaller time is kept, and the current time of contact
// is what is returned. A child starts from the bound of its ancestors.
#include <limits>

#include "toccata/base/interruption.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/rigid/methods.hpp"
#include "toccata/walk/advance.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/profile.hpp"

namespace toccata {
namespace {

// The paper advances a pair of nodes until the volumes touch. Steps that are left over change
// little.
constexpr int most_steps = 8;

struct Task {
  double time;
  NodePair nodes;
};

/// Advances the children of a pair until their volumes nearly touch: the function ToC of the paper.
Siblings advance_fully(PairView& view, const Expansion<VolumeKind::swept>& expansion, double start,
                       double cutoff, Stats& stats) {
  view.move_to(start);
  Siblings siblings = first_step(view, expansion, start, cutoff, stats);
  for (int step = 1; step < most_steps && siblings.unsettled; ++step) {
    double now = cutoff;
    for_lanes(siblings.unsettled, [&](int lane) { now = std::min(now, siblings.time[lane]); });
    view.move_to(now);
    advance(view, expansion, cutoff, siblings, stats);
  }
  return siblings;
}

/// Advances one pair of triangles until it touches or cannot touch before the current contact.
/// Returns false when the budget runs out, with the time reached in `task`.
bool advance_leaves(PairView& view, Task& task, double& cutoff, Count& budget, Contact& contact) {
  const MovingPair& pair = view.pair();
  const Index a = element(pair.mesh_a().bvh().child(task.nodes.a));
  const Index b = element(pair.mesh_b().bvh().child(task.nodes.b));
  while (task.time < cutoff) {
    if (!spend(budget)) return false;
    ++contact.stats.elementary_tests;
    view.move_to(task.time);
    Stopwatch watch(pair.options().timed);
    const LeafApproach leaf = approach_leaves(pair, view.state(), a, b);
    contact.stats.seconds_elementary += watch.lap();
    if (leaf.touches) {
      record(contact, task.time, a, b, leaf.triangles);
      cutoff = task.time;
      return true;
    }
    if (!(leaf.step > 0)) {
      // Rounding forbids any step: undecided from here on, unless another pair touches before.
      contact.give_up(task.time);
      cutoff = task.time;
      return true;
    }
    task.time += short_of_contact(pair, leaf);
  }
  ++contact.stats.front_nodes;
  return true;
}

/// What a query may spend.
struct Effort {
  Count budget;
  Count until_profile = profile_steps;  ///< advancements before profiles are compared, once
};

/// Depth first from `start` until `cutoff`. Returns the time until which nothing is left to do.
double walk(const MovingPair& pair, double start, double cutoff, Effort& effort, Contact& contact) {
  thread_local std::vector<Task> stack;
  stack.assign(1, {start, root_pair()});
  PairView view(pair, std::min(cutoff, 1.0));
  const double end = cutoff;
  while (!stack.empty()) {
    if (contact.stats.ca_iterations > effort.until_profile && contact.status == Status::free) {
      if (clear_by_profile(pair)) return LaneTimes::never;
      effort.until_profile = std::numeric_limits<Count>::max();
    }
    Task task = stack.back();
    stack.pop_back();
    if (task.time >= cutoff) continue;
    bool finished = spend(effort.budget);
    if (finished && are_leaves(pair, task.nodes)) {
      finished = advance_leaves(view, task, cutoff, effort.budget, contact);
      if (finished) continue;
    }
    if (!finished) {
      // Nothing is known of this pair and of those on the stack beyond their own times.
      double safe = task.time;
      for (const Task& open : stack) safe = std::min(safe, open.time);
      contact.give_up(std::min(safe, cutoff));
      return end;
    }
    const Expansion<VolumeKind::swept> expansion(pair, task.nodes);
    const Siblings children = advance_fully(view, expansion, task.time, cutoff, contact.stats);
    const auto first = stack.size();
    for_lanes(children.time.open(),
              [&](int lane) { stack.push_back({children.time[lane], expansion.child(lane)}); });
    // The earliest child goes on top.
    std::stable_sort(stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end(),
                     [](const Task& s, const Task& t) { return s.time > t.time; });
  }
  return end;
}

/// How long a window may be in which the bodies turn by little more than a radian.
double radian(const PairState& state) {
  const auto speed = [](const MotionState& m) { return std::max(m.spin_speed, norm(m.spin)); };
  return horizon(speed(state.a.motion) + speed(state.b.motion));
}

}  // namespace

Contact hca(const MovingPair& pair, double start) {
  // Depth first, a pair that was split stays so until the end. What turns is asked radian by
  // radian: pairs that are close once in a turn are not followed through all turns.
  const double cutoff = pair.options().cutoff;
  Effort effort{pair.options().budget};
  Contact contact;
  for (double time = start; time < cutoff && contact.status == Status::free;) {
    const double step = radian(pair.state(time, std::min(cutoff, 1.0)));
    // However fast it turns, time goes on.
    const double end = std::max(time + step, std::nextafter(time, 2.0));
    time = walk(pair, time, std::min(end, cutoff), effort, contact);
  }
  return contact;
}

}  // namespace toccata
