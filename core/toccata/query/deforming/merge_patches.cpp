#include "toccata/query/deforming/merge_patches.hpp"

#include <algorithm>
#include <numeric>

namespace toccata {
namespace {

constexpr Index none = FaceLinks::none;

/// A side on the boundary of a patch, and the patch across.
struct Border {
  Index p, q, across;
};

/// The boundaries of all patches; that of patch c starts at first[c].
struct Borders {
  std::vector<Border> sides;
  std::vector<Index> first{0};

  Borders(const Features& f, const FaceLinks& links, const Patches& patches) {
    for (Index c = 0; c < patches.faces.count(); ++c) {
      for (const Index face : patches.faces.part(c))
        for (int k = 0; k < 3; ++k) {
          const Index other = links.across[face][k];
          const Index across = other == none ? none : patches.owner[other];
          if (across != c) sides.push_back({f.faces[face][k], f.faces[face][(k + 1) % 3], across});
        }
      first.push_back(static_cast<Index>(sides.size()));
    }
  }
  std::span<const Border> of(Index c) const {
    return std::span(sides).subspan(first[c], first[c + 1] - first[c]);
  }
};

/// Makes one group after the other.
class Merge {
 public:
  Merge(const Features& features, const FaceLinks& links, const Patches& patches)
      : f_(features), patches_(patches), borders_(features, links, patches),
        state_(patches.faces.count(), State::open) {
    groups_.order.reserve(patches.faces.count());
  }

  Partition run() {
    std::vector<Index> seeds(patches_.faces.count());
    std::iota(seeds.begin(), seeds.end(), 0);
    const auto size = [this](Index c) { return patches_.faces.part(c).size(); };
    std::stable_sort(seeds.begin(), seeds.end(),
                     [&](Index a, Index b) { return size(a) > size(b); });
    for (const Index seed : seeds)
      if (state_[seed] == State::open) gather(seed);
    return std::move(groups_);
  }

 private:
  enum class State : std::uint8_t { open, asked, member, done };

  /// Adds rings of patches to a seed as long as some of a ring can stay.
  void gather(Index seed) {
    view_ = &patches_.views[seed];
    members_ = {seed};
    state_[seed] = State::member;
    if (turns_well(seed) && faces_well(seed))
      while (add_ring()) {
      }
    if (members_.size() > 1 && turns() != 1) {
      for (const Index c : members_) state_[c] = State::open;
      members_ = {seed};
    }
    for (const Index c : members_) {
      state_[c] = State::done;
      groups_.order.push_back(c);
    }
    groups_.close_part();
  }

  /// Asks all neighbours at once, since one alone rarely leaves a boundary that turns around O, and
  /// then sends those away whose sides do not, until the others can stay.
  bool add_ring() {
    ask();
    while (std::erase_if(asked_, [this](Index c) {
             if (turns_well(c) && faces_well(c)) return false;
             state_[c] = State::open;
             return true;
           }) > 0) {
    }
    for (const Index c : asked_) state_[c] = State::member;
    members_.insert(members_.end(), asked_.begin(), asked_.end());
    return !asked_.empty();
  }

  void ask() {
    asked_.clear();
    for (const Index c : members_)
      for (const Border& side : borders_.of(c))
        if (side.across != none && state_[side.across] == State::open) {
          state_[side.across] = State::asked;
          asked_.push_back(side.across);
        }
  }

  bool is_inside(const Border& side) const {
    return side.across != none &&
           (state_[side.across] == State::member || state_[side.across] == State::asked);
  }

  /// Whether the sides of a patch that are on the boundary of the group turn around O.
  bool turns_well(Index c) const {
    const auto sides = borders_.of(c);
    return std::all_of(sides.begin(), sides.end(), [&](const Border& side) {
      return is_inside(side) || view_->positive(turn((*view_)(side.p), (*view_)(side.q)));
    });
  }

  /// Whether all faces of a patch have a positive area.
  bool faces_well(Index c) {
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
  Borders borders_;
  std::vector<State> state_;
  const StarView* view_ = nullptr;
  std::vector<Index> members_, asked_;
  Partition groups_;
};

}  // namespace

Partition merge_patches(const Features& features, const FaceLinks& links, const Patches& patches) {
  return Merge(features, links, patches).run();
}

}  // namespace toccata
