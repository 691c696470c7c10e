#include "toccata/bvh/solid.hpp"

#include <algorithm>

#include "toccata/bvh/mesh.hpp"
#include "toccata/geometry/predicates.hpp"

namespace toccata {
namespace {

/// Visits the faces of all leaves whose boxes `meets` lets through, until `visit` returns true. A
/// box is given by where the point is along its axes, from its center, and by how far it reaches.
template <class Meets, class Visit>
bool any_face(const Mesh& mesh, const Vec3d& point, const Meets& meets, const Visit& visit) {
  thread_local std::vector<Index> stack;
  const std::vector<WideNode>& nodes = mesh.bvh().nodes;
  const Vec3d place = point - mesh.center();
  // Boxes contain the corners as they are relative to the center. Those and `place` are rounded by
  // 2^-53 of the radius; so are the few sums and quotients that follow.
  const double slack = 0x1p-46 * (mesh.radius() + norm(place));
  stack.assign(1, 0);
  while (!stack.empty()) {
    const WideNode& node = nodes[stack.back()];
    stack.pop_back();
    for (int lane = 0; lane < lanes; ++lane) {
      if (!(node.used >> lane & 1)) continue;
      const Volume box = volume<VolumeKind::box>(node, lane);
      const Mat3d axes{to_double(box.axes.x), to_double(box.axes.y), to_double(box.axes.z)};
      const Vec3d half = to_double(box.half) + Vec3d{slack, slack, slack};
      if (!meets(axes, transposed_times(axes, place - to_double(box.center)), half)) continue;
      const Index child = node.child[lane];
      if (!is_leaf(child)) stack.push_back(child);
      else if (visit(element(child))) return true;
    }
  }
  return false;
}

/// The times s at which |at + s slope| <= half.
Interval within(double at, double slope, double half) {
  if (slope == 0) return std::abs(at) <= half ? Interval{0, infinity} : Interval{1, 0};
  const double s = (-half - at) / slope, t = (half - at) / slope;
  return {std::min(s, t), std::max(s, t)};
}

/// Whether the ray along the x axis meets a box.
bool ray_meets(const Mat3d& axes, const Vec3d& at, const Vec3d& half) {
  const Interval x = within(at.x, axes.x.x, half.x), y = within(at.y, axes.y.x, half.y),
                 z = within(at.z, axes.z.x, half.z);
  return std::max({x.lo, y.lo, z.lo, 0.0}) <= std::min({x.hi, y.hi, z.hi});
}

Index shell_of(const Shells& shells, Index face) { return std::abs(shells.of_face[face]) - 1; }

/// Puts the shells that contain a point into `found`, in rising order. Returns how many faces the
/// ray met.
std::size_t find_containing(const Mesh& mesh, const Shells& shells, const Vec3d& point,
                            std::vector<Index>& found) {
  struct Crossing {
    Index shell;
    int sign;
  };
  thread_local std::vector<Crossing> crossings;
  crossings.clear();
  any_face(mesh, point, ray_meets, [&](Index face) {
    const Index shell = shell_of(shells, face);
    const int sign = shell < 0 ? 0 : crossing(mesh.triangle(face), point);
    if (sign != 0) crossings.push_back({shell, shells.of_face[face] < 0 ? -sign : sign});
    return false;
  });
  std::sort(crossings.begin(), crossings.end(),
            [](const Crossing& s, const Crossing& t) { return s.shell < t.shell; });
  found.clear();
  for (std::size_t i = 0; i < crossings.size();) {
    const Index shell = crossings[i].shell;
    int winding = 0, count = 0;
    for (; i < crossings.size() && crossings[i].shell == shell; ++i, ++count)
      winding += crossings[i].sign;
    if (shells.all[shell].oriented ? winding != 0 : count % 2 != 0) found.push_back(shell);
  }
  return crossings.size();
}

/// Whether a point that some shells contain is in one of material, but in none of its cavities.
bool is_material(const Shells& shells, const std::vector<Index>& around) {
  return std::any_of(around.begin(), around.end(), [&](Index material) {
    return shells.all[material].cut_from < 0 &&
           std::none_of(
               around.begin(), around.end(),
               [&](Index k) { return shells.all[k].cut_from == material; });
  });
}

/// Whether a face that `counts` is within `distance` of the point.
template <class Counts>
bool any_face_near(const Mesh& mesh, const Vec3d& point, double distance, const Counts& counts) {
  const auto meets = [&](const Mat3d&, const Vec3d& at, const Vec3d& half) {
    // The axes are orthonormal to 2^-22.
    const double reach = distance * (1 + 0x1p-20);
    return std::abs(at.x) <= half.x + reach && std::abs(at.y) <= half.y + reach &&
           std::abs(at.z) <= half.z + reach;
  };
  return any_face(mesh, point, meets, [&](Index face) {
    return counts(face) && toccata::is_near(mesh.triangle(face), point, distance);
  });
}

/// Whether a face of a shell that `counts` is within `distance` of the point.
template <class Counts>
bool is_near_shell(const Mesh& mesh, const Shells& shells, const Vec3d& point, double distance,
                   const Counts& counts) {
  return any_face_near(mesh, point, distance, [&](Index face) {
    const Index shell = shell_of(shells, face);
    return shell >= 0 && counts(shell);
  });
}

/// Faces that rays may meet in the search for cavities, per face of the mesh: enough for 256 nested
/// tetrahedra. Shells that are nested by the thousands would take quadratic time and memory. Above
/// this limit no shell bounds a cavity, which fills solids and makes no holes.
constexpr std::size_t most_met = 128;

/// Tells the cavities of a solid from its material.
class Nesting {
 public:
  Nesting(const Mesh& mesh, Shells& shells)
      : mesh_(mesh), shells_(shells), inside_(shells.all.size()), vertices_(shells.all.size()) {
    for (const Shell& shell : shells.all) ways_.push_back({shell.solid, shell.outward});
    std::sort(ways_.begin(), ways_.end());
  }

  void run() {
    std::vector<Index> order;
    for (Index k = 0; k < static_cast<Index>(shells_.all.size()); ++k)
      if (has_both_ways(shells_.all[k].solid)) order.push_back(k);
    if (order.empty()) return;
    list_vertices();
    for (const Index k : order) find_around(k);
    if (is_spent()) return;
    const auto depth = [&](Index k) { return inside_[k].size(); };
    std::stable_sort(order.begin(), order.end(),
                     [&](Index s, Index t) { return depth(s) < depth(t); });
    for (const Index k : order) {
      const auto nearest = std::max_element(inside_[k].begin(), inside_[k].end(),
                                            [&](Index s, Index t) { return depth(s) < depth(t); });
      if (nearest == inside_[k].end()) continue;
      const Shell& around = shells_.all[*nearest];
      if (around.cut_from < 0 && around.outward * shells_.all[k].outward < 0)
        shells_.all[k].cut_from = *nearest;
    }
  }

 private:
  /// Whether some shells of the solid face outward as given, and some inward.
  bool has_both_ways(Index solid) const {
    return std::binary_search(ways_.begin(), ways_.end(), std::pair(solid, 1)) &&
           std::binary_search(ways_.begin(), ways_.end(), std::pair(solid, -1));
  }

  bool is_spent() const { return met_ > most_met * mesh_.faces().size(); }

  void list_vertices() {
    for (Index i = 0; i < static_cast<Index>(shells_.of_face.size()); ++i)
      if (const Index shell = shell_of(shells_, i); shell >= 0)
        vertices_[shell].insert(vertices_[shell].end(), mesh_.faces()[i].begin(),
                                mesh_.faces()[i].end());
    for (std::vector<Index>& list : vertices_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  /// The shells of the same solid in which all vertices of shell k are, or on which they are.
  void find_around(Index k) {
    const double on = 0x1p-44 * mesh_.radius();
    std::vector<Index> found;
    bool first = true;
    for (const Index v : vertices_[k]) {
      if (is_spent() || (!first && inside_[k].empty())) return;
      const Vec3d& point = mesh_.vertices()[v];
      met_ += find_containing(mesh_, shells_, point, found);
      if (first) {
        // Where to begin must be beyond doubt.
        const auto other = [&](Index s) { return s != k; };
        if (is_near_shell(mesh_, shells_, point, on, other)) continue;
        first = false;
        inside_[k] = found;
        std::erase_if(inside_[k], [&](Index s) {
          return s == k || shells_.all[s].solid != shells_.all[k].solid;
        });
      }
      std::erase_if(inside_[k], [&](Index s) {
        return !std::binary_search(found.begin(), found.end(), s) &&
               !is_near_shell(mesh_, shells_, point, on, [&](Index t) { return t == s; });
      });
    }
  }

  const Mesh& mesh_;
  Shells& shells_;
  std::vector<std::vector<Index>> inside_, vertices_;  // of each shell
  std::vector<std::pair<Index, int>> ways_;
  std::size_t met_ = 0;  // faces, by rays
};

}  // namespace

Solid::Solid(const Mesh& mesh, Shells shells) : shells_(std::move(shells)) {
  Nesting(mesh, shells_).run();
}

bool Solid::contains(const Mesh& mesh, const Vec3d& point) const {
  if (empty() || norm(point - mesh.center()) > mesh.radius()) return false;
  thread_local std::vector<Index> around;
  find_containing(mesh, shells_, point, around);
  return is_material(shells_, around);
}

bool Solid::is_filled(const Mesh& mesh, Index shell) const {
  if (shells_.all.size() < 2) return false;
  const double on = 0x1p-44 * mesh.radius();
  // A cavity is filled by what fills the hole that it makes: not by the shell that it is cut from.
  const Index owner = shells_.all[shell].cut_from;
  const auto is_other = [&](Index s) { return s != shell && s != owner; };
  std::vector<Index> around;
  bool some = false;
  for (std::size_t i = 0; i < shells_.of_face.size(); ++i) {
    if (shell_of(shells_, static_cast<Index>(i)) != shell) continue;
    for (const Index v : mesh.faces()[i]) {
      const Vec3d& point = mesh.vertices()[v];
      find_containing(mesh, shells_, point, around);
      std::erase_if(around, [&](Index s) { return !is_other(s); });
      const bool within = is_material(shells_, around);
      if (is_near_shell(mesh, shells_, point, on, is_other)) continue;
      if (!within) return false;
      some = true;
    }
  }
  return some;  // shells that touch each other everywhere do not tell which is within which
}

bool Solid::is_near(const Mesh& mesh, const Vec3d& point, double distance) const {
  return is_near_shell(mesh, shells_, point, distance, [](Index) { return true; });
}

bool is_near_face(const Mesh& mesh, const Vec3d& point, double distance) {
  return any_face_near(mesh, point, distance, [](Index) { return true; });
}

bool is_at_odd_side(const Mesh& mesh, const Vec3d& point) {
  bool odd = false;
  any_face(mesh, point, ray_meets, [&](Index face) {
    odd ^= crossing(mesh.triangle(face), point) != 0;
    return false;
  });
  return odd;
}

std::size_t Solid::bytes() const {
  return shells_.all.capacity() * sizeof(Shell) + shells_.of_face.capacity() * sizeof(Index);
}

}  // namespace toccata
