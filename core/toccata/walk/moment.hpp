// Node pairs of two bodies at one time: depth first, the nearest child first.
//
// Contacts at a time, guesses at a later time, distances, and every step of conservative
// advancement are this walk with a policy of their own.
#pragma once

#include <algorithm>
#include <concepts>
#include <vector>

#include "toccata/walk/expand.hpp"

namespace toccata {

/// A node pair with what is known of it.
struct MomentTask {
  float gap;   ///< lower bound of the distance; negative when the volumes overlap
  float step;  ///< the two cannot touch for so long, if the policy asks for that
  NodePair nodes;
};

/// Eight node pairs with what is known of them.
struct MomentBounds {
  Pack gap, step;
};

template <class P>
concept MomentPolicy = requires(P policy, const Expansion<VolumeKind::box>& expansion,
                                const MomentTask& task, Index a, Index b) {
  /// Bounds of the children of a split.
  { policy.look(expansion) } -> std::same_as<MomentBounds>;
  /// Whether a child may have to be looked into; and, when it is its turn, whether it has to.
  { policy.keeps(task) } -> std::same_as<bool>;
  { policy.wants(task) } -> std::same_as<bool>;
  /// Takes one unit of work; false ends the walk.
  { policy.spend() } -> std::same_as<bool>;
  /// Two triangles or pieces of surfaces; false ends the walk.
  { policy.visit(task, a, b) } -> std::same_as<bool>;
};

/// Looks below some lanes of a family. False if the policy has ended the walk.
template <class Policy>
bool walk_moment(const MovingPair& pair, const Family& family, unsigned lanes, Policy& policy) {
  static_assert(MomentPolicy<Policy>);
  thread_local std::vector<MomentTask> stack;  // keeps its memory
  stack.clear();
  const auto split = [&](const Expansion<VolumeKind::box>& expansion, unsigned wanted) {
    const MomentBounds bounds = policy.look(expansion);
    const auto first = static_cast<std::ptrdiff_t>(stack.size());
    for_lanes(wanted, [&](int lane) {
      const MomentTask task{bounds.gap[lane], bounds.step[lane], expansion.child(lane)};
      if (policy.keeps(task)) stack.push_back(task);
    });
    std::stable_sort(stack.begin() + first, stack.end(),
                     [](const MomentTask& s, const MomentTask& t) { return s.gap > t.gap; });
  };
  split(Expansion<VolumeKind::box>(pair, family), lanes);
  while (!stack.empty()) {
    const MomentTask task = stack.back();
    stack.pop_back();
    if (!policy.wants(task)) continue;
    if (!policy.spend()) return false;
    if (are_leaves(pair, task.nodes)) {
      const auto [a, b] = elements_of(pair, task.nodes);
      if (!policy.visit(task, a, b)) return false;
    } else {
      const Expansion<VolumeKind::box> expansion(pair, task.nodes);
      split(expansion, expansion.used());
    }
  }
  return true;
}

/// Looks at all of the two bodies.
template <class Policy>
bool walk_moment(const MovingPair& pair, Policy& policy) {
  const Expansion<VolumeKind::box> expansion(pair, root_pair());
  return walk_moment(pair, expansion.family(), expansion.used(), policy);
}

}  // namespace toccata
