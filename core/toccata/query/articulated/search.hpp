// method="auto" for robots: one walk over all pairs of bodies at once, in the order of the earliest
// possible contact.
//
// Pairs of nodes of all pairs of bodies wait in one queue. The first pair of triangles to come up
// while touching is the first contact of the whole robot: no pair of bodies is looked at beyond
// that time, which is what the temporal culling of Tang et al. 2013 (algorithm 4) is after. Times
// come up in rising order, so that the places of the links, computed at few times (their
// section 5.3.2), serve all pairs.
#pragma once

#include <deque>
#include <optional>

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/live_pair.hpp"
#include "toccata/query/articulated/swept_cull.hpp"
#include "toccata/walk/advance.hpp"
#include "toccata/walk/heap.hpp"
#include "toccata/walk/leaf.hpp"

namespace toccata {

/// Keeps its memory from query to query; one per thread.
class RobotSearch {
 public:
  RobotContact run(const Robot& robot, const World& world, const Way& way,
                   const RobotOptions& options);

  /// Takes up the last `run`, which ended in a contact, with a smaller separation for all pairs:
  /// what has been proven holds for it too.
  RobotContact resume(double separation);

 private:
  /// Pairs of nodes of one pair of bodies.
  struct Group {
    Siblings siblings;
    Index live;
    bool closer = false;  // its triangles have been looked at, not only the boxes around them
  };

  /// Two triangles, and the time up to which they do not touch unless they do now.
  struct LeafStep {
    LeafApproach leaf;
    double free_until;
  };

  void search();
  void visit();
  void visit_leaves(Group& group, int lane, const NodePair& nodes, double now);
  Group split(Index live, const NodePair& nodes, double now);
  void replace_top(const Group& group);
  void requeue_top();
  void step(Group& group, double time);
  void step_triangles(Group& group, double time);
  void advance(Group& group, const Approach& bounds, Span window, unsigned lanes);
  LeafStep step_leaves(LivePair& live, Index a, Index b, double time);
  double known_time(const LivePair& live, double now, double otherwise) const;
  double snapped(double time) const { return std::floor(time / grid_) * grid_; }
  Index wake(const Candidate& candidate);
  void guess();
  bool guess(const Prospect& prospect, double time);
  bool guess(const Group& group, double time);
  Span span(double time) const;

  // The question.
  std::optional<Journey> journey_;
  Options options_;
  Count budget_ = 0;
  bool any_ = false;
  double cutoff_ = 0, last_ = 1, horizon_ = 1, grid_ = 1;
  // The work.
  Places places_;
  BroadPhase broad_;
  SweptCull swept_;
  std::vector<Prospect> prospects_;
  std::deque<std::optional<LivePair>> live_;
  Index awake_ = 0;
  unsigned guesses_ = 0;
  Count next_guess_ = 0;  // is due after so many looks
  TimeHeap queue_;        // groups, and ~i for prospect i
  std::vector<Group> groups_;
  const std::vector<Candidate>* candidates_ = nullptr;
  RobotContact found_;
};

}  // namespace toccata
