// Vertices at the same place: files of triangles repeat them, face by face.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

/// For each vertex the first one with the same coordinates.
std::vector<Index> merged(std::span<const Vec3d> vertices);

}  // namespace toccata
