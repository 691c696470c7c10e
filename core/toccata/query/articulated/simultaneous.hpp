// Stage 3 of method="interval" for robots: all pairs of bodies at once, window of time by window of
// time (Redon et al. 2004, section 5).
//
// A window has lists of what is active in it: pairs of nodes of the hierarchies of oriented boxes,
// and pairs of triangles with those of their fifteen equations that may vanish. All of a window is
// looked at with the same expansion of the links' motions, computed once per window and frame, so that
// no equation pays for the depth of its chain. What is excluded leaves the lists; for the rest the
// window is cut down to where roots can be (the Newton step), halved, and the earlier half is taken
// first. Windows come up in the order of time: a pair that touches at the start of one is the
// first contact of the whole robot.
#pragma once

#include <deque>
#include <optional>

#include "toccata/narrow/interval_boxes.hpp"
#include "toccata/narrow/interval_features.hpp"
#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/live_pair.hpp"
#include "toccata/query/articulated/swept_cull.hpp"
#include "toccata/query/rigid/interval_leaf.hpp"

namespace toccata {

/// Keeps its memory from query to query.
class Simultaneous {
 public:
  /// Writes the first contact of the prospects into `found`.
  void run(const Journey& journey, std::span<const Candidate> candidates,
           std::span<const Prospect> prospects, bool any, RobotContact& found);

 private:
  /// A pair of bodies.
  struct Couple {
    Prospect prospect;
    double longest;  ///< window that is worth a look: the refinement level of the two links
    Index live = -1;
    bool a_is_x = false;
  };
  /// Pairs of nodes: a family with some of its lanes. Nothing below them touches before and after
  /// `span`, as far as the window goes.
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
  /// A window whose lists start here, and end where the next one's start.
  struct Window {
    Interval time;
    std::size_t nodes, triangles;
  };
  /// The motion of a couple about the middle of the window.
  struct View {
    Index couple = -1;
    RelativeTaylor<float> motion;
    BoxWindow box;
  };

  void start(std::span<const Prospect> prospects);
  double longest_window(const Candidate& candidate) const;
  void visit(const Window& window);
  void walk(const ActiveNodes& active);
  void look_at(const ActiveNodes& active);
  void sort_out(const ActiveNodes& active, const BoxMeeting& meeting);
  void solve(const ActiveTriangles& active);
  bool exclude(const MovingPair& pair, const PairState& state, ActiveTriangles& active);
  bool probe(LivePair& live, const ActiveTriangles& active, double time);
  void go_on();
  bool clip(Index couple, Interval& span) const;
  LivePair& wake(Couple& couple);
  const View& view(Index couple);
  const RelativeTaylor<double> taylor(const Couple& couple, const PairState& now,
                                      const PairState& bounds) const;
  bool spend();

  // The question.
  const Journey* journey_ = nullptr;
  std::span<const Candidate> candidates_;
  bool any_ = false;
  RobotContact* found_ = nullptr;
  Count budget_ = 0;
  // The work.
  std::vector<Couple> couples_;
  std::deque<std::optional<LivePair>> live_;
  Index awake_ = 0;
  std::vector<Window> windows_;  // the earliest last
  std::vector<ActiveNodes> nodes_;
  std::vector<ActiveTriangles> triangles_;
  // The window at hand, what it finds on its way down, and what stays active.
  Interval now_{0, 0};
  View view_;
  std::vector<ActiveNodes> below_, nodes_left_;
  std::vector<ActiveTriangles> triangles_found_, triangles_left_;
};

}  // namespace toccata
