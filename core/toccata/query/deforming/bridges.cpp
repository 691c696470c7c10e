#include "toccata/query/deforming/bridges.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/ring_growth.hpp"
#include "toccata/query/deforming/star_faces.hpp"

namespace toccata {
namespace {

constexpr int most_rings = 8;

/// A bridge that grows, over any faces.
struct GrowingBridge {
  Index* marks;
  Index mark;

  bool is_inside(Index face) const { return marks[face] == mark; }
  bool may_take(Index face) const { return !is_inside(face); }
  void fetch(Index face) const { __builtin_prefetch(&marks[face]); }
  void take(Index face) const { marks[face] = mark; }
};

/// Builds bridges for one thread. Apart in memory from what others write.
class alignas(128) BridgeGrowth {
 public:
  explicit BridgeGrowth(const GroupedStep& step)
      : step_(step), f_(step.features), rings_(f_), marks_(f_.faces.size(), 0) {}

  /// Whether a side of a face leads to a group that comes before.
  bool leads_out(Index face, int k) const {
    const Index other = f_.across[face][k];
    return other != Features::none && step_.group(other) < step_.group(face);
  }

  /// Rings of faces around the seed; none if they are not even two faces.
  bool grow(Bridge& bridge) {
    const StarView view = view_of(bridge);
    const GrowingBridge growing{marks_.data(), ++mark_};
    if (rings_.start(view, bridge.seed(), growing))
      for (int k = 0; k < most_rings && rings_.add_ring(view, growing); ++k) {
      }
    const auto faces = rings_.faces();
    bridge.faces.clear();
    if (faces.size() > 1) bridge.faces.assign(faces.begin(), faces.end());
    return !bridge.faces.empty();
  }

  /// A bridge of another step stays as it is, if it is one in this step, or grows anew.
  void renew(Bridge& bridge) {
    ++mark_;
    for (const Index face : bridge.faces) marks_[face] = mark_;
    const auto inside = [this](Index face) { return is_inside(face); };
    if (!is_star(view_of(bridge), f_, bridge.faces, inside)) grow(bridge);
  }

  /// Of the last bridge.
  bool is_inside(Index face) const { return marks_[face] == mark_; }

 private:
  /// Against the sum of normals around the place where two faces meet; O moves with the first.
  StarView view_of(const Bridge& bridge) const {
    const Index seed = bridge.seed(), other = f_.across[seed][bridge.side % 3];
    Vec3d normal{0, 0, 0};
    for (const Index middle : {seed, other})
      for (const Index near : f_.across[middle])
        if (near != Features::none) normal = normal + normal_of(near);
    const Face& f = f_.faces[seed];
    const auto center = [&](std::span<const Vec3d> p) {
      return p[f[0]] + ((p[f[1]] - p[f[0]]) + (p[f[2]] - p[f[0]])) * (1.0 / 3);
    };
    return {step_.frames, normal, center(step_.frames.start), center(step_.frames.end),
            step_.diagonal};
  }

  /// Halfway through the step.
  Vec3d normal_of(Index face) const {
    const Face& f = f_.faces[face];
    const auto from_first = [&](Index v) {
      return (step_.frames.start[v] - step_.frames.start[f[0]]) +
             (step_.frames.end[v] - step_.frames.end[f[0]]);
    };
    return cross(from_first(f[1]), from_first(f[2]));
  }

  const GroupedStep& step_;
  const Features& f_;
  RingGrowth rings_;
  UninitializedVector<Index> marks_;  ///< the last bridge that took the face
  Index mark_ = 0;
};

/// Connects cells for one thread.
class Connection {
 public:
  Connection(const GroupedStep& step, const Cells& cells)
      : growth_(step), f_(step.features), cells_(cells), open_(f_.faces.size(), 0) {}

  /// From the groups of one cell to all that come before them. What is found out about faces of
  /// other cells stays unknown to other threads, which may be at work on these.
  std::vector<Bridge> connect(Index cell) {
    std::vector<Bridge> out;
    find_open(cell);
    for (const Index face : border_)
      for (int k = 0; k < 3; ++k) {
        if (!(open_[face] >> k & 1)) continue;
        open_[face] &= ~(1 << k);
        Bridge bridge{3 * face + k, {}};
        if (!growth_.grow(bridge)) continue;
        for (const Index on : bridge.faces)
          if (open_[on]) close(on);
        out.push_back(std::move(bridge));
      }
    return out;
  }

 private:
  void find_open(Index cell) {
    border_.clear();
    for (const Index face : cells_.faces.part(cell)) {
      for (int k = 0; k < 3; ++k) open_[face] |= growth_.leads_out(face, k) << k;
      if (open_[face]) border_.push_back(face);
    }
  }

  /// Closes the sides of a face that the last bridge has gone across.
  void close(Index face) {
    for (int k = 0; k < 3; ++k)
      if (open_[face] >> k & 1 && growth_.is_inside(f_.across[face][k])) open_[face] &= ~(1 << k);
  }

  BridgeGrowth growth_;
  const Features& f_;
  const Cells& cells_;
  /// A bit for each side that leads out and has neither been tried nor been crossed by a bridge.
  UninitializedVector<std::uint8_t> open_;
  std::vector<Index> border_;  ///< faces with such sides
};

bool by_side(const Bridge& a, const Bridge& b) { return a.side < b.side; }

/// The side of a face that has another across.
Index side_between(const GroupedStep& step, Index face, Index other) {
  const auto& across = step.features.across[face];
  return 3 * face + (across[0] == other ? 0 : across[1] == other ? 1 : 2);
}

}  // namespace

std::vector<Bridge> build_bridges(const GroupedStep& step, const Cells& cells, unsigned threads) {
  std::vector<std::optional<Connection>> workers(threads);
  std::vector<std::vector<Bridge>> of_cells(cells.count());
  parallel_for(of_cells.size(), 1, threads, [&](std::size_t cell, std::size_t, unsigned worker) {
    if (!workers[worker]) workers[worker].emplace(step, cells);
    of_cells[cell] = workers[worker]->connect(static_cast<Index>(cell));
  });
  std::vector<Bridge> all;
  for (auto& some : of_cells) std::move(some.begin(), some.end(), std::back_inserter(all));
  return all;
}

void renew_bridges(const GroupedStep& step, unsigned threads, std::vector<Bridge>& bridges) {
  std::vector<std::optional<BridgeGrowth>> workers(threads);
  parallel_for(bridges.size(), 16, threads,
               [&](std::size_t begin, std::size_t end, unsigned worker) {
                 if (!workers[worker]) workers[worker].emplace(step);
                 for (std::size_t i = begin; i < end; ++i) workers[worker]->renew(bridges[i]);
               });
  std::erase_if(bridges, [](const Bridge& bridge) { return bridge.faces.empty(); });
}

void make_covers(const GroupedStep& step, std::span<const Bridge> bridges, unsigned threads,
                 UninitializedVector<Cover>& covers) {
  renew(covers, step.features.faces.size());
  // Each thread looks at all bridges for its faces: that is little work, but too much for few
  // faces.
  const std::size_t chunk = std::max<std::size_t>(covers.size() / threads + 1, 1 << 12);
  parallel_for(covers.size(), chunk, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i)
      covers[i] = Cover::in(step.group(static_cast<Index>(i)));
    for (const Bridge& bridge : bridges)
      for (const Index face : bridge.faces)
        if (const auto i = static_cast<std::size_t>(face); i >= begin && i < end)
          covers[i].add(bridge.side);
  });
}

void add_bridges(const GroupedStep& step, std::span<const Index> faces,
                 std::vector<Bridge>& bridges, std::span<Cover> covers) {
  if (faces.empty()) return;
  std::sort(bridges.begin(), bridges.end(), by_side);
  BridgeGrowth growth(step);
  std::vector<Bridge> more;
  std::set<Index> tried;  // both faces at a side may be among them
  for (const Index face : faces)
    for (int k = 0; k < 3; ++k) {
      const Index other = step.features.across[face][k];
      if (other == Features::none || step.group(other) == step.group(face) ||
          bridged(covers[face], covers[other]))
        continue;
      Bridge bridge{growth.leads_out(face, k) ? 3 * face + k : side_between(step, other, face), {}};
      // A side may have a bridge that did not get across it. Another would be one of the same name.
      if (!tried.insert(bridge.side).second ||
          std::binary_search(bridges.begin(), bridges.end(), bridge, by_side) ||
          !growth.grow(bridge))
        continue;
      for (const Index on : bridge.faces) covers[on].add(bridge.side);
      more.push_back(std::move(bridge));
    }
  std::move(more.begin(), more.end(), std::back_inserter(bridges));
}

}  // namespace toccata
