// Solids that a mesh bounds, and the test whether a point is inside.
#pragma once

#include <vector>

#include "toccata/bvh/closed_surfaces.hpp"

namespace toccata {

class Mesh;

/// The union of the solids of a mesh.
///
/// A closed surface contains the points with a nonzero winding number. If its faces have no
/// consistent front, it contains the points from which rays cross it an odd number of times. It
/// bounds a cavity if three conditions hold: it lies directly in a surface of the same solid,
/// without another one between them; that surface bounds material; and the two face in opposite
/// directions as given. All other surfaces bound material. A point is inside if it is in a surface
/// of material but in none of its cavities. Consequently, flipping faces, flipping whole surfaces
/// or overlaps of surfaces can fill a cavity, but never make a hole.
class Solid {
 public:
  Solid() = default;
  /// Finds the cavities. The mesh already has its hierarchy.
  Solid(const Mesh& mesh, ClosedSurfaces surfaces);

  /// Returns whether no face bounds a solid.
  bool empty() const { return surfaces_.of_face.empty(); }
  /// Returns whether a point is inside. It is in body coordinates and not on the surface of `mesh`.
  bool contains(const Mesh& mesh, const Vec3d& point) const;
  /// Returns whether a point is within `distance` of a face of a solid, up to rounding.
  bool is_near(const Mesh& mesh, const Vec3d& point, double distance) const;
  /// Returns the closed surfaces. Their `of_face` is empty if there are none.
  const ClosedSurfaces& closed_surfaces() const { return surfaces_; }
  /// Returns whether a surface lies in material bounded by others, so that it could be left out.
  bool is_filled(const Mesh& mesh, Index surface) const;
  /// Returns the memory used, in bytes.
  std::size_t bytes() const;

 private:
  ClosedSurfaces surfaces_;
};

/// Returns whether a point, in body coordinates, is within `distance` of a face of a mesh, up to
/// rounding.
bool is_near_face(const Mesh& mesh, const Vec3d& point, double distance);

/// Returns whether a ray from a point that is not on the surface crosses the faces of a mesh an odd
/// number of times. For a closed surface all rays give the same result, and a path between points
/// with different results crosses the surface.
bool is_at_odd_side(const Mesh& mesh, const Vec3d& point);

}  // namespace toccata
