// Questions about what is near are answered for triangles only.
#pragma once

#include "toccata/base/expects.hpp"
#include "toccata/bvh/mesh.hpp"

namespace toccata {

/// Throws `invalid_argument` for a curved surface.
inline void check_triangles(const Mesh& mesh, const char* argument) {
  expects(!mesh.surface(), argument, "expected a mesh of triangles, got a curved surface");
}

}  // namespace toccata
