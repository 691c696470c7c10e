#include "toccata/walk/surfaces_meet.hpp"

#include <algorithm>
#include <cstdint>

namespace toccata {
namespace {

constexpr std::uint8_t even = 1, odd = 2, both = 3;

/// A surface at a pose, and what rounding may do to points.
struct PlacedSurface {
  const Mesh& mesh;
  const Pose& pose;
  double margin;

  /// Returns on which side a point of the world is; 0 if it is so near that rounding may hide it.
  std::uint8_t side_of(const Vec3d& point) const {
    const Vec3d seen = transposed_times(pose.rotation, point - pose.translation);
    if (norm(seen - mesh.center()) > (mesh.radius() + margin) * (1 + 0x1p-40)) return even;
    if (is_near_face(mesh, seen, margin)) return 0;
    return is_at_odd_side(mesh, seen) ? odd : even;
  }
};

/// Whether a connected part of a surface has points certainly on both sides of a closed one.
/// Centers of faces are tried: where faces are flush, corners are on the closed surface, and where
/// they are not, edges pass through faces by more than rounding, which shows that triangles
/// intersect.
bool passes(const PlacedSurface& surface, const PlacedSurface& closed) {
  const Rings& rings = surface.mesh.rings();
  const std::vector<Index> part_of = rings.parts();
  std::vector<std::uint8_t> sides(part_of.size());
  for (Index i = 0; i < static_cast<Index>(surface.mesh.faces().size()); ++i) {
    const auto& [p, q, r] = (surface.pose * surface.mesh.triangle(i)).corner;
    std::uint8_t& seen = sides[part_of[rings.of(i).vertex[0]]];
    seen = static_cast<std::uint8_t>(seen | closed.side_of((p + q + r) * (1.0 / 3)));
    if (seen == both) return true;
  }
  return false;
}

bool are_equal(const Mesh& a, const Mesh& b) {
  if (&a == &b) return true;
  const auto same_place = [](const Vec3d& p, const Vec3d& q) {
    return p.x == q.x && p.y == q.y && p.z == q.z;
  };
  return std::equal(a.faces().begin(), a.faces().end(), b.faces().begin(), b.faces().end()) &&
         std::equal(a.vertices().begin(), a.vertices().end(), b.vertices().begin(),
                    b.vertices().end(), same_place);
}

/// Whether equal surfaces have the middle of one of them inside of both.
bool share_inside(const PlacedSurface& a, const PlacedSurface& b) {
  if (a.mesh.component_points().size() != 1 || !are_equal(a.mesh, b.mesh)) return false;
  const Vec3d middle = a.pose * a.mesh.center();
  return a.side_of(middle) == odd && b.side_of(middle) == odd;
}

}  // namespace

bool surfaces_meet(const MovingPair& pair, const PairState& state) {
  const double margin = 2 * pair.error();
  const PlacedSurface a{pair.mesh_a(), state.a.motion.pose, margin};
  const PlacedSurface b{pair.mesh_b(), state.b.motion.pose, margin};
  const bool closed_a = a.mesh.rings().is_closed(), closed_b = b.mesh.rings().is_closed();
  return (closed_a && closed_b && share_inside(a, b)) || (closed_b && passes(a, b)) ||
         (closed_a && passes(b, a));
}

}  // namespace toccata
