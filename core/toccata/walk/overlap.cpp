// Sides of points: inside or outside of solids, and odd or even sides of closed surfaces.
#include "toccata/walk/overlap.hpp"

#include <algorithm>
#include <cstdint>

namespace toccata {
namespace {

enum class Side { outside, unclear, inside };

/// Both bodies at one time.
struct Placement {
  Pose a, b;
};

Placement placement(const MovingPair& pair, double time) {
  return {pair.motion_a().pose(time), pair.motion_b().pose(time)};
}

/// Two bodies for the test of whether the inner body is inside a solid of the outer body.
struct Nested {
  const Mesh &inner, &outer;
  bool a_is_inner;
  double margin;  ///< bound of rounding; less than half of the least tolerance

  Nested(const MovingPair& pair, bool a_is_inner)
      : inner(a_is_inner ? pair.mesh_a() : pair.mesh_b()),
        outer(a_is_inner ? pair.mesh_b() : pair.mesh_a()),
        a_is_inner(a_is_inner),
        margin(2 * pair.error()) {}
};

/// Returns the side of the solids of the outer body on which a point of the inner body is. The side
/// is unclear within `distance` of their surface, and where rounding could change it.
Side side_of(const Nested& bodies, const Vec3d& point, const Placement& at, double distance) {
  const Pose &inner = bodies.a_is_inner ? at.a : at.b, &outer = bodies.a_is_inner ? at.b : at.a;
  const Vec3d seen = transposed_times(outer.rotation, inner * point - outer.translation);
  if (norm(seen - bodies.outer.center()) > (bodies.outer.radius() + bodies.margin) * (1 + 0x1p-40))
    return Side::outside;  // outside of the ball around all solids
  const Solid& solid = bodies.outer.solid();
  if (solid.is_near(bodies.outer, seen, distance + bodies.margin)) return Side::unclear;
  return solid.contains(bodies.outer, seen) ? Side::inside : Side::outside;
}

/// Returns whether a component of one body is inside a solid of the other.
///
/// One point per component decides: a component that does not meet the surface of a solid stays on
/// one side of it. A point within separation + tolerance of the surface may belong to a component
/// that overlaps the solid by less than the tolerance and is leaving it. Such a point is tested at
/// the time `later`, when no surfaces meet. If rounding hides its side even then, the component
/// was within the tolerance at the start, and counts as inside, because nothing proves otherwise.
bool is_inside(const MovingPair& pair, bool a_is_inner, const Placement& start, double later) {
  const Nested bodies(pair, a_is_inner);
  if (bodies.outer.solid().empty()) return false;
  const double touching = pair.separation() + pair.tolerance();
  return std::any_of(bodies.inner.component_points().begin(), bodies.inner.component_points().end(),
                     [&](const Vec3d& point) {
                       Side side = side_of(bodies, point, start, touching);
                       if (side == Side::unclear)
                         side = side_of(bodies, point, placement(pair, later), 0);
                       return side != Side::outside;
                     });
}

constexpr std::uint8_t even = 1, odd = 2, both = 3;

/// A surface at a pose, with a bound of the rounding error of points.
struct PlacedSurface {
  const Mesh& mesh;
  const Pose& pose;
  double margin;

  /// Returns the side of a point in world coordinates; 0 if rounding may change the side.
  std::uint8_t side_of(const Vec3d& point) const {
    const Vec3d seen = transposed_times(pose.rotation, point - pose.translation);
    if (norm(seen - mesh.center()) > (mesh.radius() + margin) * (1 + 0x1p-40)) return even;
    if (is_near_face(mesh, seen, margin)) return 0;
    return is_at_odd_side(mesh, seen) ? odd : even;
  }
};

/// Returns whether a connected component of a surface certainly has points on both sides of a
/// closed surface. Tests the centers of faces: where faces are flush, corners lie on the closed
/// surface. Where faces are not flush, edges pass through faces by more than rounding, so the
/// triangles are found to intersect.
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
  const auto is_same_point = [](const Vec3d& p, const Vec3d& q) {
    return p.x == q.x && p.y == q.y && p.z == q.z;
  };
  return std::equal(a.faces().begin(), a.faces().end(), b.faces().begin(), b.faces().end()) &&
         std::equal(a.vertices().begin(), a.vertices().end(), b.vertices().begin(),
                    b.vertices().end(), is_same_point);
}

/// Returns whether the surfaces are equal and the center of one of them is inside of both.
bool share_inside(const PlacedSurface& a, const PlacedSurface& b) {
  if (a.mesh.component_points().size() != 1 || !are_equal(a.mesh, b.mesh)) return false;
  const Vec3d middle = a.pose * a.mesh.center();
  return a.side_of(middle) == odd && b.side_of(middle) == odd;
}

}  // namespace

Contact inside_at_start(const Stats& stats) {
  Contact contact{.status = Status::initial_overlap, .toc = 0, .safe_until = 0, .stats = stats};
  contact.closest.distance = 0;
  return contact;
}

bool is_inside(const MovingPair& pair, double time, double until) {
  if (pair.mesh_a().solid().empty() && pair.mesh_b().solid().empty()) return false;
  const Placement start = placement(pair, time);
  const double later = time + (until - time) / 2;
  return is_inside(pair, true, start, later) || is_inside(pair, false, start, later);
}

bool surfaces_meet(const MovingPair& pair, const PairState& state) {
  const double margin = 2 * pair.error();
  const PlacedSurface a{pair.mesh_a(), state.a.motion.pose, margin};
  const PlacedSurface b{pair.mesh_b(), state.b.motion.pose, margin};
  const bool closed_a = a.mesh.rings().is_closed(), closed_b = b.mesh.rings().is_closed();
  return (closed_a && closed_b && share_inside(a, b)) || (closed_b && passes(a, b)) ||
         (closed_a && passes(b, a));
}

}  // namespace toccata
