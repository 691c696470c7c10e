#include "toccata/query/rigid/first_contact.hpp"

#include <algorithm>
#include <array>

#include "toccata/base/expects.hpp"
#include "toccata/base/interruption.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/rigid/expand.hpp"
#include "toccata/query/rigid/leaf.hpp"
#include "toccata/query/rigid/methods.hpp"
#include "toccata/query/rigid/scaled.hpp"

namespace toccata {
namespace {

void check(const Options& options) {
  expects(options.separation >= 0 && std::isfinite(options.separation), "separation",
          "expected a finite number, not negative", options.separation);
  expects(options.tolerance >= 0 && std::isfinite(options.tolerance), "tolerance",
          "expected a positive finite number", options.tolerance);
  expects(options.budget > 0, "budget", "expected a positive number",
          static_cast<double>(options.budget));
  expects(options.w > 0 && options.w <= 1, "w", "expected a number in (0, 1]", options.w);
}

Contact run(const MovingPair& pair, Coherence* memory) {
  // The interval method solves equations of vertices, edges and faces, which surfaces do not have.
  const bool curved = pair.mesh_a().surface() || pair.mesh_b().surface();
  if (curved && pair.options().method == Method::interval) return best_first(pair, 0);
  switch (pair.options().method) {
    case Method::hca:
      return hca(pair, 0);
    case Method::c2a:
      return c2a(pair, 0);
    case Method::interval:
      return interval(pair, 0, memory);
    case Method::automatic:
      break;
  }
  return best_first(pair, 0);
}

/// What touches from the start has no normal: the pair that was found need not be the deepest.
void classify_start(Contact& contact) {
  if (contact.status != Status::contact || contact.toc > 0) return;
  contact.status = Status::initial_overlap;
  contact.normal = nowhere;
}

Contact buried(const Contact& before) {
  Contact contact;
  contact.status = Status::initial_overlap;
  contact.toc = contact.safe_until = 0;
  contact.closest.distance = 0;
  contact.stats = before.stats;
  return contact;
}

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

bool starts_inside(const MovingPair& pair, double until) {
  return starts_inside(pair, true, until) || starts_inside(pair, false, until);
}

Contact first_contact(const Body& a, const Body& b, const Options& options, Coherence* memory) {
  Stopwatch watch(options.timed);
  check(options);
  if (const int exponent = scaling_of(std::array{a, b})) [[unlikely]]
    return scaled_back(
        first_contact(ScaledBody(a, exponent), ScaledBody(b, exponent), scaled(options, exponent)),
        options, exponent);
  const MovingPair pair(a, b, options);
  const double setup = watch.lap();
  Contact contact = run(pair, memory);
  contact.stats.seconds_setup = setup;
  contact.stats.seconds_walk = watch.lap() - contact.stats.seconds_elementary;
  classify_start(contact);
  if (contact.status != Status::initial_overlap && starts_inside(pair, contact.safe_until))
    contact = buried(contact);
  contact.stats.seconds_inside = watch.lap();
  contact.tolerance = pair.tolerance();
  return contact;
}

std::vector<Contact> contacts_at(const Body& a, const Body& b, const Options& options,
                                 double time) {
  check(options);
  if (const int exponent = scaling_of(std::array{a, b})) [[unlikely]] {
    std::vector<Contact> found = contacts_at(ScaledBody(a, exponent), ScaledBody(b, exponent),
                                             scaled(options, exponent), time);
    for (Contact& contact : found) contact = scaled_back(contact, options, exponent);
    return found;
  }
  const MovingPair pair(a, b, options);
  const PairState state = pair.state(time, time);
  std::vector<Contact> found;
  std::vector<NodePair> stack{root_pair()};
  for (Count step = 1; !stack.empty(); ++step) {
    interruption_point(step);
    const NodePair nodes = stack.back();
    stack.pop_back();
    if (are_leaves(pair, nodes)) {
      const Index i = element(pair.mesh_a().bvh().child(nodes.a));
      const Index j = element(pair.mesh_b().bvh().child(nodes.b));
      const LeafApproach leaf = approach_leaves(pair, state, i, j);
      if (!leaf.touches) continue;
      record(found.emplace_back(), time, i, j, leaf.triangles);
      classify_start(found.back());
      found.back().tolerance = pair.tolerance();
      continue;
    }
    const Expansion<VolumeKind::box> expansion(pair, nodes);
    const Approach bounds = expansion.bounds(state);
    for_lanes(expansion.used(), [&](int lane) {
      if (!(bounds.gap[lane] > pair.separation() + pair.tolerance()))
        stack.push_back(expansion.child(lane));
    });
  }
  std::sort(found.begin(), found.end(), [](const Contact& s, const Contact& t) {
    return std::pair(s.element_a, s.element_b) < std::pair(t.element_a, t.element_b);
  });
  return found;
}

}  // namespace toccata
