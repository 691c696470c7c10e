// Point-in-solid tests by exact ray crossings, and the search for cavities.
#include "toccata/bvh/solid.hpp"

#include <algorithm>

#include "toccata/bvh/mesh.hpp"
#include "toccata/geometry/predicates.hpp"

namespace toccata {
namespace {

/// Visits the faces of all leaves with boxes that `meets` accepts, until `visit` returns true.
/// Calls meets(axes of the box, offset of the point from its center along them, half sizes plus
/// slack).
template <class Meets, class Visit>
bool any_face(const Mesh& mesh, const Vec3d& point, const Meets& meets, const Visit& visit) {
  thread_local std::vector<Index> stack;
  const std::vector<WideNode>& nodes = mesh.bvh().nodes;
  const Vec3d offset = point - mesh.center();
  // Boxes contain the corners relative to the center. These corners and `offset` have rounding
  // errors of 2^-53 of the radius, and so have the few sums and quotients that follow.
  const double slack = 0x1p-46 * (mesh.radius() + norm(offset));
  stack.assign(1, 0);
  while (!stack.empty()) {
    const WideNode& node = nodes[stack.back()];
    stack.pop_back();
    for (int lane = 0; lane < lanes; ++lane) {
      if (!(node.used >> lane & 1)) continue;
      const Volume box = volume<VolumeKind::box>(node, lane);
      const Mat3d axes{to_double(box.axes.x), to_double(box.axes.y), to_double(box.axes.z)};
      const Vec3d half = to_double(box.half) + Vec3d{slack, slack, slack};
      if (!meets(axes, transposed_times(axes, offset - to_double(box.center)), half)) continue;
      const Index child = node.child[lane];
      if (!is_leaf(child)) stack.push_back(child);
      else if (visit(element(child))) return true;
    }
  }
  return false;
}

/// Returns the range of s with |at + s slope| <= half.
Interval within(double at, double slope, double half) {
  if (slope == 0) return std::abs(at) <= half ? Interval{0, infinity} : Interval{1, 0};
  const double s = (-half - at) / slope, t = (half - at) / slope;
  return {std::min(s, t), std::max(s, t)};
}

/// Returns whether the ray along the x axis intersects a box.
bool ray_meets(const Mat3d& axes, const Vec3d& at, const Vec3d& half) {
  const Interval x = within(at.x, axes.x.x, half.x), y = within(at.y, axes.y.x, half.y),
                 z = within(at.z, axes.z.x, half.z);
  return std::max({x.lo, y.lo, z.lo, 0.0}) <= std::min({x.hi, y.hi, z.hi});
}

Index surface_of(const ClosedSurfaces& surfaces, Index face) {
  return std::abs(surfaces.of_face[face]) - 1;
}

/// Writes the surfaces that contain a point to `found`, in ascending order. Returns the number of
/// faces that the ray crosses.
std::size_t find_containing(const Mesh& mesh, const ClosedSurfaces& surfaces, const Vec3d& point,
                            std::vector<Index>& found) {
  struct Crossing {
    Index surface;
    int sign;
  };
  thread_local std::vector<Crossing> crossings;
  crossings.clear();
  any_face(mesh, point, ray_meets, [&](Index face) {
    const Index surface = surface_of(surfaces, face);
    const int sign = surface < 0 ? 0 : crossing(mesh.triangle(face), point);
    if (sign != 0) crossings.push_back({surface, surfaces.of_face[face] < 0 ? -sign : sign});
    return false;
  });
  std::sort(crossings.begin(), crossings.end(),
            [](const Crossing& s, const Crossing& t) { return s.surface < t.surface; });
  found.clear();
  for (std::size_t i = 0; i < crossings.size();) {
    const Index surface = crossings[i].surface;
    int winding = 0, count = 0;
    for (; i < crossings.size() && crossings[i].surface == surface; ++i, ++count)
      winding += crossings[i].sign;
    if (surfaces.all[surface].oriented ? winding != 0 : count % 2 != 0) found.push_back(surface);
  }
  return crossings.size();
}

/// Returns whether a point is in material, given the surfaces that contain it: it is in a surface
/// that bounds material, and in none of its cavities.
bool is_material(const ClosedSurfaces& surfaces, const std::vector<Index>& around) {
  return std::any_of(around.begin(), around.end(), [&](Index material) {
    return surfaces.all[material].cut_from < 0 &&
           std::none_of(
               around.begin(), around.end(),
               [&](Index k) { return surfaces.all[k].cut_from == material; });
  });
}

/// Returns whether a face accepted by `counts` is within `distance` of the point.
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

/// Returns whether a face of a surface accepted by `counts` is within `distance` of the point.
template <class Counts>
bool is_near_surface(const Mesh& mesh, const ClosedSurfaces& surfaces, const Vec3d& point,
                     double distance, const Counts& counts) {
  return any_face_near(mesh, point, distance, [&](Index face) {
    const Index surface = surface_of(surfaces, face);
    return surface >= 0 && counts(surface);
  });
}

/// Maximum number of crossings in the search for cavities, per face of the mesh: enough for 256
/// nested tetrahedra. Surfaces nested by the thousands would take quadratic time and memory. Above
/// this limit no surface bounds a cavity, which fills solids but makes no holes.
constexpr std::size_t most_met = 128;

/// Search for the surfaces of a solid that bound cavities.
class Nesting {
 public:
  Nesting(const Mesh& mesh, ClosedSurfaces& surfaces)
      : mesh_(mesh),
        surfaces_(surfaces),
        inside_(surfaces.all.size()),
        vertices_(surfaces.all.size()) {
    for (const ClosedSurface& surface : surfaces.all)
      directions_.push_back({surface.solid, surface.outward});
    std::sort(directions_.begin(), directions_.end());
  }

  void run() {
    std::vector<Index> order;
    for (Index k = 0; k < static_cast<Index>(surfaces_.all.size()); ++k)
      if (has_both_directions(surfaces_.all[k].solid)) order.push_back(k);
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
      const ClosedSurface& around = surfaces_.all[*nearest];
      if (around.cut_from < 0 && around.outward * surfaces_.all[k].outward < 0)
        surfaces_.all[k].cut_from = *nearest;
    }
  }

 private:
  /// Returns whether some surfaces of the solid face outward as given, and some inward.
  bool has_both_directions(Index solid) const {
    return std::binary_search(directions_.begin(), directions_.end(), std::pair(solid, 1)) &&
           std::binary_search(directions_.begin(), directions_.end(), std::pair(solid, -1));
  }

  bool is_spent() const { return met_ > most_met * mesh_.faces().size(); }

  void list_vertices() {
    for (Index i = 0; i < static_cast<Index>(surfaces_.of_face.size()); ++i)
      if (const Index surface = surface_of(surfaces_, i); surface >= 0)
        vertices_[surface].insert(vertices_[surface].end(), mesh_.faces()[i].begin(),
                                  mesh_.faces()[i].end());
    for (std::vector<Index>& list : vertices_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  /// Finds the surfaces of the same solid that contain all vertices of surface k, inside or on
  /// them.
  void find_around(Index k) {
    const double on = 0x1p-44 * mesh_.radius();
    std::vector<Index> found;
    bool first = true;
    for (const Index v : vertices_[k]) {
      if (is_spent() || (!first && inside_[k].empty())) return;
      const Vec3d& point = mesh_.vertices()[v];
      met_ += find_containing(mesh_, surfaces_, point, found);
      if (first) {
        // The first vertex must not lie on another surface.
        const auto other = [&](Index s) { return s != k; };
        if (is_near_surface(mesh_, surfaces_, point, on, other)) continue;
        first = false;
        inside_[k] = found;
        std::erase_if(inside_[k], [&](Index s) {
          return s == k || surfaces_.all[s].solid != surfaces_.all[k].solid;
        });
      }
      std::erase_if(inside_[k], [&](Index s) {
        return !std::binary_search(found.begin(), found.end(), s) &&
               !is_near_surface(mesh_, surfaces_, point, on, [&](Index t) { return t == s; });
      });
    }
  }

  const Mesh& mesh_;
  ClosedSurfaces& surfaces_;
  std::vector<std::vector<Index>> inside_, vertices_;  // for each surface
  std::vector<std::pair<Index, int>> directions_;
  std::size_t met_ = 0;  // number of crossings so far
};

}  // namespace

Solid::Solid(const Mesh& mesh, ClosedSurfaces surfaces) : surfaces_(std::move(surfaces)) {
  Nesting(mesh, surfaces_).run();
}

bool Solid::contains(const Mesh& mesh, const Vec3d& point) const {
  if (empty() || norm(point - mesh.center()) > mesh.radius()) return false;
  thread_local std::vector<Index> around;
  find_containing(mesh, surfaces_, point, around);
  return is_material(surfaces_, around);
}

bool Solid::is_filled(const Mesh& mesh, Index surface) const {
  if (surfaces_.all.size() < 2) return false;
  const double on = 0x1p-44 * mesh.radius();
  // The surface from which a cavity is cut does not count as material that fills it.
  const Index owner = surfaces_.all[surface].cut_from;
  const auto is_other = [&](Index s) { return s != surface && s != owner; };
  std::vector<Index> around;
  bool some = false;
  for (std::size_t i = 0; i < surfaces_.of_face.size(); ++i) {
    if (surface_of(surfaces_, static_cast<Index>(i)) != surface) continue;
    for (const Index v : mesh.faces()[i]) {
      const Vec3d& point = mesh.vertices()[v];
      find_containing(mesh, surfaces_, point, around);
      std::erase_if(around, [&](Index s) { return !is_other(s); });
      const bool within = is_material(surfaces_, around);
      if (is_near_surface(mesh, surfaces_, point, on, is_other)) continue;
      if (!within) return false;
      some = true;
    }
  }
  // If all vertices lie on other surfaces, nothing shows which surface is inside.
  return some;
}

bool Solid::is_near(const Mesh& mesh, const Vec3d& point, double distance) const {
  return is_near_surface(mesh, surfaces_, point, distance, [](Index) { return true; });
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
  return surfaces_.all.capacity() * sizeof(ClosedSurface) +
         surfaces_.of_face.capacity() * sizeof(Index);
}

}  // namespace toccata
