#include "toccata/query/deforming/merge_patches.hpp"

#include <algorithm>
#include <numeric>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/patch_borders.hpp"

namespace toccata {
namespace {

/// Gathers groups of patches in one cell, among those that are in none. Patches are counted from the
/// first one of the cell.
class Gathering {
 public:
  Gathering(const Features& features, const Patches& patches, Index cell)
      : f_(features), patches_(patches), first_(patches.first[cell]),
        count_(patches.first[cell + 1] - first_), borders_(features, patches, cell),
        taken_(count_), marks_(count_) {}

  /// Makes one group after the other, the largest seeds first.
  Partition run() {
    std::vector<Index> seeds(count_);
    std::iota(seeds.begin(), seeds.end(), 0);
    std::stable_sort(seeds.begin(), seeds.end(),
                     [this](Index a, Index b) { return faces(a).size() > faces(b).size(); });
    Partition groups;
    for (const Index seed : seeds) {
      if (taken_[seed]) continue;
      gather(seed);
      for (const Index c : members_) {
        taken_[c] = true;
        groups.order.push_back(c);
      }
      groups.close_part();
    }
    return sorted(groups);
  }

 private:
  /// In the order of their seeds, with numbers of patches among all: neighbours in memory come one
  /// after the other.
  Partition sorted(const Partition& groups) const {
    std::vector<Index> order(groups.count());
    std::iota(order.begin(), order.end(), 0);
    const auto seed = [&](Index g) { return faces(groups.part(g)[0])[0]; };
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return seed(a) < seed(b); });
    Partition sorted;
    sorted.order.reserve(groups.order.size());
    for (const Index g : order) {
      for (const Index c : groups.part(g)) sorted.order.push_back(first_ + c);
      sorted.close_part();
    }
    return sorted;
  }

  /// Adds rings of patches to a seed as long as some of a ring can stay.
  void gather(Index seed) {
    view_ = &patches_.views[first_ + seed];
    members_ = {seed};
    ++mark_;
    marks_[seed] = mark_;
    if (is_proven(seed))
      while (add_ring()) {
      }
    if (members_.size() > 1 && turns() != 1) members_ = {seed};
  }

  /// A patch of one face may have a view that shows nothing.
  bool is_proven(Index seed) const {
    return faces(seed).size() > 1 || (turns_well(seed) && faces_well(seed));
  }

  /// Asks all neighbours at once, since one alone rarely leaves a boundary that turns around O, and
  /// then sends those away whose sides do not, until the others can stay.
  bool add_ring() {
    ask();
    while (std::erase_if(asked_, [this](Index c) {
             if (turns_well(c) && faces_well(c)) return false;
             marks_[c] = 0;
             return true;
           }) > 0) {
    }
    members_.insert(members_.end(), asked_.begin(), asked_.end());
    return !asked_.empty();
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
    const auto all = faces(c);
    return std::all_of(all.begin(), all.end(), [&](Index face) {
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

  std::span<const Index> faces(Index c) const { return patches_.faces.part(first_ + c); }

  const Features& f_;
  const Patches& patches_;
  Index first_, count_;  ///< the patches of the cell
  PatchBorders borders_;
  std::vector<bool> taken_;  ///< of each patch: whether it is in a group
  const StarView* view_ = nullptr;
  std::vector<Index> marks_;  ///< the last group that a patch was asked to join, 0 if in vain
  Index mark_ = 0;
  std::vector<Index> members_, asked_;
};

}  // namespace

Partition merge_patches(const Features& features, const Patches& patches, unsigned threads) {
  std::vector<Partition> cells(patches.cells.count());
  parallel_for(cells.size(), 1, threads, [&](std::size_t cell, std::size_t, unsigned) {
    cells[cell] = Gathering(features, patches, static_cast<Index>(cell)).run();
  });
  Partition all;
  all.order.reserve(patches.faces.count());
  for (const Partition& groups : cells)
    for (Index g = 0; g < groups.count(); ++g) {
      const auto group = groups.part(g);
      all.order.insert(all.order.end(), group.begin(), group.end());
      all.close_part();
    }
  return all;
}

}  // namespace toccata
