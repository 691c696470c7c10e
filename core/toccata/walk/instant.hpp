// Node pairs of two bodies at one time: depth first, the nearest child first.
//
// Contacts at a time, guesses at a later time, distances, and every step of conservative
// advancement are this walk with a policy of their own.
#pragma once

#include <concepts>
#include <vector>

#include "toccata/walk/expand.hpp"

namespace toccata {

/// A node pair with what is known of it.
struct InstantTask {
  float gap;   ///< lower bound of the distance; negative when the volumes overlap
  float step;  ///< the two cannot touch for so long, if the policy asks for that
  NodePair nodes;
};

/// Eight node pairs with what is known of them.
struct InstantBounds {
  Pack gap, step;
};

template <class P>
concept InstantPolicy = requires(P policy, const Expansion<VolumeKind::box>& expansion,
                                 const InstantTask& task, Index a, Index b) {
  /// Bounds of the children of a split.
  { policy.look(expansion) } -> std::same_as<InstantBounds>;
  /// Whether a child may have to be looked into; and, when it is its turn, whether it has to.
  { policy.keeps(task) } -> std::same_as<bool>;
  { policy.wants(task) } -> std::same_as<bool>;
  /// Takes one unit of work; false ends the walk.
  { policy.spend() } -> std::same_as<bool>;
  /// Two triangles or pieces of surfaces; false ends the walk.
  { policy.visit(task, a, b) } -> std::same_as<bool>;
};

/// Puts some children of a split on the stack, the nearest one last. Eight at most: what sorts
/// large arrays would take longer.
template <class Policy>
void push_children(const Expansion<VolumeKind::box>& expansion, unsigned wanted, Policy& policy,
                   std::vector<InstantTask>& stack) {
  const InstantBounds bounds = policy.look(expansion);
  const std::size_t first = stack.size();
  for_lanes(wanted, [&](int lane) {
    const InstantTask task{bounds.gap[lane], bounds.step[lane], expansion.child(lane)};
    if (!policy.keeps(task)) return;
    std::size_t place = stack.size();
    stack.push_back(task);
    for (; place > first && stack[place - 1].gap < task.gap; --place)
      stack[place] = stack[place - 1];
    stack[place] = task;
  });
}

/// Goes on from node pairs that are on the stack, the last one first. False if the policy has ended
/// the walk.
template <class Policy>
bool walk_instant(const MovingPair& pair, std::vector<InstantTask>& stack, Policy& policy) {
  static_assert(InstantPolicy<Policy>);
  while (!stack.empty()) {
    const InstantTask task = stack.back();
    stack.pop_back();
    if (!policy.wants(task)) continue;
    if (!policy.spend()) return false;
    if (are_leaves(pair, task.nodes)) {
      const auto [a, b] = elements_of(pair, task.nodes);
      if (!policy.visit(task, a, b)) return false;
    } else {
      const Expansion<VolumeKind::box> expansion(pair, task.nodes);
      push_children(expansion, expansion.used(), policy, stack);
    }
  }
  return true;
}

/// Looks below some lanes of a siblings. False if the policy has ended the walk.
template <class Policy>
bool walk_instant(const MovingPair& pair, const Siblings& siblings, unsigned lanes,
                  Policy& policy) {
  thread_local std::vector<InstantTask> stack;  // keeps its memory
  stack.clear();
  push_children(Expansion<VolumeKind::box>(pair, siblings), lanes, policy, stack);
  return walk_instant(pair, stack, policy);
}

/// Looks at all of the two bodies.
template <class Policy>
bool walk_instant(const MovingPair& pair, Policy& policy) {
  const Expansion<VolumeKind::box> expansion(pair, root_pair());
  return walk_instant(pair, expansion.siblings(), expansion.used(), policy);
}

}  // namespace toccata
