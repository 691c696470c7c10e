// Depth-first traversal of two bodies at one time, nearest child first.
//
// A policy defines the query: all contacts at a time, probes at a later time, distances,
// proximities, or one iteration of conservative advancement (c2a).
#pragma once

#include <concepts>
#include <vector>

#include "toccata/walk/expand.hpp"

namespace toccata {

/// A node pair with its bounds.
struct InstantTask {
  float gap;   ///< lower bound of the distance; negative where the volumes overlap
  float step;  ///< duration without contact, if the policy bounds it
  NodePair nodes;
};

/// Bounds of eight siblings.
struct InstantBounds {
  Pack gap, step;
};

template <class P>
concept InstantPolicy = requires(P policy, const Expansion<VolumeKind::box>& expansion,
                                 const InstantTask& task, Index a, Index b) {
  /// Bounds siblings.
  { policy.bound(expansion) } -> std::same_as<InstantBounds>;
  /// Tells whether a node pair is pushed on the stack, and whether it is visited when popped.
  { policy.keeps(task) } -> std::same_as<bool>;
  { policy.wants(task) } -> std::same_as<bool>;
  /// Takes one unit of work. Returns false to end the traversal.
  { policy.spend() } -> std::same_as<bool>;
  /// Tests two elements. Returns false to end the traversal.
  { policy.visit(task, a, b) } -> std::same_as<bool>;
};

/// Pushes some siblings on the stack, the nearest last. Insertion sort is fastest for at most
/// eight.
template <class Policy>
void push_children(const Expansion<VolumeKind::box>& expansion, unsigned wanted, Policy& policy,
                   std::vector<InstantTask>& stack) {
  const InstantBounds bounds = policy.bound(expansion);
  const std::size_t first = stack.size();
  for_lanes(wanted, [&](int lane) {
    const InstantTask task{bounds.gap[lane], bounds.step[lane], expansion.child(lane)};
    if (!policy.keeps(task)) return;
    std::size_t slot = stack.size();
    stack.push_back(task);
    for (; slot > first && stack[slot - 1].gap < task.gap; --slot) stack[slot] = stack[slot - 1];
    stack[slot] = task;
  });
}

/// Continues with the node pairs on the stack. Returns false if the policy has ended the traversal.
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

/// Traverses some lanes of siblings. Returns false if the policy has ended the traversal.
template <class Policy>
bool walk_instant(const MovingPair& pair, const Siblings& siblings, unsigned lanes,
                  Policy& policy) {
  thread_local std::vector<InstantTask> stack;  // keeps its buffer
  stack.clear();
  push_children(Expansion<VolumeKind::box>(pair, siblings), lanes, policy, stack);
  return walk_instant(pair, stack, policy);
}

/// Traverses two bodies from their roots. Returns false if the policy has ended the traversal.
template <class Policy>
bool walk_instant(const MovingPair& pair, Policy& policy) {
  const Expansion<VolumeKind::box> expansion(pair, root_pair());
  return walk_instant(pair, expansion.siblings(), expansion.used(), policy);
}

}  // namespace toccata
