#include "toccata/query/deforming/bridges.hpp"

#include <optional>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/ring_growth.hpp"

namespace toccata {
namespace {

constexpr int rings = 8;

/// A face on a bridge.
struct OnBridge {
  Index face, bridge;
};

/// The bridge that grows, over any faces.
struct GrowingBridge {
  UnfilledVector<Index>& marks;
  Index mark;
  std::vector<Index>& faces;

  bool is_inside(Index face) const { return marks[face] == mark; }
  bool may_take(Index face) const { return !is_inside(face); }
  void fetch(Index face) const { __builtin_prefetch(&marks[face]); }
  void take(Index face) {
    marks[face] = mark;
    faces.push_back(face);
  }
};

/// What threads share: each of them writes only to the faces of the cells that it works on.
struct Shared {
  const ClusteredStep& step;
  std::vector<Index> group;  ///< of each patch
  std::span<Cover> covers;
};

/// Builds bridges for one thread.
class BridgeGrowth {
 public:
  explicit BridgeGrowth(Shared& shared)
      : shared_(shared), step_(shared.step), f_(step_.features), growth_(f_),
        joined_(f_.faces.size(), 0), marks_(f_.faces.size(), 0) {}

  /// From the groups of one cell to all that come before them. Returns what is in other cells,
  /// which other threads may be at work on: they know nothing of it.
  std::vector<OnBridge> connect(Index cell) {
    const auto faces = step_.patches.cells.faces.part(cell);
    for (const Index face : faces) shared_.covers[face] = Cover::in(group_of(face));
    std::vector<OnBridge> beyond;
    for (const Index face : faces)
      for (int k = 0; k < 3; ++k)
        if (leads_out(face, k) && !(joined_[face] >> k & 1)) connect_side(face, k, beyond);
    return beyond;
  }

 private:
  Index group_of(Index face) const { return shared_.group[step_.patches.owner(face)]; }

  /// Whether a side of a face leads to a group that comes before.
  bool leads_out(Index face, int k) const {
    const Index other = f_.across[face][k];
    return other != Features::none && group_of(other) < group_of(face);
  }

  void connect_side(Index face, int k, std::vector<OnBridge>& beyond) {
    grow(view_of(face, f_.across[face][k]), face);
    if (added_.size() < 2) return;
    const Index bridge = 3 * face + k;  // no other has this number
    const auto& cells = step_.patches.cells.owner;
    for (const Index on : added_) {
      if (cells[on] != cells[face]) {
        beyond.push_back({on, bridge});
        continue;
      }
      shared_.covers[on].add(bridge);
      for (int i = 0; i < 3; ++i)
        if (const Index other = f_.across[on][i]; other != Features::none && is_inside(other))
          joined_[on] |= 1 << i;
    }
  }

  void grow(const StarView& view, Index seed) {
    added_.clear();
    GrowingBridge bridge{marks_, ++mark_, added_};
    if (!growth_.start(view, seed, bridge)) return;
    for (int k = 0; k < rings && growth_.add_ring(view, bridge); ++k) {
    }
  }

  /// Against the sum of normals around the place where two faces meet; O moves with the first.
  StarView view_of(Index face, Index other) const {
    Vec3d normal{0, 0, 0};
    for (const Index middle : {face, other})
      for (const Index near : f_.across[middle])
        if (near != Features::none) normal = normal + normal_of(near);
    const auto& [a, b, c] = f_.faces[face];
    const auto center = [&](std::span<const Vec3d> p) {
      return p[a] + ((p[b] - p[a]) + (p[c] - p[a])) * (1.0 / 3);
    };
    return {step_.frames, normal, center(step_.frames.start), center(step_.frames.end),
            step_.diagonal};
  }

  /// Halfway through the step.
  Vec3d normal_of(Index face) const {
    const auto& [a, b, c] = f_.faces[face];
    const auto from_a = [&](Index v) {
      return (step_.frames.start[v] - step_.frames.start[a]) +
             (step_.frames.end[v] - step_.frames.end[a]);
    };
    return cross(from_a(b), from_a(c));
  }

  bool is_inside(Index face) const { return marks_[face] == mark_; }

  Shared& shared_;
  const ClusteredStep& step_;
  const Features& f_;
  RingGrowth growth_;
  UnfilledVector<std::uint8_t> joined_;  ///< a bit for each side, set when a bridge has both faces
  UnfilledVector<Index> marks_;          ///< the last bridge that took the face
  Index mark_ = 0;
  std::vector<Index> added_;  ///< faces of the last bridge
};

std::vector<Index> groups_of_patches(const Partition& groups) {
  std::vector<Index> group(groups.order.size());
  for (Index g = 0; g < groups.count(); ++g)
    for (const Index patch : groups.part(g)) group[patch] = g;
  return group;
}

}  // namespace

void build_bridges(const ClusteredStep& step, unsigned threads, UnfilledVector<Cover>& covers) {
  renew(covers, step.features.faces.size());
  Shared shared{step, groups_of_patches(step.groups), covers};
  std::vector<std::optional<BridgeGrowth>> workers(threads);
  std::vector<std::vector<OnBridge>> beyond(step.patches.cells.count());
  parallel_for(beyond.size(), 1, threads, [&](std::size_t cell, std::size_t, unsigned worker) {
    if (!workers[worker]) workers[worker].emplace(shared);
    beyond[cell] = workers[worker]->connect(static_cast<Index>(cell));
  });
  // Each thread looks at all for its faces: they are few.
  parallel_for(covers.size(), covers.size() / threads + 1, threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (const auto& some : beyond)
                   for (const auto [face, bridge] : some)
                     if (const auto i = static_cast<std::size_t>(face); i >= begin && i < end)
                       covers[i].add(bridge);
               });
}

}  // namespace toccata
