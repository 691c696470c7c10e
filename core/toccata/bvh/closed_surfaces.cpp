// Search for closed surfaces: pairs faces at edges, orients them and reports the first defect.
#include "toccata/bvh/closed_surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "toccata/bvh/rings.hpp"
#include "toccata/bvh/signed_sets.hpp"

namespace toccata {
namespace {

/// An edge of a face of a solid, from the vertex with the smaller index to the other.
struct SolidSide {
  Index solid, from, to, face;
  int along;  ///< 1 if the face traverses the edge in this direction, otherwise -1

  auto edge() const { return std::tie(solid, from, to); }
};

template <class Visit>
void for_edges(const std::vector<SolidSide>& sides, const Visit& visit) {
  for (auto first = sides.begin(); first != sides.end();) {
    auto last = first;
    while (last != sides.end() && last->edge() == first->edge()) ++last;
    visit(std::span(first, last));
    first = last;
  }
}

class ClosedSurfaceFinder {
 public:
  ClosedSurfaceFinder(std::span<const Vec3d> vertices, std::span<const Index> same,
                      std::span<const Face> faces, std::span<const Index> solids)
      : vertices_(vertices),
        same_(same),
        faces_(faces),
        solids_(solids),
        twin_(faces.size()),
        paired_(faces.size()),
        doubled_(faces.size()),
        parts_(faces.size()),
        patches_(faces.size()),
        components_(faces.size()) {}

  ClosedSurfaces run() {
    collect();
    find_twins();
    count_twins_once();
    check_closed();
    join_patches();
    return closed_surfaces();
  }

  /// Sets `solids` to 0 for faces of components that `run` would reject.
  void keep_closed(std::span<Index> solids) {
    collect();
    find_twins();
    count_twins_once();
    if (!has_twins_) join_parts();
    const std::vector<char> closed = closed_parts();
    if (std::find(closed.begin(), closed.end(), 1) == closed.end())
      return std::fill(solids.begin(), solids.end(), 0);
    for (Index i = 0; i < static_cast<Index>(faces_.size()); ++i)
      if (has_three_corners(faces_[i]) && !closed[parts_.root(i)]) solids[i] = 0;
  }

 private:
  bool has_three_corners(const Face& f) const {
    return same_[f[0]] != same_[f[1]] && same_[f[1]] != same_[f[2]] && same_[f[2]] != same_[f[0]];
  }

  void collect() {
    for (Index i = 0; i < static_cast<Index>(faces_.size()); ++i) {
      const Face& face = faces_[i];
      if (solids_[i] <= 0 || !has_three_corners(face)) continue;
      for (int k = 0; k < 3; ++k) {
        const Index a = same_[face[k]], b = same_[face[(k + 1) % 3]];
        sides_.push_back({solids_[i], std::min(a, b), std::max(a, b), i, a < b ? 1 : -1});
      }
    }
    std::sort(sides_.begin(), sides_.end(), [](const SolidSide& s, const SolidSide& t) {
      return std::tie(s.solid, s.from, s.to, s.face) < std::tie(t.solid, t.from, t.to, t.face);
    });
  }

  /// Marks faces with the same corners as an earlier face of the solid, and all faces that occur an
  /// even number of times.
  void find_twins() {
    std::vector<std::pair<std::array<Index, 4>, Index>> keys;
    for (Index i = 0; i < static_cast<Index>(faces_.size()); ++i) {
      const Face& f = faces_[i];
      if (solids_[i] <= 0 || !has_three_corners(f)) continue;
      keys.push_back({{same_[f[0]], same_[f[1]], same_[f[2]], solids_[i]}, i});
      std::sort(keys.back().first.begin(), keys.back().first.begin() + 3);
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t first = 0, last = 0; first < keys.size(); first = last) {
      while (last < keys.size() && keys[last].first == keys[first].first) ++last;
      for (std::size_t k = first; k < last; ++k) {
        twin_[keys[k].second] = k > first;
        paired_[keys[k].second] = (last - first) % 2 == 0;
      }
      has_twins_ |= last - first > 1;
    }
  }

  /// Unites faces that are connected by edges.
  void join_parts() {
    for_edges(sides_, [&](std::span<const SolidSide> edge) {
      for (const SolidSide& side : edge) parts_.join(edge[0].face, side.face, 1);
    });
  }

  /// Ignores faces that repeat another face, unless this creates a boundary: two solids may share a
  /// wall.
  void count_twins_once() {
    if (!has_twins_) return;
    join_parts();
    std::vector<char> needed(faces_.size()), repeats(faces_.size());
    for_edges(sides_, [&](std::span<const SolidSide> edge) {
      for (const SolidSide& side : edge) repeats[parts_.root(side.face)] |= twin_[side.face];
      const auto once = std::count_if(edge.begin(), edge.end(),
                                      [&](const SolidSide& side) { return !twin_[side.face]; });
      if (once % 2) needed[parts_.root(edge[0].face)] = true;
    });
    std::erase_if(sides_, [&](const SolidSide& side) {
      const bool once = !needed[parts_.root(side.face)];
      doubled_[side.face] = once && repeats[parts_.root(side.face)];
      return once && twin_[side.face];
    });
  }

  struct Bad {
    std::size_t count = 0;
    SolidSide first{};
    void add(const SolidSide& side) {
      if (count++ == 0 || side.face < first.face) first = side;
    }
  };

  void refuse(const char* expected, const Bad& bad, const char* what) const {
    if (bad.count == 0) return;
    const auto vertex = [&](Index id) {
      for (const Index v : faces_[bad.first.face])
        if (same_[v] == id) return std::to_string(v);
      return std::to_string(id);
    };
    throw std::invalid_argument(std::string("solid: expected ") + expected + ", got " +
                                std::to_string(bad.count) + " " + what +
                                ", the first between vertices " + vertex(bad.first.from) + " and " +
                                vertex(bad.first.to));
  }

  void check_closed() {
    Bad border, torn;
    for_edges(sides_, [&](std::span<const SolidSide> edge) {
      if (edge.size() % 2) border.add(edge[0]);
    });
    refuse("a closed mesh", border, "edges with an odd number of faces");
    join_pairs([&](const SolidSide& side) { torn.add(side); });
    refuse("an orientable mesh", torn, "edges whose two faces cannot face one way");
  }

  /// Returns, for the representative of each component, whether it is closed, is orientable and
  /// encloses anything.
  std::vector<char> closed_parts() {
    std::vector<char> closed(faces_.size());
    for (const SolidSide& side : sides_)
      closed[parts_.root(side.face)] |= !paired_[side.face] || doubled_[side.face];
    for_edges(sides_, [&](std::span<const SolidSide> edge) {
      if (edge.size() % 2) closed[parts_.root(edge[0].face)] = false;
    });
    join_pairs([&](const SolidSide& side) { closed[parts_.root(side.face)] = false; });
    return closed;
  }

  /// Unites faces into patches, over edges of two faces. Calls `torn` with a side of each edge at
  /// which the two faces cannot be oriented consistently.
  template <class Torn>
  void join_pairs(const Torn& torn) {
    for_edges(sides_, [&](std::span<const SolidSide> edge) {
      if (edge.size() != 2) return;
      const SolidSide &s = edge[0], &t = edge[1];
      if (!patches_.join(s.face, t.face, -s.along * t.along)) torn(s);
    });
  }

  /// Unites patches that meet at an edge of more than two faces, because only together they are
  /// closed.
  void join_patches() {
    std::vector<Index> ends;
    for_edges(sides_, [&](std::span<const SolidSide> edge) {
      if (edge.size() == 2) return;
      ends.clear();
      for (const SolidSide& side : edge) ends.push_back(patches_.root(side.face));
      std::sort(ends.begin(), ends.end());
      Index before = -1;
      for (std::size_t i = 0, next = 0; i < ends.size(); i = next) {
        while (next < ends.size() && ends[next] == ends[i]) ++next;
        if ((next - i) % 2 == 0) continue;
        if (before >= 0) components_.join(before, ends[i], 1);
        before = ends[i];
      }
    });
  }

  Index component(Index face) { return components_.root(patches_.root(face)); }

  /// Orientation of a component of patches.
  struct Component {
    Index surface = -1;
    // The faces are consistent at all edges as given.
    bool given = true;
    // The faces are consistent after those were flipped that `patches_` tells.
    bool own = true;
    bool doubled = false;
  };

  void find_orientations(std::vector<Component>& components) {
    for (const SolidSide& side : sides_) {
      Component& g = components[component(side.face)];
      if (component(side.face) != patches_.root(side.face))
        // A patch implies nothing about the orientation of another patch.
        g.own = false;
      g.doubled |= doubled_[side.face] != 0;
    }
    std::vector<std::array<Index, 3>> sums;
    for_edges(sides_, [&](std::span<const SolidSide> edge) {
      sums.clear();
      for (const SolidSide& s : edge)
        sums.push_back({component(s.face), s.along, s.along * patches_.sign(s.face)});
      std::sort(sums.begin(), sums.end());
      for (std::size_t i = 0; i < sums.size();) {
        const Index id = sums[i][0];
        Index given = 0, own = 0;
        for (; i < sums.size() && sums[i][0] == id; ++i) given += sums[i][1], own += sums[i][2];
        components[id].given &= given == 0;
        components[id].own &= own == 0;
      }
    });
  }

  ClosedSurfaces closed_surfaces() {
    std::vector<Component> components(faces_.size());
    find_orientations(components);
    std::vector<char> used(faces_.size());
    for (const SolidSide& side : sides_) used[side.face] = true;
    ClosedSurfaces result;
    result.of_face.resize(faces_.size());
    std::vector<std::vector<Index>> members;
    for (Index i = 0; i < static_cast<Index>(faces_.size()); ++i) {
      if (!used[i]) continue;
      Component& g = components[component(i)];
      if (g.surface < 0) {
        g.surface = static_cast<Index>(result.all.size());
        result.all.push_back({solids_[i], g.given || g.own, g.given && !g.doubled});
        members.emplace_back();
      }
      members[g.surface].push_back(i);
      result.of_face[i] = (g.surface + 1) * (g.given ? 1 : patches_.sign(i));
    }
    for (std::size_t k = 0; k < members.size(); ++k)
      if (result.all[k].outward) result.all[k].outward = volume_sign(members[k]);
    return result;
  }

  /// Returns the sign of the volume that faces enclose, or 0 if rounding may have determined it.
  int volume_sign(const std::vector<Index>& members) const {
    const Vec3d origin = vertices_[faces_[members[0]][0]];
    const auto arm = [&](Index i, int k) { return vertices_[faces_[i][k]] - origin; };
    double size = 0;
    for (const Index i : members)
      for (int k = 0; k < 3; ++k) {
        const Vec3d v = arm(i, k);
        size = std::max({size, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
      }
    const double scale = std::ldexp(1.0, std::min(-std::ilogb(size), 1000));
    double volume = 0, sum = 0;
    for (const Index i : members) {
      const double part = dot(arm(i, 0) * scale, cross(arm(i, 1) * scale, arm(i, 2) * scale));
      volume += part;
      sum += std::abs(part);
    }
    // There are at most 2^28 terms, each with errors of 2^-50 from rounding and 2^-53 from
    // summation.
    return !(std::abs(volume) > 0x1p-24 * sum) ? 0 : volume > 0 ? 1 : -1;
  }

  std::span<const Vec3d> vertices_;
  std::span<const Index> same_;
  std::span<const Face> faces_;
  std::span<const Index> solids_;
  std::vector<SolidSide> sides_;  // sorted by edge
  std::vector<char> twin_;        // true if the face has the corners of an earlier face
  std::vector<char> paired_;      // true if the face occurs an even number of times
  std::vector<char> doubled_;     // true for faces of components with faces that count once
  bool has_twins_ = false;
  SignedSets parts_, patches_, components_;
};

bool are_valid(std::span<const Vec3d> vertices, std::span<const Face> faces) {
  const auto count = static_cast<Index>(vertices.size());
  const auto is_finite = [](const Vec3d& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
  };
  return std::all_of(vertices.begin(), vertices.end(), is_finite) &&
         std::all_of(faces.begin(), faces.end(), [&](const Face& face) {
           return std::all_of(face.begin(), face.end(),
                              [&](Index v) { return 0 <= v && v < count; });
         });
}

}  // namespace

ClosedSurfaces find_closed_surfaces(std::span<const Vec3d> vertices, std::span<const Index> same,
                                    std::span<const Face> faces, std::span<const Index> solids) {
  return ClosedSurfaceFinder(vertices, same, faces, solids).run();
}

void keep_closed_parts(std::span<const Vec3d> vertices, std::span<const Face> faces,
                       std::span<Index> solids) {
  // `Mesh` rejects invalid arrays.
  if (!are_valid(vertices, faces)) return;
  const std::vector<Index> same = welded(vertices);
  const std::vector<Index> given(solids.begin(), solids.end());
  ClosedSurfaceFinder(vertices, same, faces, given).keep_closed(solids);
}

}  // namespace toccata
