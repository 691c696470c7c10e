// The parts of a mesh that can bound solids.
#pragma once

#include <span>

#include "toccata/bvh/shells.hpp"

namespace toccata {

/// Sets the number in `solids` to 0 for faces of parts that `find_shells` would refuse, so that it
/// accepts the rest. A part is a set of faces of one number that are connected by edges; parts have
/// no edge in common, so that none depends on another. Sheets whose faces all occur twice, such as
/// those with a front and a back, enclose nothing and become 0 as well. Faces with two equal
/// corners follow the others: they become 0 if no part is left. Invalid arrays are left to `Mesh`,
/// which refuses them.
void keep_closed_parts(std::span<const Vec3d> vertices, std::span<const Face> faces,
                       std::span<Index> solids);

}  // namespace toccata
