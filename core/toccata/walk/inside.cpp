#include "toccata/walk/inside.hpp"

#include <algorithm>

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

/// One way to look at two bodies.
struct Nested {
  const Mesh &inner, &outer;
  bool a_is_inner;
  double margin;  ///< what rounding may do, and less than half of the least tolerance

  Nested(const MovingPair& pair, bool a_is_inner)
      : inner(a_is_inner ? pair.mesh_a() : pair.mesh_b()),
        outer(a_is_inner ? pair.mesh_b() : pair.mesh_a()),
        a_is_inner(a_is_inner),
        margin(2 * pair.error()) {}
};

/// Returns the side of the solids of the outer body on which a point of the inner one is. It is
/// unclear for a point within `distance` of their surface, or so near that rounding may have put it
/// there.
Side side_of(const Nested& bodies, const Vec3d& point, const Placement& at, double distance) {
  const Pose &inner = bodies.a_is_inner ? at.a : at.b, &outer = bodies.a_is_inner ? at.b : at.a;
  const Vec3d seen = transposed_times(outer.rotation, inner * point - outer.translation);
  if (norm(seen - bodies.outer.center()) > (bodies.outer.radius() + bodies.margin) * (1 + 0x1p-40))
    return Side::outside;  // of the ball around all solids
  const Solid& solid = bodies.outer.solid();
  if (solid.is_near(bodies.outer, seen, distance + bodies.margin)) return Side::unclear;
  return solid.contains(bodies.outer, seen) ? Side::inside : Side::outside;
}

/// A part that does not meet the surface of a solid stays on one side of it, so one point decides.
/// A point within s + e of the surface may belong to a part that sinks into the solid by less than
/// the tolerance and is leaving it: it decides later, when no surfaces meet. If rounding hides its
/// side even then, it was within the tolerance at the start, and nothing shows that it is outside.
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

}  // namespace toccata
