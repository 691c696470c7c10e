// Line-swept spheres around whole meshes (Redon et al. 2004, section 4.2.1).
#pragma once

#include "toccata/bvh/mesh.hpp"

namespace toccata {

/// All points within `radius` of the segment from `start` to `end`.
struct LineSwept {
  Vec3d start, end;
  double radius;
};

/// Contains the mesh in floating point; body coordinates.
LineSwept line_swept_around(const Mesh& mesh);

}  // namespace toccata
