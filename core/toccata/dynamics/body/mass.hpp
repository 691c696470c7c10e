// Mass, center of mass and inertia of a body, computed from its mesh.
#pragma once

#include "toccata/bvh/mesh.hpp"
#include "toccata/math/mat3.hpp"

namespace toccata {

struct MassProperties {
  double mass;
  Vec3d center;   ///< center of mass, in body coordinates
  Mat3d inertia;  ///< about the center, body axes
};

/// Throws `invalid_argument` unless a body can have these properties: a mass above 0, and an
/// inertia that is symmetric and positive definite, with no principal moment above the sum of the
/// other two.
void check(const MassProperties& properties);

/// Integrates over the volume of a solid, or of a closed mesh whose faces can be oriented
/// consistently; `density` is then mass per volume. For any other mesh, integrates over the area of
/// its faces; `density` is then mass per area. `Solid` defines the inside. Where closed surfaces
/// cross, their common volume counts for each of them. Where components touch along edges, their
/// faces must have consistent orientations. Throws `invalid_argument` for a mesh without volume and
/// area.
MassProperties mass_properties(const Mesh& mesh, double density);

}  // namespace toccata
