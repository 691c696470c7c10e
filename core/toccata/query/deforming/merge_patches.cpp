#include "toccata/query/deforming/merge_patches.hpp"

#include <algorithm>
#include <numeric>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/patch_borders.hpp"

namespace toccata {
namespace {

using Taken = std::vector<bool>;  // of each patch: whether it is in a group

/// Gathers groups of patches for one thread, among those that are in none. Apart in memory from
/// those of other threads.
class alignas(128) Gathering {
 public:
  Gathering(const Features& features, const Patches& patches, const PatchBorders& borders,
            const Taken& taken)
      : f_(features), patches_(patches), borders_(borders), taken_(taken),
        marks_(patches.faces.count()) {}

  /// Adds rings of patches to a seed as long as some of a ring can stay. Those that were asked are
  /// added to `tried`: without one of them it may be another group.
  std::vector<Index> gather(Index seed, std::vector<Index>& tried) {
    view_ = &patches_.views[seed];
    members_ = {seed};
    ++mark_;
    marks_[seed] = mark_;
    if (is_proven(seed))
      while (add_ring(tried)) {
      }
    if (members_.size() > 1 && turns() != 1) members_ = {seed};
    return members_;
  }

 private:
  /// A patch of one face may have a view that shows nothing.
  bool is_proven(Index seed) const {
    return patches_.faces.part(seed).size() > 1 || (turns_well(seed) && faces_well(seed));
  }

  /// Asks all neighbours at once, since one alone rarely leaves a boundary that turns around O, and
  /// then sends those away whose sides do not, until the others can stay.
  bool add_ring(std::vector<Index>& tried) {
    ask();
    tried.insert(tried.end(), asked_.begin(), asked_.end());
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
        if (side.across != Features::none && !is_inside(side) && !taken_[side.across]) {
          marks_[side.across] = mark_;
          asked_.push_back(side.across);
        }
  }

  bool is_inside(const Border& side) const {
    return side.across != Features::none && marks_[side.across] == mark_;
  }

  /// Whether the sides of a patch that are on the boundary of the group turn around O.
  bool turns_well(Index c) const {
    const auto sides = borders_.of(c);
    return std::all_of(sides.begin(), sides.end(), [&](const Border& side) {
      return is_inside(side) || view_->positive(turn((*view_)(side.p), (*view_)(side.q)));
    });
  }

  /// Whether all faces of a patch have a positive area.
  bool faces_well(Index c) const {
    const auto faces = patches_.faces.part(c);
    return std::all_of(faces.begin(), faces.end(), [&](Index face) {
      const ViewPoint p = (*view_)(f_.faces[face][0]), q = (*view_)(f_.faces[face][1]),
                      r = (*view_)(f_.faces[face][2]);
      return view_->positive(turn(p, q) + turn(q, r) + turn(r, p));
    });
  }

  /// How often the boundary of the group turns around O.
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
  std::vector<Index> marks_;  ///< the last group that a patch was asked to join, 0 if in vain
  Index mark_ = 0;
  std::vector<Index> members_, asked_;
};

/// Makes one group after the other, the largest seeds first. Some are gathered ahead, on all
/// threads; one that is not what it would be by its turn is gathered again, so that the outcome is
/// that of one thread.
class Merge {
 public:
  Merge(const Features& features, const Patches& patches, unsigned threads)
      : patches_(patches), threads_(threads), borders_(features, patches, threads),
        taken_(patches.faces.count()),
        workers_(threads, Gathering(features, patches, borders_, taken_)),
        seeds_(patches.faces.count()) {
    std::iota(seeds_.begin(), seeds_.end(), 0);
    const auto size = [this](Index c) { return patches_.faces.part(c).size(); };
    std::stable_sort(seeds_.begin(), seeds_.end(),
                     [&](Index a, Index b) { return size(a) > size(b); });
  }

  Partition run() {
    groups_.order.reserve(seeds_.size());
    // So few that seldom two of them meet, if that is enough to be worth it.
    const std::size_t few = seeds_.size() / 100, ahead = threads_ > 1 && few >= 64 ? few : 1;
    std::vector<Plan> plans;
    for (auto seed = seeds_.begin(); seed != seeds_.end();) {
      plans.clear();
      for (; seed != seeds_.end() && plans.size() < ahead; ++seed)
        if (!taken_[*seed]) plans.push_back({*seed, {}, {}});
      parallel_for(plans.size(), 2, threads_,
                   [&](std::size_t begin, std::size_t end, unsigned worker) {
                     for (std::size_t i = begin; i < end; ++i) gather(plans[i], worker);
                   });
      for (Plan& plan : plans) commit(plan);
    }
    return sorted();
  }

 private:
  struct Plan {
    Index seed;
    std::vector<Index> group, tried;
  };

  void gather(Plan& plan, unsigned worker) {
    plan.tried.clear();
    plan.group = workers_[worker].gather(plan.seed, plan.tried);
  }

  void commit(Plan& plan) {
    if (taken_[plan.seed]) return;
    if (std::any_of(plan.tried.begin(), plan.tried.end(), [this](Index c) { return taken_[c]; }))
      gather(plan, 0);
    for (const Index c : plan.group) {
      taken_[c] = true;
      groups_.order.push_back(c);
    }
    groups_.close_part();
  }

  /// In the order of their seeds: neighbours in memory come one after the other.
  Partition sorted() const {
    std::vector<Index> order(groups_.count());
    std::iota(order.begin(), order.end(), 0);
    const auto seed = [this](Index g) { return patches_.faces.part(groups_.part(g)[0])[0]; };
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return seed(a) < seed(b); });
    Partition sorted;
    sorted.order.reserve(groups_.order.size());
    for (const Index g : order) {
      const auto group = groups_.part(g);
      sorted.order.insert(sorted.order.end(), group.begin(), group.end());
      sorted.close_part();
    }
    return sorted;
  }

  const Patches& patches_;
  unsigned threads_;
  PatchBorders borders_;
  Taken taken_;
  std::vector<Gathering> workers_;
  std::vector<Index> seeds_;
  Partition groups_;
};

}  // namespace

Partition merge_patches(const Features& features, const Patches& patches, unsigned threads) {
  return Merge(features, patches, threads).run();
}

}  // namespace toccata
