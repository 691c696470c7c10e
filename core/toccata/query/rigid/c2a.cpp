// method="c2a": controlled conservative advancement (Tang et al. 2013, algorithms 1 and 2).
//
// The whole of body a advances by steps; each step walks both hierarchies at one time. While bodies
// are far apart, nodes are refined only if they undercut `w` times the current distance: fewer
// front nodes, shorter steps. Near the end, or after some steps, w is 1 and the distance exact.
//
// Control goes beyond the paper in one point: a node that allows a longer step than another one of
// the front already forbids is not refined either, and the walk starts with the pair of triangles
// that limited the last step. Without control (w = 1 from the start) algorithm 2 runs as printed.
// The volumes are boxes, which fit flat parts closer than the paper's swept spheres.
#include <limits>
#include <vector>

#include "toccata/base/interruption.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/rigid/methods.hpp"
#include "toccata/walk/expand.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/pair_view.hpp"
#include "toccata/walk/profile.hpp"

namespace toccata {
namespace {

constexpr int controlled_steps = 24;          // R_max
constexpr double controlled_distance = 0.02;  // D_threshold, as a fraction of the bodies' radius

/// One walk at one time: algorithm 2.
class Walk {
 public:
  Walk(const MovingPair& pair, double time, double distance, double w, bool controlled)
      : pair_(pair),
        view_(pair, std::min(pair.options().cutoff, 1.0)),
        remaining_(pair.options().cutoff - time),
        w_(w),
        controlled_(controlled),
        distance(distance),
        step(remaining_) {
    view_.move_to(time);
  }

  /// Returns false when the budget runs out.
  bool run(Count& budget, Contact& contact) {
    if (limit.known) visit_leaves(limit.a, limit.b, contact);
    thread_local std::vector<Open> stack;
    stack.assign(1, {-std::numeric_limits<float>::infinity(), 0, root_pair()});
    while (!stack.empty() && contact.status == Status::free) {
      const Open open = stack.back();
      stack.pop_back();
      // A step of zero says only that single precision cannot tell.
      const bool enough = (controlled_ && open.step >= step) ||
                          !(open.gap - pair_.separation() < w_ * distance);
      if (enough && open.step > 0) {
        stop_at(open.step, contact);
        continue;
      }
      if (!spend(budget)) return false;
      if (are_leaves(pair_, open.nodes)) {
        visit_leaves(element(pair_.mesh_a().bvh().child(open.nodes.a)),
                     element(pair_.mesh_b().bvh().child(open.nodes.b)), contact);
        continue;
      }
      const Expansion<VolumeKind::box> expansion(pair_, open.nodes);
      const Approach bounds = expansion.bounds(view_.relative(expansion.family().of_a));
      contact.stats.bv_tests += std::popcount(expansion.used());
      Pack steps = bounds.step;
      if (pair_.options().budget - budget > many_steps) [[unlikely]]
        steps = expansion.look_closer(view_.state(), remaining_, expansion.used(), steps);
      const auto first = stack.size();
      for_lanes(expansion.used(), [&](int lane) {
        // Early rejection: no contact in the time that is left.
        if (steps[lane] >= remaining_) ++contact.stats.front_nodes;
        else stack.push_back({bounds.gap[lane], steps[lane], expansion.child(lane)});
      });
      std::stable_sort(stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end(),
                       [](const Open& s, const Open& t) { return s.gap > t.gap; });
    }
    return true;
  }

 private:
  struct Open {
    float gap, step;
    NodePair nodes;
  };

  void stop_at(double pair_step, Contact& contact) {
    ++contact.stats.front_nodes;
    step = std::min(step, pair_step);
  }

  void visit_leaves(Index a, Index b, Contact& contact) {
    ++contact.stats.elementary_tests;
    Stopwatch watch(pair_.options().timed);
    const LeafApproach leaf = approach_leaves(pair_, view_.state(), a, b);
    contact.stats.seconds_elementary += watch.lap();
    if (leaf.touches) {
      record(contact, view_.time(), a, b, leaf.triangles);
      return;
    }
    // A touch that is ignored tells nothing of the distance to advance by.
    const double d = leaf.triangles.closest.distance - pair_.separation();
    if (d > pair_.tolerance()) distance = std::min(distance, d);
    if (controlled_ && leaf.step < step) limit = {a, b, true};
    stop_at(leaf.step, contact);
  }

  const MovingPair& pair_;
  PairView view_;
  double remaining_, w_;
  bool controlled_;

 public:
  double distance;  ///< current distance less the separation
  double step;      ///< smallest step of the front
  struct Limit {
    Index a = -1, b = -1;
    bool known = false;
  } limit;  ///< the triangles that forbid a longer step
};

}  // namespace

Contact c2a(const MovingPair& pair, double start) {
  const double size = std::min(pair.mesh_a().radius(), pair.mesh_b().radius());
  const double cutoff = pair.options().cutoff;
  double w = pair.options().w, distance = infinity;
  const bool controlled = w < 1;
  Contact contact;
  Count budget = pair.options().budget;
  double time = start;
  bool asked = false;
  Walk::Limit limit;
  for (int iteration = 0; time < cutoff; ++iteration) {
    if (iteration > controlled_steps || distance < controlled_distance * size) w = 1;
    if (!asked && pair.options().budget - budget > profile_steps) {
      asked = true;
      if (clear_by_profile(pair)) return contact;
    }
    ++contact.stats.ca_iterations;
    // Without control every step measures the distance anew; with it, the last one is undercut.
    Walk walk(pair, time, controlled ? distance : infinity, w, controlled);
    walk.limit = limit;
    const bool finished = walk.run(budget, contact);
    if (contact.status == Status::contact) return contact;
    if (!finished || !(walk.step > 0)) {
      contact.give_up(time);
      return contact;
    }
    distance = walk.distance;
    limit = walk.limit;
    time += walk.step;
  }
  return contact;
}

}  // namespace toccata
