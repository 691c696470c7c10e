// Closed surfaces that bound solids: finds them among the faces of a mesh and checks them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

using Face = std::array<Index, 3>;

/// Faces that are connected by edges and have no boundary edge.
struct ClosedSurface {
  Index solid;          ///< id of the solid
  bool oriented;        ///< the faces have a consistent front; if not, crossings count by parity
  int outward;          ///< 1 if the faces as given face outward, -1 inward, 0 if inconsistent
  Index cut_from = -1;  ///< the surface in which this one bounds a cavity; -1 if it bounds material
};

/// All closed surfaces of a mesh.
struct ClosedSurfaces {
  std::vector<ClosedSurface> all;
  std::vector<Index> of_face;  ///< surface + 1, negative if the face must be flipped; 0 for none
};

/// Finds the closed surfaces of the faces with an id in `solids` above 0. `same` has the first
/// vertex with the coordinates of each vertex: faces are adjacent if they share an edge by its
/// coordinates. Faces with two equal corners bound nothing. A face that is given several times
/// counts once if the remaining faces are closed. Throws `invalid_argument` unless each edge has an
/// even number of faces of a solid, and faces connected over edges of two faces can be oriented
/// consistently.
ClosedSurfaces find_closed_surfaces(std::span<const Vec3d> vertices, std::span<const Index> same,
                                    std::span<const Face> faces, std::span<const Index> solids);

/// Sets the id in `solids` to 0 for faces of components that `find_closed_surfaces` would reject,
/// so that it accepts the rest. A component is a set of faces with one id that are connected by
/// edges. Components have no common edge, so they are independent. Sheets with only duplicate
/// faces, such as a front and a back, enclose nothing and become 0 as well. Faces with two equal
/// corners become 0 only if no component is left. Invalid arrays are left to `Mesh`, which rejects
/// them.
void keep_closed_parts(std::span<const Vec3d> vertices, std::span<const Face> faces,
                       std::span<Index> solids);

}  // namespace toccata
