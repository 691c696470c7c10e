#include "toccata/query/deforming/patches.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "toccata/base/ordered_for.hpp"
#include "toccata/query/deforming/patch_growth.hpp"

namespace toccata {
namespace {

/// Face i of an order in which those that follow each other are seldom neighbours: patches around
/// them can grow at the same time. It takes a face of each of 32 runs by turns, and each run is far
/// from the one before: 0, 16, 8, 24, 4 and so on.
Index scattered(Index i, Index count) {
  constexpr Index runs = 32;
  const Index length = count / runs, turn = i % runs;
  if (i >= length * runs) return i;
  const Index run = (turn & 1) << 4 | (turn & 2) << 2 | (turn & 4) | (turn & 8) >> 2 | turn >> 4;
  return run * length + i / runs;
}

/// Grows a patch around each seed that is free; a loop for `ordered_for`.
class Growth {
 public:
  struct Item {
    Index seed, turn;
  };
  struct Plan {
    Index seed;
    std::optional<GrownPatch> patch;
    std::vector<Index> tried;
  };

  Growth(const Features& features, const StepFrames& frames, double diagonal, unsigned threads)
      : f_(features), frames_(frames), diagonal_(diagonal), workers_(threads),
        claims_(threads > 1 ? features.faces.size() : 0, threads),
        count_(static_cast<Index>(features.faces.size())) {
    patches_.owners = atomic_indices(features.faces.size(), Features::none, threads);
    patches_.faces.order.reserve(features.faces.size());
  }

  std::optional<Item> next() {
    while (next_ < count_ && !is_free(seed(next_))) ++next_;
    if (next_ == count_) return std::nullopt;
    return Item{seed(next_++), ++turns_};
  }

  std::optional<Plan> prepare(const Item& item, unsigned worker) {
    Plan plan{item.seed, {}, {}};
    if (!is_free(item.seed)) return plan;
    auto& growth = workers_[worker];
    if (!growth)
      growth = std::make_unique<PatchGrowth>(f_, frames_, diagonal_, patches_.owners, claims_);
    plan.patch = growth->grow(item.seed, item.turn, plan.tried);
    if (!plan.patch) return std::nullopt;
    return plan;
  }

  bool holds(const Plan& plan) const {
    return std::all_of(plan.tried.begin(), plan.tried.end(),
                       [this](Index face) { return is_free(face); });
  }

  void commit(Plan&& plan) {
    claims_.pass();
    if (!plan.patch) return;
    const Index id = patches_.faces.count();
    for (const Index face : plan.patch->faces) {
      patches_.owners[face].store(id, std::memory_order_relaxed);
      patches_.faces.order.push_back(face);
    }
    patches_.faces.close_part();
    patches_.views.push_back(plan.patch->view);
    if (is_free(plan.seed)) left_.push_back(plan.seed);
  }

  /// Whether there are seeds whose patches are without them; they come next.
  bool again() {
    seeds_ = std::exchange(left_, {});
    count_ = static_cast<Index>(seeds_.size());
    next_ = 0;
    return count_ > 0;
  }

  Patches take() { return std::move(patches_); }

 private:
  Index seed(Index i) const { return seeds_.empty() ? scattered(i, count_) : seeds_[i]; }
  bool is_free(Index face) const { return patches_.owner(face) == Features::none; }

  const Features& f_;
  StepFrames frames_;
  double diagonal_;
  std::vector<std::unique_ptr<PatchGrowth>> workers_;
  Claims claims_;
  std::vector<Index> seeds_;  ///< empty: all faces, scattered
  std::vector<Index> left_;   ///< the seeds that are not in the patches around them
  Index count_, next_ = 0;    ///< seeds, and those that have been looked at
  Index turns_ = 0;           ///< given to seeds
  Patches patches_;
};

}  // namespace

Patches grow_patches(const Features& features, const StepFrames& frames, double diagonal,
                     unsigned threads) {
  Growth growth(features, frames, diagonal, threads);
  do {
    ordered_for(growth, threads);
  } while (growth.again());
  return growth.take();
}

}  // namespace toccata
