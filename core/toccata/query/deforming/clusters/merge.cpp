// Greedy merging of patches into intermediate clusters, in parallel with a result that does not
// depend on the number of threads.
#include "toccata/query/deforming/clusters/patches.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "toccata/base/parallel_for.hpp"
#include "toccata/base/spin.hpp"

namespace toccata {
namespace {

using Taken = std::vector<std::atomic<bool>>;  // by patch: it is in a cluster

/// A cluster as it was gathered at some time.
struct Plan {
  std::vector<Index> patches;  ///< the members, the seed first, then all candidates
  std::size_t members = 0;
  std::atomic<bool> done{false};

  std::span<const Index> cluster() const { return std::span(patches).first(members); }
  /// Returns the candidates. Without one of them the cluster may be different.
  std::span<const Index> candidates() const { return std::span(patches).subspan(members); }
};

/// Gathering of clusters for one thread, from patches that are in no cluster. Aligned to prevent
/// false sharing.
class alignas(128) Gathering {
 public:
  Gathering(const Features& features, const Patches& patches, const PatchBoundaries& boundaries,
            const Taken& taken)
      : f_(features),
        patches_(patches),
        boundaries_(boundaries),
        taken_(taken),
        marks_(patches.faces.count()) {}

  /// Adds rings of patches to a seed as long as some patches of a ring can stay.
  void gather(Index seed, Plan& plan) {
    view_ = &patches_.views[seed];
    members_ = {seed};
    all_candidates_.clear();
    ++mark_;
    marks_[seed] = mark_;
    if (is_proven(seed))
      while (add_ring()) {
      }
    if (members_.size() > 1 && turns() != 1) members_ = {seed};
    plan.members = members_.size();
    plan.patches.clear();
    plan.patches.reserve(members_.size() + all_candidates_.size());
    plan.patches.insert(plan.patches.end(), members_.begin(), members_.end());
    plan.patches.insert(plan.patches.end(), all_candidates_.begin(), all_candidates_.end());
  }

 private:
  /// Returns whether the view of a seed is valid. The view of a patch of one face may not be.
  bool is_proven(Index seed) const {
    return patches_.faces.part(seed).size() > 1 || (turns_well(seed) && faces_well(seed));
  }

  /// Adds all adjacent patches together, because a single one rarely leaves a boundary that turns
  /// around O. Then removes patches with sides that do not turn, until all others can stay. Returns
  /// whether some stay.
  bool add_ring() {
    find_candidates();
    all_candidates_.insert(all_candidates_.end(), candidates_.begin(), candidates_.end());
    const auto turning = [this](Index c) { return turns_well(c); };
    while (keep_if(turning)) {
    }
    // The faces of a patch are valid or not independently of other patches.
    if (keep_if([this](Index c) { return faces_well(c); }))
      while (keep_if(turning)) {
      }
    members_.insert(members_.end(), candidates_.begin(), candidates_.end());
    return !candidates_.empty();
  }

  /// Removes candidates that may not stay. Returns whether there were any.
  template <class May>
  bool keep_if(const May& may) {
    return std::erase_if(candidates_, [&](Index c) {
             if (may(c)) return false;
             marks_[c] = 0;
             return true;
           }) > 0;
  }

  void find_candidates() {
    candidates_.clear();
    for (const Index c : members_)
      for (const BoundarySide& side : boundaries_.of(c))
        if (side.across != Features::none && !is_inside(side) && !is_taken(side.across)) {
          marks_[side.across] = mark_;
          candidates_.push_back(side.across);
        }
  }

  bool is_taken(Index c) const { return taken_[c].load(std::memory_order_relaxed); }
  bool is_inside(const BoundarySide& side) const {
    return side.across != Features::none && marks_[side.across] == mark_;
  }

  /// Returns whether the sides of a patch that are on the boundary of the cluster turn around O.
  bool turns_well(Index c) const {
    const auto sides = boundaries_.of(c);
    return std::all_of(sides.begin(), sides.end(), [&](const BoundarySide& side) {
      return is_inside(side) || view_->positive(turn((*view_)(side.p), (*view_)(side.q)));
    });
  }

  /// Returns whether all faces of a patch have a positive area, and heights above the separation.
  bool faces_well(Index c) const {
    const auto faces = patches_.faces.part(c);
    return std::all_of(faces.begin(), faces.end(), [&](Index face) {
      const ViewPoint p = (*view_)(f_.faces[face][0]), q = (*view_)(f_.faces[face][1]),
                      r = (*view_)(f_.faces[face][2]);
      return view_->is_high(turn(p, q) + turn(q, r) + turn(r, p), p, q, r);
    });
  }

  /// Returns the number of turns of the cluster's boundary around O.
  Index turns() const {
    Index count = 0;
    for (const Index c : members_)
      for (const BoundarySide& side : boundaries_.of(c))
        if (!is_inside(side)) count += passes_axis((*view_)(side.p), (*view_)(side.q));
    return count;
  }

  const Features& f_;
  const Patches& patches_;
  const PatchBoundaries& boundaries_;
  const Taken& taken_;
  const StarView* view_ = nullptr;
  std::vector<Index> marks_;  ///< by patch: last cluster with it as a candidate; 0 if removed
  Index mark_ = 0;
  std::vector<Index> members_, candidates_, all_candidates_;
};

/// Merging of patches, from the largest seed to the smallest. Each thread gathers the next cluster
/// while others still gather previous ones. If previous clusters have taken one of its candidates,
/// a cluster is gathered again when its turn comes. The result is therefore the same as with one
/// thread.
class Merge {
 public:
  Merge(const Features& features, const Patches& patches, unsigned threads)
      : threads_(threads),
        boundaries_(features, patches, threads),
        taken_(patches.faces.count()),
        workers_(threads, Gathering(features, patches, boundaries_, taken_)),
        seeds_(patches.faces.count()),
        plans_(seeds_.size()) {
    std::vector<std::pair<Index, Index>> by_size;
    for (Index c = 0; c < patches.faces.count(); ++c)
      by_size.push_back({-static_cast<Index>(patches.faces.part(c).size()), c});
    std::sort(by_size.begin(), by_size.end());
    std::transform(by_size.begin(), by_size.end(), seeds_.begin(),
                   [](const auto& one) { return one.second; });
  }

  Partition run() {
    clusters_.order.reserve(seeds_.size());
    parallel_for(threads_, 1, threads_,
                 [this](std::size_t, std::size_t, unsigned worker) { gather_next(worker); });
    commit_done(0);
    return sorted();
  }

 private:
  void gather_next(unsigned worker) {
    for (std::size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < seeds_.size();) {
      if (!is_taken(seeds_[i])) workers_[worker].gather(seeds_[i], plans_[i]);
      plans_[i].done.store(true, std::memory_order_release);
      commit_done(worker);
    }
  }

  /// Commits finished plans in the order of seeds, one thread at a time. Other threads do not wait.
  void commit_done(unsigned worker) {
    const std::unique_lock lock(committing_, std::try_to_lock);
    if (!lock) return;
    for (; committed_ < seeds_.size() && plans_[committed_].done.load(std::memory_order_acquire);
         ++committed_)
      if (const Index seed = seeds_[committed_]; !is_taken(seed))
        commit(seed, plans_[committed_], worker);
  }

  void commit(Index seed, Plan& plan, unsigned worker) {
    // Patches that were taken when the plan was made are still taken.
    const auto candidates = plan.candidates();
    if (std::any_of(candidates.begin(), candidates.end(), [this](Index c) { return is_taken(c); }))
      workers_[worker].gather(seed, plan);
    for (const Index c : plan.cluster()) {
      taken_[c].store(true, std::memory_order_relaxed);
      clusters_.order.push_back(c);
    }
    clusters_.close_part();
    plan.patches = {};
  }

  bool is_taken(Index c) const { return taken_[c].load(std::memory_order_relaxed); }

  /// Returns the clusters in the order of their seeds, so clusters of a cell are consecutive.
  Partition sorted() const {
    std::vector<Index> cluster_of(seeds_.size(), Features::none);
    for (Index g = 0; g < clusters_.count(); ++g) cluster_of[clusters_.part(g)[0]] = g;
    Partition sorted;
    sorted.order.reserve(clusters_.order.size());
    for (const Index g : cluster_of) {
      if (g == Features::none) continue;
      const auto cluster = clusters_.part(g);
      sorted.order.insert(sorted.order.end(), cluster.begin(), cluster.end());
      sorted.close_part();
    }
    return sorted;
  }

  unsigned threads_;
  PatchBoundaries boundaries_;
  Taken taken_;
  std::vector<Gathering> workers_;
  std::vector<Index> seeds_;
  std::vector<Plan> plans_;  ///< by seed
  // Aligned to prevent false sharing: threads write these all the time.
  alignas(128) std::atomic<std::size_t> next_{0};  ///< the first seed that no thread has started
  alignas(128) SpinLock committing_;
  alignas(128) std::size_t committed_ = 0;  ///< number of committed seeds
  Partition clusters_;
};

}  // namespace

Partition merge_patches(const Features& features, const Patches& patches, unsigned threads) {
  return Merge(features, patches, threads).run();
}

}  // namespace toccata
