#include "toccata/query/deforming/clusters/patches.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "toccata/base/parallel_for.hpp"
#include "toccata/base/spin.hpp"

namespace toccata {
namespace {

using Taken = std::vector<std::atomic<bool>>;  // of each patch: whether it is in a cluster

/// A cluster as it was when it was gathered.
struct Plan {
  std::vector<Index> patches;  ///< the members, the seed first, then all that were asked
  std::size_t members = 0;
  std::atomic<bool> done{false};

  std::span<const Index> cluster() const { return std::span(patches).first(members); }
  /// Without one of them it may be another cluster.
  std::span<const Index> asked() const { return std::span(patches).subspan(members); }
};

/// Gathers clusters of patches for one thread, among those that are in none. Apart in memory from
/// those of other threads.
class alignas(128) Gathering {
 public:
  Gathering(const Features& features, const Patches& patches, const PatchBorders& borders,
            const Taken& taken)
      : f_(features),
        patches_(patches),
        borders_(borders),
        taken_(taken),
        marks_(patches.faces.count()) {}

  /// Adds rings of patches to a seed as long as some of a ring can stay.
  void gather(Index seed, Plan& plan) {
    view_ = &patches_.views[seed];
    members_ = {seed};
    all_asked_.clear();
    ++mark_;
    marks_[seed] = mark_;
    if (is_proven(seed))
      while (add_ring()) {
      }
    if (members_.size() > 1 && turns() != 1) members_ = {seed};
    plan.members = members_.size();
    plan.patches.clear();
    plan.patches.reserve(members_.size() + all_asked_.size());
    plan.patches.insert(plan.patches.end(), members_.begin(), members_.end());
    plan.patches.insert(plan.patches.end(), all_asked_.begin(), all_asked_.end());
  }

 private:
  /// A patch of one face may have a view that shows nothing.
  bool is_proven(Index seed) const {
    return patches_.faces.part(seed).size() > 1 || (turns_well(seed) && faces_well(seed));
  }

  /// Asks all neighbours at once, since one alone rarely leaves a boundary that turns around O, and
  /// then sends those away whose sides do not, until the others can stay.
  bool add_ring() {
    ask();
    all_asked_.insert(all_asked_.end(), asked_.begin(), asked_.end());
    const auto turning = [this](Index c) { return turns_well(c); };
    while (keep_if(turning)) {
    }
    // Whether the faces of a patch are well does not depend on who else stays.
    if (keep_if([this](Index c) { return faces_well(c); }))
      while (keep_if(turning)) {
      }
    members_.insert(members_.end(), asked_.begin(), asked_.end());
    return !asked_.empty();
  }

  /// Whether some of those who were asked have to go.
  template <class May>
  bool keep_if(const May& may) {
    return std::erase_if(asked_, [&](Index c) {
             if (may(c)) return false;
             marks_[c] = 0;
             return true;
           }) > 0;
  }

  void ask() {
    asked_.clear();
    for (const Index c : members_)
      for (const Border& side : borders_.of(c))
        if (side.across != Features::none && !is_inside(side) && !is_taken(side.across)) {
          marks_[side.across] = mark_;
          asked_.push_back(side.across);
        }
  }

  bool is_taken(Index c) const { return taken_[c].load(std::memory_order_relaxed); }
  bool is_inside(const Border& side) const {
    return side.across != Features::none && marks_[side.across] == mark_;
  }

  /// Whether the sides of a patch that are on the boundary of the cluster turn around O.
  bool turns_well(Index c) const {
    const auto sides = borders_.of(c);
    return std::all_of(sides.begin(), sides.end(), [&](const Border& side) {
      return is_inside(side) || view_->positive(turn((*view_)(side.p), (*view_)(side.q)));
    });
  }

  /// Whether all faces of a patch have a positive area, and heights above the separation.
  bool faces_well(Index c) const {
    const auto faces = patches_.faces.part(c);
    return std::all_of(faces.begin(), faces.end(), [&](Index face) {
      const ViewPoint p = (*view_)(f_.faces[face][0]), q = (*view_)(f_.faces[face][1]),
                      r = (*view_)(f_.faces[face][2]);
      return view_->is_high(turn(p, q) + turn(q, r) + turn(r, p), p, q, r);
    });
  }

  /// How often the boundary of the cluster turns around O.
  Index turns() const {
    Index count = 0;
    for (const Index c : members_)
      for (const Border& side : borders_.of(c))
        if (!is_inside(side)) count += passes_axis((*view_)(side.p), (*view_)(side.q));
    return count;
  }

  const Features& f_;
  const Patches& patches_;
  const PatchBorders& borders_;
  const Taken& taken_;
  const StarView* view_ = nullptr;
  std::vector<Index> marks_;  ///< the last cluster that a patch was asked to join, 0 if in vain
  Index mark_ = 0;
  std::vector<Index> members_, asked_, all_asked_;
};

/// Makes one cluster after the other, the largest seeds first. Each thread gathers the next one
/// while others still gather those before; one that is not what it would be by its turn is gathered
/// again, so that the outcome is that of one thread.
class Merge {
 public:
  Merge(const Features& features, const Patches& patches, unsigned threads)
      : threads_(threads),
        borders_(features, patches, threads),
        taken_(patches.faces.count()),
        workers_(threads, Gathering(features, patches, borders_, taken_)),
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

  /// One thread at a time commits what is done, in the order of seeds; others go on meanwhile.
  void commit_done(unsigned worker) {
    const std::unique_lock lock(committing_, std::try_to_lock);
    if (!lock) return;
    for (; committed_ < seeds_.size() && plans_[committed_].done.load(std::memory_order_acquire);
         ++committed_)
      if (const Index seed = seeds_[committed_]; !is_taken(seed))
        commit(seed, plans_[committed_], worker);
  }

  void commit(Index seed, Plan& plan, unsigned worker) {
    // Whatever was taken when it was gathered still is.
    const auto asked = plan.asked();
    if (std::any_of(asked.begin(), asked.end(), [this](Index c) { return is_taken(c); }))
      workers_[worker].gather(seed, plan);
    for (const Index c : plan.cluster()) {
      taken_[c].store(true, std::memory_order_relaxed);
      clusters_.order.push_back(c);
    }
    clusters_.close_part();
    plan.patches = {};
  }

  bool is_taken(Index c) const { return taken_[c].load(std::memory_order_relaxed); }

  /// In the order of their seeds: those of a cell come one after the other.
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
  PatchBorders borders_;
  Taken taken_;
  std::vector<Gathering> workers_;
  std::vector<Index> seeds_;
  std::vector<Plan> plans_;  ///< of each seed
  // Apart in memory from each other and from the rest: threads write them all the time.
  alignas(128) std::atomic<std::size_t> next_{0};  ///< the first seed that nobody gathers yet
  alignas(128) SpinLock committing_;
  alignas(128) std::size_t committed_ = 0;  ///< seeds so far
  Partition clusters_;
};

}  // namespace

Partition merge_patches(const Features& features, const Patches& patches, unsigned threads) {
  return Merge(features, patches, threads).run();
}

}  // namespace toccata
