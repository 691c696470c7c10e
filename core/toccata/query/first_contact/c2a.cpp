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

#include "toccata/base/interruption.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/first_contact/methods.hpp"
#include "toccata/walk/effort.hpp"
#include "toccata/walk/expand.hpp"
#include "toccata/walk/instant.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {
namespace {

constexpr int controlled_steps = 24;          // R_max
constexpr double controlled_distance = 0.02;  // D_threshold, as a fraction of the bodies' radius

/// What one walk at one time leaves for the next.
struct Step {
  double distance;  ///< current distance less the separation
  double length;    ///< smallest step of the front
  /// The triangles that forbid a longer step, unless negative.
  Index a = -1, b = -1;
};

/// One walk at one time: algorithm 2.
class C2aWalk {
 public:
  C2aWalk(const MovingPair& pair, double time, double w, Count& budget, Contact& contact)
      : pair_(pair),
        view_(pair, std::min(pair.options().cutoff, 1.0)),
        remaining_(pair.options().cutoff - time),
        w_(w),
        budget_(budget),
        contact_(contact) {
    view_.move_to(time);
  }

  /// Goes on from the step before. Returns false when the budget runs out, or at a contact.
  bool run(Step& step) {
    step_ = &step;
    step.length = remaining_;
    if (step.a >= 0 && !visit_leaves(step.a, step.b)) return false;
    return spend() && walk_instant(pair_, *this);
  }

  InstantBounds look(const Expansion<VolumeKind::box>& expansion) {
    const Approach bounds = expansion.bounds(view_.relative(expansion.siblings().of_a));
    contact_.stats.bv_tests += std::popcount(expansion.used());
    if (pair_.options().budget - budget_ <= many_steps) [[likely]]
      return {bounds.gap, bounds.step};
    return {bounds.gap,
            expansion.look_closer(view_.state(), remaining_, expansion.used(), bounds.step)};
  }
  bool keeps(const InstantTask& task) {
    // Early rejection: no contact in the time that is left.
    const bool rejected = task.step >= remaining_;
    contact_.stats.front_nodes += rejected;
    return !rejected;
  }
  bool wants(const InstantTask& task) {
    const bool enough = (is_controlled() && task.step >= step_->length) ||
                        !(task.gap - pair_.separation() < w_ * step_->distance);
    // A step of zero says only that single precision cannot tell.
    if (!enough || !(task.step > 0)) return true;
    stop_at(task.step);
    return false;
  }
  bool spend() {
    ++contact_.stats.work;
    return toccata::spend(budget_);
  }
  bool visit(const InstantTask&, Index a, Index b) { return visit_leaves(a, b); }

 private:
  bool is_controlled() const { return pair_.options().w < 1; }

  void stop_at(double length) {
    ++contact_.stats.front_nodes;
    step_->length = std::min(step_->length, length);
  }

  /// False for a contact.
  bool visit_leaves(Index a, Index b) {
    ++contact_.stats.elementary_tests;
    Stopwatch watch(pair_.options().timed);
    const LeafApproach leaf = approach_leaves(pair_, view_.state(), a, b);
    contact_.stats.seconds_elementary += watch.lap();
    if (leaf.touches) {
      record(contact_, view_.time(), a, b, leaf.triangles);
      return false;
    }
    // A touch that is ignored tells nothing of the distance to advance by.
    const double d = leaf.triangles.closest.distance - pair_.separation();
    if (d > pair_.tolerance()) step_->distance = std::min(step_->distance, d);
    if (is_controlled() && leaf.step < step_->length) step_->a = a, step_->b = b;
    stop_at(leaf.step);
    return true;
  }

  const MovingPair& pair_;
  PairView view_;
  double remaining_, w_;
  Count& budget_;
  Contact& contact_;
  Step* step_ = nullptr;
};

}  // namespace

Contact c2a(const MovingPair& pair, double start) {
  const double size = std::min(pair.mesh_a().radius(), pair.mesh_b().radius());
  const double cutoff = pair.options().cutoff;
  double w = pair.options().w;
  Contact contact;
  Count budget = pair.options().budget;
  double time = start;
  bool has_tried = false;
  Step step{infinity, 0};
  for (int iteration = 0; time < cutoff; ++iteration) {
    if (iteration > controlled_steps || step.distance < controlled_distance * size) w = 1;
    if (!has_tried && pair.options().budget - budget > profile_steps) {
      has_tried = true;
      if (clear_by_profile(pair)) return contact;
    }
    ++contact.stats.ca_iterations;
    // Without control every step measures the distance anew; with it, the last one is undercut.
    if (pair.options().w == 1) step.distance = infinity;
    const bool finished = C2aWalk(pair, time, w, budget, contact).run(step);
    if (contact.status == Status::contact) return contact;
    if (!finished || !(step.length > 0)) {
      contact.give_up(time);
      return contact;
    }
    time += step.length;
  }
  return contact;
}

}  // namespace toccata
