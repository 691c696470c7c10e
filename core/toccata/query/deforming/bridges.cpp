#include "toccata/query/deforming/bridges.hpp"

#include <optional>

#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

constexpr int rings = 8;
constexpr Index chunk = 32;  // groups that a thread takes at once

/// The bridges of a chunk of groups: part by part, the faces on them.
using Bridges = Partition;

/// Builds bridges for one thread.
class BridgeGrowth {
 public:
  /// `joined` has a bit for each side of a face, set when a bridge has both its faces.
  BridgeGrowth(const ClusteredStep& step, std::span<const Index> group,
               std::span<std::uint8_t> joined)
      : step_(step), f_(step.features), group_(group), joined_(joined),
        marks_(f_.faces.size()) {}

  /// From one group to all that come before it.
  void connect(Index g, Bridges& out) {
    for (const Index patch : step_.groups.part(g))
      for (const Index face : step_.patches.faces.part(patch))
        for (int k = 0; k < 3; ++k)
          if (leads_out(face, k, patch) && !(joined_[face] >> k & 1)) connect_side(face, k, out);
  }

 private:
  /// Whether a side of a face of a patch leads to a group that comes before.
  bool leads_out(Index face, int k, Index patch) const {
    const Index other = f_.across[face][k];
    if (other == Features::none) return false;
    const Index owner = step_.patches.owner(other);
    return owner != patch && group_[owner] < group_[patch];
  }

  void connect_side(Index face, int k, Bridges& out) {
    const StarView view = view_of(face, f_.across[face][k]);
    const Index begin = static_cast<Index>(out.order.size());
    grow(view, face, out.order);
    const std::span added = std::span(out.order).subspan(begin);
    if (added.size() < 2) {
      out.order.resize(begin);
      return;
    }
    out.close_part();
    // Other chunks may be at work in other threads, and know nothing of this bridge.
    const Index mine = chunk_of(face);
    for (const Index on : added)
      if (chunk_of(on) == mine)
        for (int i = 0; i < 3; ++i)
          if (const Index other = f_.across[on][i]; other != Features::none && is_inside(other))
            joined_[on] |= 1 << i;
  }
  Index chunk_of(Index face) const { return group_[step_.patches.owner(face)] / chunk; }

  /// Rings of faces around the seed.
  void grow(const StarView& view, Index seed, std::vector<Index>& out) {
    ++mark_;
    const auto take_if_fits = [&](Index face) {
      if (!joins(view, f_, face, [this](Index other) { return is_inside(other); })) return;
      marks_[face] = mark_;
      out.push_back(face);
    };
    std::size_t next = out.size();
    take_if_fits(seed);
    for (int k = 0; k < rings; ++k)
      for (const std::size_t end = out.size(); next < end; ++next)
        for (const Index face : f_.across[out[next]])
          if (face != Features::none && !is_inside(face)) take_if_fits(face);
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

  const ClusteredStep& step_;
  const Features& f_;
  std::span<const Index> group_;  ///< of each patch
  std::span<std::uint8_t> joined_;
  std::vector<Index> marks_;  ///< the last bridge that took the face
  Index mark_ = 0;
};

/// The bridges of all chunks.
std::vector<Bridges> bridges_of(const ClusteredStep& step, unsigned threads) {
  std::vector<Index> group(step.groups.order.size());
  for (Index g = 0; g < step.groups.count(); ++g)
    for (const Index patch : step.groups.part(g)) group[patch] = g;
  std::vector<std::uint8_t> joined(step.features.faces.size());
  std::vector<std::optional<BridgeGrowth>> workers(threads);
  std::vector<Bridges> bridges((step.groups.count() + chunk - 1) / chunk);
  parallel_for(step.groups.count(), chunk, threads,
               [&](std::size_t begin, std::size_t end, unsigned worker) {
                 if (!workers[worker]) workers[worker].emplace(step, group, joined);
                 for (std::size_t g = begin; g < end; ++g)
                   workers[worker]->connect(static_cast<Index>(g), bridges[begin / chunk]);
               });
  return bridges;
}

}  // namespace

void build_bridges(const ClusteredStep& step, unsigned threads, UnfilledVector<Cover>& covers) {
  renew(covers, step.features.faces.size());
  parallel_for(step.groups.count(), chunk, threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (Index g = static_cast<Index>(begin); g < static_cast<Index>(end); ++g)
                   for (const Index patch : step.groups.part(g))
                     for (const Index face : step.patches.faces.part(patch))
                       covers[face] = Cover::in(g);
               });
  const std::vector<Bridges> bridges = bridges_of(step, threads);
  // Each thread looks at all bridges for its faces.
  const std::size_t run = covers.size() / threads + 1;
  parallel_for(covers.size(), run, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    Index id = 0;
    for (const Bridges& some : bridges)
      for (Index i = 0; i < some.count(); ++i, ++id)
        for (const Index on : some.part(i))
          if (const auto face = static_cast<std::size_t>(on); face >= begin && face < end)
            covers[face].add(id);
  });
}

}  // namespace toccata
