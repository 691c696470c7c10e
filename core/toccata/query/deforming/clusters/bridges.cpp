// Growth of bridges across seams, renewal of the bridges of a previous step, and memberships.
#include "toccata/query/deforming/clusters/bridges.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/clusters/growth.hpp"
#include "toccata/query/deforming/clusters/proof.hpp"

namespace toccata {
namespace {

constexpr int most_rings = 8;

/// A growing bridge, which may take any face.
struct GrowingBridge {
  Index* marks;
  Index mark;

  bool is_inside(Index face) const { return marks[face] == mark; }
  bool may_take(Index face) const { return !is_inside(face); }
  void fetch(Index face) const { __builtin_prefetch(&marks[face]); }
  void take(Index face) const { marks[face] = mark; }
};

/// Growth of bridges for one thread. Aligned to prevent false sharing.
class alignas(128) BridgeGrowth {
 public:
  explicit BridgeGrowth(const Clustered& clusters)
      : clusters_(clusters),
        f_(clusters.features()),
        rings_(f_),
        marks_(f_.faces.size(), 0),
        outer_(clusters.step.separation > 0 ? f_.vertex_count : 0, 0) {}

  /// Returns whether a side of a face leads to a cluster with a smaller index.
  bool leads_out(Index face, int k) const {
    const Index other = f_.across[face][k];
    return other != Features::none && clusters_.cluster(other) < clusters_.cluster(face);
  }

  /// Grows rings of faces around the seed. Leaves the bridge empty if there are fewer than two
  /// faces.
  bool grow(Bridge& bridge) {
    const StarView view = view_of(bridge);
    const GrowingBridge growing{marks_.data(), ++mark_};
    if (rings_.start(view, bridge.seed(), growing))
      for (int k = 0; k < most_rings && rings_.add_ring(view, growing); ++k) {
      }
    const auto faces = rings_.faces();
    bridge.faces.clear();
    if (faces.size() > 1) bridge.faces.assign(faces.begin(), faces.end());
    put_inner_first(bridge);
    return !bridge.faces.empty();
  }

  /// Keeps a bridge of another step if it is a bridge in this step, too. Otherwise grows it again.
  void renew(Bridge& bridge) {
    ++mark_;
    for (const Index face : bridge.faces) marks_[face] = mark_;
    const auto inside = [this](Index face) { return is_inside(face); };
    if (is_star(view_of(bridge), clusters_.step, bridge.faces, inside)) put_inner_first(bridge);
    else grow(bridge);
  }

  /// Returns whether a face is in the last bridge.
  bool is_inside(Index face) const { return marks_[face] == mark_; }

 private:
  bool is_inner(Index face) const {
    if (outer_.empty()) return true;
    const auto& [a, b, c] = f_.oriented()[face];
    return outer_[a] != mark_ && outer_[b] != mark_ && outer_[c] != mark_;
  }

  /// Sorts inner faces first. The boundary is closed, so a side of it begins at each of its
  /// vertices.
  void put_inner_first(Bridge& bridge) {
    bridge.inner = bridge.faces.size();
    if (outer_.empty()) return;
    const auto inside = [this](Index face) { return is_inside(face); };
    for (const Index face : bridge.faces)
      for_each_outer_side(f_, face, inside, [&](int k) {
        outer_[f_.oriented()[face][k]] = mark_;
        return true;
      });
    const auto rest = std::stable_partition(bridge.faces.begin(), bridge.faces.end(),
                                            [this](Index face) { return is_inner(face); });
    bridge.inner = static_cast<std::size_t>(rest - bridge.faces.begin());
  }

  /// Returns the view against the sum of normals around the side, with the point O moving with the
  /// seed.
  StarView view_of(const Bridge& bridge) const {
    const Index seed = bridge.seed(), other = f_.across[seed][bridge.side % 3];
    Vec3d normal{0, 0, 0};
    for (const Index middle : {seed, other})
      for (const Index near : f_.across[middle])
        if (near != Features::none) normal = normal + normal_of(near);
    return {clusters_.step, normal, seed};
  }

  /// Returns the normal halfway through the step, up to a factor.
  Vec3d normal_of(Index face) const {
    const Face& f = f_.oriented()[face];
    const auto from_first = [&](Index v) {
      return (clusters_.step.frames.start[v] - clusters_.step.frames.start[f[0]]) +
             (clusters_.step.frames.end[v] - clusters_.step.frames.end[f[0]]);
    };
    return cross(from_first(f[1]), from_first(f[2]));
  }

  const Clustered& clusters_;
  const Features& f_;
  RingGrowth rings_;
  UninitializedVector<Index> marks_;  ///< the last bridge that took the face
  UninitializedVector<Index> outer_;  ///< the last bridge with the vertex on its boundary
  Index mark_ = 0;
};

/// Search for bridges between the clusters of cells, for one thread.
class Connection {
 public:
  Connection(const Clustered& clusters, const Cells& cells)
      : growth_(clusters), f_(clusters.features()), cells_(cells), pending_(f_.faces.size(), 0) {}

  /// Builds bridges from the clusters of one cell to all clusters with smaller indices. Changes
  /// nothing that other threads read, even about faces of other cells.
  std::vector<Bridge> connect(Index cell) {
    std::vector<Bridge> out;
    find_pending(cell);
    for (const Index face : seam_faces_)
      for (int k = 0; k < 3; ++k) {
        if (!(pending_[face] >> k & 1)) continue;
        pending_[face] &= ~(1 << k);
        Bridge bridge{3 * face + k, {}};
        if (!growth_.grow(bridge)) continue;
        for (const Index on : bridge.faces)
          if (pending_[on]) close(on);
        out.push_back(std::move(bridge));
      }
    return out;
  }

 private:
  void find_pending(Index cell) {
    seam_faces_.clear();
    for (const Index face : cells_.faces.part(cell)) {
      for (int k = 0; k < 3; ++k) pending_[face] |= growth_.leads_out(face, k) << k;
      if (pending_[face]) seam_faces_.push_back(face);
    }
  }

  /// Marks the sides of a face that the last bridge crosses as done.
  void close(Index face) {
    for (int k = 0; k < 3; ++k)
      if (pending_[face] >> k & 1 && growth_.is_inside(f_.across[face][k]))
        pending_[face] &= ~(1 << k);
  }

  BridgeGrowth growth_;
  const Features& f_;
  const Cells& cells_;
  /// One bit for each side that leads out and has neither been tried nor been crossed by a bridge.
  UninitializedVector<std::uint8_t> pending_;
  std::vector<Index> seam_faces_;  ///< faces with such sides
};

bool by_side(const Bridge& a, const Bridge& b) { return a.side < b.side; }

/// Returns the side of a face with another face across.
Index side_between(const Clustered& clusters, Index face, Index other) {
  const auto& across = clusters.features().across[face];
  return 3 * face + (across[0] == other ? 0 : across[1] == other ? 1 : 2);
}

}  // namespace

std::vector<Bridge> build_bridges(const Clustered& clusters, const Cells& cells, unsigned threads) {
  std::vector<std::optional<Connection>> workers(threads);
  std::vector<std::vector<Bridge>> of_cells(cells.count());
  parallel_for(of_cells.size(), 1, threads, [&](std::size_t cell, std::size_t, unsigned worker) {
    if (!workers[worker]) workers[worker].emplace(clusters, cells);
    of_cells[cell] = workers[worker]->connect(static_cast<Index>(cell));
  });
  std::vector<Bridge> all;
  for (auto& some : of_cells) std::move(some.begin(), some.end(), std::back_inserter(all));
  return all;
}

void renew_bridges(const Clustered& clusters, unsigned threads, std::vector<Bridge>& bridges) {
  std::vector<std::optional<BridgeGrowth>> workers(threads);
  parallel_for(bridges.size(), 16, threads,
               [&](std::size_t begin, std::size_t end, unsigned worker) {
                 if (!workers[worker]) workers[worker].emplace(clusters);
                 for (std::size_t i = begin; i < end; ++i) workers[worker]->renew(bridges[i]);
               });
  std::erase_if(bridges, [](const Bridge& bridge) { return bridge.faces.empty(); });
}

namespace {

/// Returns, for each vertex, whether it is on the boundary of a cluster, at the beginning of a
/// side. Empty without a separation.
AtomicIndices outer_vertices(const Clustered& clusters, unsigned threads) {
  const Features& f = clusters.features();
  if (clusters.step.separation == 0) return {};
  AtomicIndices outer(f.vertex_count);
  parallel_for(f.vertex_count, 1 << 12, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t v = begin; v < end; ++v) std::construct_at(&outer[v], 0);
  });
  parallel_for(f.faces.size(), 1 << 12, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (Index face = static_cast<Index>(begin); face < static_cast<Index>(end); ++face) {
      const Index own = clusters.cluster(face);
      const auto inside = [&](Index other) { return clusters.cluster(other) == own; };
      for_each_outer_side(f, face, inside, [&](int k) {
        outer[f.oriented()[face][k]].store(1, std::memory_order_relaxed);
        return true;
      });
    }
  });
  return outer;
}

void add_bridge(const Bridge& bridge, std::size_t i, Membership& membership) {
  membership.add(PatchCode::of(bridge.side, i < bridge.inner));
}

}  // namespace

void make_memberships(const Clustered& clusters, std::span<const Bridge> bridges, unsigned threads,
                      UninitializedVector<Membership>& memberships) {
  const Features& f = clusters.features();
  const AtomicIndices outer = outer_vertices(clusters, threads);
  const auto is_inner = [&](Index face) {
    const auto is_outer = [&](Index v) { return outer[v].load(std::memory_order_relaxed) != 0; };
    return outer.empty() || std::none_of(f.faces[face].begin(), f.faces[face].end(), is_outer);
  };
  renew(memberships, f.faces.size());
  // Each thread iterates over all bridges for its own faces. This is little work, but too much if
  // there are few faces.
  const std::size_t grain = std::max<std::size_t>(memberships.size() / threads + 1, 1 << 12);
  parallel_for(
      memberships.size(), grain, threads, [&](std::size_t begin, std::size_t end, unsigned) {
        for (Index face = static_cast<Index>(begin); face < static_cast<Index>(end); ++face)
          memberships[face] = Membership::in(PatchCode::of(clusters.cluster(face), is_inner(face)));
        for (const Bridge& bridge : bridges)
          for (std::size_t i = 0; i < bridge.faces.size(); ++i)
            if (const auto face = static_cast<std::size_t>(bridge.faces[i]);
                face >= begin && face < end)
              add_bridge(bridge, i, memberships[face]);
      });
}

void add_bridges(const Clustered& clusters, std::span<const Index> faces,
                 std::vector<Bridge>& bridges, std::span<Membership> memberships) {
  if (faces.empty()) return;
  std::sort(bridges.begin(), bridges.end(), by_side);
  BridgeGrowth growth(clusters);
  std::vector<Bridge> more;
  // A side may be visited from both of its faces.
  std::set<Index> tried;
  for (const Index face : faces)
    for (int k = 0; k < 3; ++k) {
      const Index other = clusters.features().across[face][k];
      if (other == Features::none || clusters.cluster(other) == clusters.cluster(face) ||
          bridged(memberships[face], memberships[other]))
        continue;
      Bridge bridge{growth.leads_out(face, k) ? 3 * face + k : side_between(clusters, other, face),
                    {}};
      // A side may have a bridge that did not cross it. Another one would get the same id.
      if (!tried.insert(bridge.side).second ||
          std::binary_search(bridges.begin(), bridges.end(), bridge, by_side) ||
          !growth.grow(bridge))
        continue;
      for (std::size_t i = 0; i < bridge.faces.size(); ++i)
        add_bridge(bridge, i, memberships[bridge.faces[i]]);
      more.push_back(std::move(bridge));
    }
  std::move(more.begin(), more.end(), std::back_inserter(bridges));
}

}  // namespace toccata
