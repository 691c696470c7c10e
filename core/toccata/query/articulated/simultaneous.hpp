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

#include "toccata/narrow/interval_features.hpp"
#include "toccata/query/articulated/couples.hpp"
#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/rigid/expand.hpp"
#include "toccata/query/rigid/leaf.hpp"

namespace toccata {

/// Keeps its memory from query to query.
class Simultaneous {
 public:
  /// A new motion, whose outcome goes into `found`. Prospects may still lose slabs before `run`.
  void start(const Journey& journey, std::span<const Candidate> candidates,
             std::span<const Prospect> prospects, RobotContact& found);
  /// Finds the first contact of the prospects.
  void run();
  /// Finds some contact, or that there is none. So many guesses have been tried before.
  void run_any(BroadPhase& broad, unsigned guesses);

 private:
  /// Pairs of nodes: a family with some of its lanes. Within the window, nothing below them touches
  /// outside of `span`.
  struct ActiveNodes {
    Index couple;
    Family family;
    unsigned lanes;
    Interval span;
  };
  /// Two triangles, with the equations that are not excluded.
  struct ActiveTriangles {
    Index couple;
    Index a, b;
    FeatureSet open;
    Interval span;
  };
  /// A window whose lists start here, and end where those of the next one start.
  struct Window {
    Interval time;
    std::size_t nodes, triangles;
  };

  void next();
  void conclude();
  void visit(const Window& window);
  void walk(ActiveNodes active);
  void look_at(const ActiveNodes& active);
  void sort_out(const ActiveNodes& active, const BoxMeeting& meeting);
  void go_down(const ActiveNodes& active, int lane, const Interval& span);
  void solve(ActiveTriangles active);
  bool exclude(ActiveTriangles& active);
  bool probe(const ActiveTriangles& active, double time);
  void guess(double time, BroadPhase& broad);
  bool guess(const ActiveNodes& active, double time, BroadPhase& broad);
  void touch(const ActiveTriangles& active, double time, const TriangleApproach& triangles);
  void go_on();
  void push(const Interval& time);
  bool spend();
  bool is_open() const { return found_->contact.status == Status::free; }
  /// Pairs of nodes and of triangles looked at, guesses included.
  Count effort() const {
    return journey_->options.budget - budget_ + found_->contact.stats.ca_iterations;
  }
  double now() const { return couples_.window().lo; }

  // The question.
  const Journey* journey_ = nullptr;
  bool any_ = false;
  RobotContact* found_ = nullptr;
  Count budget_ = 0;
  // The work.
  Couples couples_;
  std::vector<Window> windows_;  // the earliest last
  std::vector<ActiveNodes> nodes_;
  std::vector<ActiveTriangles> triangles_;
  // Of the window at hand: what it finds on its way down, and what stays active.
  std::vector<ActiveNodes> below_, nodes_left_;
  std::vector<ActiveTriangles> triangles_found_, triangles_left_;
};

}  // namespace toccata
