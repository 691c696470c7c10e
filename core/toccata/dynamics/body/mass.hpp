// Mass, center of mass and inertia of a body.
#pragma once

#include "toccata/bvh/mesh.hpp"
#include "toccata/math/mat3.hpp"

namespace toccata {

struct MassProperties {
  double mass;
  Vec3d center;   ///< of mass, in body coordinates
  Mat3d inertia;  ///< about the center, body axes
};

/// Throws `invalid_argument` unless a body can have these: a mass above 0, and an inertia that is
/// symmetric and positive definite, with no principal moment above the sum of the other two.
void check(const MassProperties& properties);

/// Of a mesh that is solid, or closed with faces that can be turned one way: by its volume, and
/// `density` is mass per volume. Of any other: by the area of its faces, and `density` is mass per
/// area. Inside is what `Solid` says; but where shells cross, what they share counts for each, and
/// of parts that touch along edges the faces have to agree on a front.
/// Throws `invalid_argument` for what has neither volume nor area.
MassProperties mass_properties(const Mesh& mesh, double density);

}  // namespace toccata
