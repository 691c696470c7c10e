// What is inside the solids that a mesh bounds.
#pragma once

#include <vector>

#include "toccata/bvh/shells.hpp"

namespace toccata {

class Mesh;

/// The union of the solids of a mesh.
///
/// A shell contains the points around which it winds, or those from which rays cross it an odd
/// number of times if its faces do not tell a front. A shell bounds a cavity if it lies in a shell
/// of the same solid that bounds material, nothing of that solid between the two, and faces the
/// other way as given; all others bound material. Inside is what is in a shell of material, but in
/// none of its cavities: to turn faces over, to turn whole shells over, or to let them overlap can
/// fill a cavity, but it never makes a hole.
class Solid {
 public:
  Solid() = default;
  /// Finds the cavities; the mesh has its hierarchy already.
  Solid(const Mesh& mesh, Shells shells);

  /// Whether no face bounds a solid.
  bool empty() const { return shells_.of_face.empty(); }
  /// Whether a point, in body coordinates and not on the surface of `mesh`, is inside.
  bool contains(const Mesh& mesh, const Vec3d& point) const;
  /// Whether a point is within `distance` of a face of a solid, up to rounding.
  bool is_near(const Mesh& mesh, const Vec3d& point, double distance) const;
  /// The closed surfaces that bound it; `of_face` is empty if there are none.
  const Shells& shells() const { return shells_; }
  /// Whether a shell lies in material that others bound, so that to leave it out changes nothing.
  bool is_filled(const Mesh& mesh, Index shell) const;
  /// Memory held, in bytes.
  std::size_t bytes() const;

 private:
  Shells shells_;
};

/// Whether a point, in body coordinates, is within `distance` of a face of a mesh, up to rounding.
bool is_near_face(const Mesh& mesh, const Vec3d& point, double distance);

/// Whether a ray from a point, not on the surface, crosses the faces of a mesh an odd number of
/// times. For a closed surface all rays agree, and a path between points that differ crosses it.
bool is_at_odd_side(const Mesh& mesh, const Vec3d& point);

}  // namespace toccata
