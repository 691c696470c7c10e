#include "toccata/walk/inside.hpp"

#include <algorithm>

namespace toccata {
namespace {

enum class Side { outside, unclear, inside };

/// A body at rest.
struct Placed {
  const Mesh& mesh;
  const Pose& pose;
};

/// Where a point in world coordinates is in relation to the solids of a body. Nothing is known of
/// one that is so near to their surface that rounding may have put it there.
Side side_of(const Vec3d& point, const Placed& outer, double margin) {
  const Vec3d at = transposed_times(outer.pose.rotation, point - outer.pose.translation);
  const Solid& solid = outer.mesh.solid();
  if (solid.is_near(outer.mesh, at, margin)) return Side::unclear;
  return solid.contains(outer.mesh, at) ? Side::inside : Side::outside;
}

Side side_of(const MovingPair& pair, const Vec3d& point, bool of_a, double time) {
  const PairState state = pair.state(time, time);
  const Placed a{pair.mesh_a(), state.a.motion.pose}, b{pair.mesh_b(), state.b.motion.pose};
  // Less than half of the least tolerance, and more than rounding does.
  const double margin = 2 * pair.error();
  return of_a ? side_of(a.pose * point, b, margin) : side_of(b.pose * point, a, margin);
}

/// A part that does not meet the surface of a solid stays on one side of it. So a point of it
/// tells; one that touches the surface at the start tells later. If it does not even then, it was
/// within the tolerance at the start, and nothing shows that it is outside.
bool starts_inside(const MovingPair& pair, bool a_is_inner, double until) {
  const Mesh& inner = a_is_inner ? pair.mesh_a() : pair.mesh_b();
  const Mesh& outer = a_is_inner ? pair.mesh_b() : pair.mesh_a();
  if (outer.solid().empty()) return false;
  return std::any_of(inner.component_points().begin(), inner.component_points().end(),
                     [&](const Vec3d& point) {
                       Side side = side_of(pair, point, a_is_inner, 0);
                       if (side == Side::unclear)
                         side = side_of(pair, point, a_is_inner, until / 2);
                       return side != Side::outside;
                     });
}

}  // namespace

Contact inside_at_start(const Stats& stats) {
  Contact contact{.status = Status::initial_overlap, .toc = 0, .safe_until = 0, .stats = stats};
  contact.closest.distance = 0;
  return contact;
}

bool starts_inside(const MovingPair& pair, double until) {
  return starts_inside(pair, true, until) || starts_inside(pair, false, until);
}

}  // namespace toccata
