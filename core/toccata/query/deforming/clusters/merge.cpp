// Greedy merging of patches into intermediate clusters, in parallel with a result that does not
// depend on the number of threads.
#include "toccata/query/deforming/clusters/gathering.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "toccata/base/parallel_for.hpp"
#include "toccata/base/spin.hpp"

namespace toccata {
namespace {

/// Merging of patches, from the largest seed to the smallest. Each thread gathers the next cluster
/// while others still gather previous ones. If previous clusters have taken one of its candidates,
/// a cluster is gathered again when its turn comes. The result is therefore the same as with one
/// thread.
class Merge {
 public:
  Merge(const PatchStep& step, const Patches& patches, unsigned threads)
      : threads_(threads),
        boundaries_(step.features, patches, threads),
        taken_(patches.faces.count()),
        workers_(threads, {Gathering(step, patches, boundaries_, taken_)}),
        seeds_(patches.faces.count()),
        plans_(seeds_.size()) {
    std::vector<std::pair<Index, Index>> by_size;
    for (Index c = 0; c < patches.faces.count(); ++c)
      by_size.push_back({-static_cast<Index>(patches.faces.part(c).size()), c});
    std::sort(by_size.begin(), by_size.end());
    std::transform(by_size.begin(), by_size.end(), seeds_.begin(),
                   [](const auto& one) { return one.second; });
  }

  Merged run() {
    clusters_.order.reserve(seeds_.size());
    parallel_for(threads_, 1, threads_,
                 [this](std::size_t, std::size_t, unsigned worker) { gather_next(worker); });
    commit_done(0);
    return sorted();
  }

 private:
  /// Aligned to prevent false sharing.
  struct alignas(128) Worker {
    Gathering gathering;
  };

  void gather_next(unsigned worker) {
    for (std::size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < seeds_.size();) {
      if (!is_taken(seeds_[i])) workers_[worker].gathering.gather(seeds_[i], plans_[i]);
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
      workers_[worker].gathering.gather(seed, plan);
    for (const Index c : plan.cluster()) {
      taken_[c].store(true, std::memory_order_relaxed);
      clusters_.order.push_back(c);
    }
    clusters_.close_part();
    from_point_.push_back(plan.from_point);
    plan.patches = {};
  }

  bool is_taken(Index c) const { return taken_[c].load(std::memory_order_relaxed); }

  /// Returns the clusters in the order of their seeds, so clusters of a cell are consecutive.
  Merged sorted() const {
    std::vector<Index> cluster_of(seeds_.size(), Features::none);
    for (Index g = 0; g < clusters_.count(); ++g) cluster_of[clusters_.part(g)[0]] = g;
    Merged out;
    Partition& sorted = out.clusters;
    sorted.order.reserve(clusters_.order.size());
    for (const Index g : cluster_of) {
      if (g == Features::none) continue;
      const auto cluster = clusters_.part(g);
      sorted.order.insert(sorted.order.end(), cluster.begin(), cluster.end());
      sorted.close_part();
      out.from_point.push_back(from_point_[g]);
    }
    return out;
  }

  unsigned threads_;
  PatchBoundaries boundaries_;
  Taken taken_;
  std::vector<Worker> workers_;
  std::vector<Index> seeds_;
  std::vector<Plan> plans_;  ///< by seed
  // Aligned to prevent false sharing: threads write these all the time.
  alignas(128) std::atomic<std::size_t> next_{0};  ///< the first seed that no thread has started
  alignas(128) SpinLock committing_;
  alignas(128) std::size_t committed_ = 0;  ///< number of committed seeds
  Partition clusters_;
  std::vector<std::uint8_t> from_point_;  ///< by cluster
};

}  // namespace

Merged merge_patches(const PatchStep& step, const Patches& patches, unsigned threads) {
  return Merge(step, patches, threads).run();
}

}  // namespace toccata
