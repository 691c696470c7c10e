// method="c2a": controlled conservative advancement (Tang et al. 2013, algorithms 1 and 2).
//
// The bodies advance as a whole. Each advance needs a traversal of both hierarchies at one time.
// While the bodies are far apart, a node pair is refined only if its gap is less than `w` times the
// current distance. This needs fewer front nodes, but gives shorter advances. Near the contact, or
// after some advances, w is 1 and the distance is exact.
//
// Two details go beyond the paper's control. A node pair is not refined if it permits a longer
// advance than another pair of the front, and the traversal starts with the two triangles that
// limited the last advance. Without control (w = 1 from the start), algorithm 2 runs as printed.
// The volumes are boxes, which fit flat surfaces more tightly than the paper's swept spheres.
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
constexpr double controlled_distance = 0.02;  // D_threshold, as a share of the smaller radius

/// The result of a traversal at one time, and the input of the next one.
struct Step {
  double distance;       ///< current distance minus the separation
  double length;         ///< smallest advance of the front
  Index a = -1, b = -1;  ///< triangles that limit the advance, or -1
};

/// The traversal at one time (algorithm 2).
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

  /// Continues from the last step. Returns false when the budget runs out, or at a contact.
  bool run(Step& step) {
    step_ = &step;
    step.length = remaining_;
    if (step.a >= 0 && !visit_leaves(step.a, step.b)) return false;
    return spend() && walk_instant(pair_, *this);
  }

  InstantBounds bound(const Expansion<VolumeKind::box>& expansion) {
    const Approach bounds = expansion.bounds(view_.relative(expansion.siblings().of_a));
    contact_.stats.bv_tests += std::popcount(expansion.used());
    if (pair_.options().budget - budget_ <= many_steps) [[likely]]
      return {bounds.gap, bounds.step};
    return {bounds.gap,
            expansion.tighten(view_.state(), remaining_, expansion.used(), bounds.step)};
  }
  bool keeps(const InstantTask& task) {
    // Early rejection: no contact in the remaining time.
    const bool rejected = task.step >= remaining_;
    contact_.stats.front_nodes += rejected;
    return !rejected;
  }
  bool wants(const InstantTask& task) {
    const bool enough = (is_controlled() && task.step >= step_->length) ||
                        !(task.gap - pair_.separation() < w_ * step_->distance);
    // An advance of zero may be due to single precision alone.
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

  /// Tests two elements. Returns false for a contact.
  bool visit_leaves(Index a, Index b) {
    ++contact_.stats.elementary_tests;
    Stopwatch watch(pair_.options().timed);
    const LeafApproach leaf = approach_leaves(pair_, view_.state(), a, b);
    contact_.stats.seconds_elementary += watch.lap();
    if (leaf.touches) {
      record(contact_, view_.time(), a, b, leaf.triangles);
      return false;
    }
    // The distance of an ignored contact does not limit the next advance.
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
    // Without control, each traversal measures the distance anew. With control, it starts from the
    // last distance.
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
