// The closed surfaces that bound solids, found among the faces of a mesh.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

using Face = std::array<Index, 3>;

/// Faces that are connected by edges, without a border.
struct Shell {
  Index solid;          ///< the id of the solid that it bounds
  bool oriented;        ///< its faces agree on a front; otherwise only odd and even can be told
  int outward;          ///< 1 if its faces as given face outward, -1 inward, 0 if they disagree
  Index cut_from = -1;  ///< the shell in which it bounds a cavity; -1: it bounds material
};

struct Shells {
  std::vector<Shell> all;
  std::vector<Index> of_face;  ///< shell + 1; negative for a face to be turned over; 0 for none
};

/// The shells of the faces whose id in `solids` is above 0. `same` has the first
/// vertex at the place of each: faces are neighbours if they share an edge by its coordinates.
/// Faces with two equal corners bound nothing, and one that is given more than once counts once
/// where the rest is closed then. Throws `invalid_argument` unless each edge has an even number of
/// faces of a solid, and unless those that follow each other over edges of two faces can face one
/// way.
Shells find_shells(std::span<const Vec3d> vertices, std::span<const Index> same,
                   std::span<const Face> faces, std::span<const Index> solids);

}  // namespace toccata
