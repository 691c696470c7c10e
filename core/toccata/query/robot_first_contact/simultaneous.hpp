// Stage 3 of method="interval" for robots: all pairs of bodies at once, window of time by window of
// time (Redon et al. 2004, section 5).
//
// A window has lists of what is active in it: pairs of nodes of the hierarchies of oriented boxes,
// and pairs of triangles with those of their fifteen equations that may vanish. All of a window is
// looked at with the same expansion of the links' motions, computed once per window and frame, so
// that no equation pays for the depth of its chain. What is excluded leaves the lists; for the rest
// the window is cut down to where roots can be (the Newton step), halved, and the earlier half is
// taken first. Windows come up in the order of time, and each starts not later than all that is
// active in it: a pair that touches at the start of one is the first contact of the whole robot.
#pragma once

#include "toccata/narrow/interval/features.hpp"
#include "toccata/query/robot_first_contact/first_contact.hpp"
#include "toccata/query/robot_first_contact/window_pairs.hpp"
#include "toccata/walk/expand.hpp"
#include "toccata/walk/leaf.hpp"

namespace toccata {

/// Reuses its buffers across queries.
class Simultaneous {
 public:
  /// Writes the first contact of the candidates into `found`, or with `any` some contact.
  void run(RobotInWorld& setting, std::span<const Candidate> candidates, bool any,
           RobotContact& found);

 private:
  /// Pairs of nodes: a siblings with some of its lanes. Within the window, nothing below them
  /// touches outside of `span`.
  struct ActiveNodes {
    Index candidate;
    Siblings nodes;
    unsigned lanes;
    Interval span;
  };
  /// Two triangles, with the equations that are not excluded.
  struct ActiveTriangles {
    Index candidate;
    Index a, b;
    FeatureSet open;
    Interval span;
  };
  /// A window whose lists start here, and end where those of the next one start.
  struct Window {
    Interval time;
    std::size_t nodes, triangles;
  };

  void start(std::span<const Candidate> candidates);
  void visit(const Window& window);
  void walk(ActiveNodes active);
  void look_at(const ActiveNodes& active);
  void sort_out(const ActiveNodes& active, const BoxMeeting& meeting);
  void go_down(const ActiveNodes& active, int lane, const Interval& span);
  void solve(ActiveTriangles active);
  bool exclude(ActiveTriangles& active);
  bool probe(const ActiveTriangles& active, double time);
  void touch(const ActiveTriangles& active, double time, const TriangleApproach& triangles);
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
  std::vector<Window> windows_;  // the earliest last
  std::vector<ActiveNodes> nodes_;
  std::vector<ActiveTriangles> triangles_;
  // Of the window at hand: what it finds on its way down, and what stays active.
  std::vector<ActiveNodes> below_, nodes_left_;
  std::vector<ActiveTriangles> triangles_found_, triangles_left_;
};

}  // namespace toccata
