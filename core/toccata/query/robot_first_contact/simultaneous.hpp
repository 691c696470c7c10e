// Stage 3 of method="interval" for robots: all pairs of bodies at once, window of time by window of
// time (Redon et al. 2004, section 5).
//
// A window has lists of pending node pairs, and of pending pairs of triangles with the equations
// (of fifteen) that may vanish. All tests of a window use the same expansion of the links' motions,
// which is computed once per window and frame. The cost of an equation is then independent of the
// depth of its chain.
//
// Excluded pairs leave the lists. For the rest, the window is narrowed to the times at which roots
// can be (the Newton step) and halved. Windows are visited in the order of time, and no pending
// pair of a window can touch before it. A pair that touches at the start of a window is therefore
// the first contact of the whole robot.
#pragma once

#include "toccata/narrow/interval/features.hpp"
#include "toccata/query/robot_first_contact/first_contact.hpp"
#include "toccata/query/robot_first_contact/window_pairs.hpp"
#include "toccata/walk/expand.hpp"
#include "toccata/walk/leaf.hpp"

namespace toccata {

/// The exact search. Reuses its buffers across queries.
class Simultaneous {
 public:
  /// Writes the first contact of the candidates into `found`, or with `any` some contact.
  void run(RobotInWorld& setting, std::span<const Candidate> candidates, bool any,
           RobotContact& found);

 private:
  /// Pending siblings. Within the window, elements below them touch only in `span`.
  struct PendingNodes {
    Index candidate;
    Siblings nodes;
    unsigned lanes;
    Interval span;
  };
  /// Two pending triangles, with the equations that are not excluded.
  struct PendingTriangles {
    Index candidate;
    Index a, b;
    FeatureSet features;
    Interval span;
  };
  /// A window, with the indices at which its lists start. They end at the lists of the next window.
  struct Window {
    Interval time;
    std::size_t nodes, triangles;
  };

  void start(std::span<const Candidate> candidates);
  void visit(const Window& window);
  void walk(PendingNodes pending);
  void test(const PendingNodes& pending);
  void sort_out(const PendingNodes& pending, const BoxMeeting& meeting);
  void go_down(const PendingNodes& pending, int lane, const Interval& span);
  void solve(PendingTriangles pending);
  bool exclude(PendingTriangles& pending);
  bool probe(const PendingTriangles& pending, double time);
  void touch(const PendingTriangles& pending, double time, const TriangleApproach& triangles);
  void go_on();
  void push(const Interval& time);
  bool spend();
  bool is_open() const { return found_->contact.status == Status::free; }
  double now() const { return pairs_.window().lo; }

  // The query.
  RobotInWorld* setting_ = nullptr;
  bool any_ = false;
  RobotContact* found_ = nullptr;
  Count budget_ = 0;
  // The search.
  WindowPairs pairs_;
  std::vector<Window> windows_;  // latest first
  std::vector<PendingNodes> nodes_;
  std::vector<PendingTriangles> triangles_;
  // Lists of the current window: pairs found by descending, and pairs left for shorter windows.
  std::vector<PendingNodes> below_, nodes_left_;
  std::vector<PendingTriangles> triangles_found_, triangles_left_;
};

}  // namespace toccata
