// Tests of two elements, with the rules for bodies that start close to each other.
#include "toccata/walk/leaf.hpp"

#include <algorithm>

#include "toccata/narrow/advancement/cell_approach.hpp"
#include "toccata/walk/resting.hpp"

namespace toccata {
namespace {

LeafApproach approach_cells(const MovingPair& pair, const PairState& state, Index a, Index b,
                            double start) {
  CellQuery question{pair.separation(),
                     pair.tolerance(),
                     pair.error(),
                     state.time,
                     pair.options().cutoff - state.time,
                     start};
  if (pair.start_gap().is_near) {
    question.motion_a = &pair.motion_a(), question.motion_b = &pair.motion_b();
    question.start_distance = pair.start_gap().distance;
  }
  const CellApproach found =
      approach({pair.mesh_a(), a, state.a.motion}, {pair.mesh_b(), b, state.b.motion}, question);
  return {found.between, found.touches, found.between.step};
}

/// Returns 1 if the normal of a face points out of a solid, and -1 if it points into a solid. Tests
/// points on both sides of the face's center. Returns 0 for other faces, and if the points have no
/// clear side.
int outward(const Mesh& mesh, Index face) {
  if (mesh.solid().empty()) return 0;
  const Triangle triangle = mesh.triangle(face);
  const auto& [a, b, c] = triangle.corner;
  const Vec3d center = (a + b + c) * (1.0 / 3);
  const Vec3d aside = unit_normal(triangle) * (0x1p-40 * mesh.reach());
  if (!is_finite(aside)) return 0;
  return mesh.solid().contains(mesh, center - aside) - mesh.solid().contains(mesh, center + aside);
}

/// Bounds from below the time until which triangles a and b separate. Returns 0 if that is not
/// after `now`.
double parts_until(const MovingPair& pair, const TrianglesOfPair& triangles, Index a, Index b,
                   double now) {
  CarriedTriangle x{triangles.a(), pair.motion_a()}, y{triangles.b(), pair.motion_b()};
  const Closest start = closest_points(x.motion.pose(0) * x.body, y.motion.pose(0) * y.body);
  // With a tolerance as large as a body, a body could pass through the other one as if it left it.
  const double size = std::min(pair.mesh_a().radius(), pair.mesh_b().radius());
  const double overlap = std::min(pair.tolerance(), 1e-3 * size);
  // A triangle that overlaps a solid at the start may leave it.
  if (!(pair.start_gap().distance > 0) && start.distance <= overlap) {
    x.outward = outward(pair.mesh_a(), a);
    y.outward = outward(pair.mesh_b(), b);
  }
  const double near = pair.separation() + pair.tolerance();
  return release_time(x, y, {near + pair.error(), -overlap, pair.error()}, pair.start_gap(), now);
}

/// Revokes a contact of two triangles if it does not count: while they separate and have not left
/// the tolerance, or while the bodies have not left it.
///
/// Contacts are reported only in the inner half of the tolerance. Triangles leave through the outer
/// half, where no contact is ignored and the advance is valid. The inner staying limit is at three
/// quarters of the tolerance, and the gap is less than the distance by at most a quarter
/// (`approach`).
void ignore_separating(const MovingPair& pair, const PairState& state, Index a, Index b,
                       LeafApproach& leaf) {
  const double inner = pair.separation() + pair.tolerance() / 2 + pair.error();
  if (leaf.triangles.gap > inner && leaf.step > 0) {
    leaf.touches = false;
    return;
  }
  const TrianglesOfPair triangles(pair, a, b);
  double release = parts_until(pair, triangles, a, b, state.time);
  if (!(state.time < release)) return;
  const double stay = stays_near(triangles.hull_a(), triangles.hull_b(), release,
                                 staying_limits(pair), true, triangles);
  release = state.time < stay ? stay : std::min(release, pair.stays_until());
  if (state.time < release) leaf.touches = false, leaf.step = release - state.time;
}

}  // namespace

LeafApproach approach_leaves(const MovingPair& pair, const PairState& state, Index a, Index b,
                             double start) {
  if (pair.mesh_a().surface() || pair.mesh_b().surface()) [[unlikely]]
    return approach_cells(pair, state, a, b, start);
  const Triangle triangle_a = pair.mesh_a().triangle(a), triangle_b = pair.mesh_b().triangle(b);
  LeafApproach leaf{approach({triangle_a, state.a.motion}, {triangle_b, state.b.motion},
                             pair.separation(), pair.error(), pair.tolerance() / 4),
                    false, 0};
  const double near = pair.separation() + pair.tolerance();
  leaf.step = leaf.triangles.step;
  if (!(leaf.triangles.closest.distance + pair.error() <= near)) return leaf;
  leaf.touches = true;
  if (pair.start_gap().is_near) [[unlikely]]
    ignore_separating(pair, state, a, b, leaf);
  return leaf;
}

double short_of_contact(const MovingPair& pair, const LeafApproach& leaf) {
  const double room = leaf.triangles.closest.distance - pair.separation();
  const double spare = 0.5 * pair.tolerance();
  return room > 2 * spare ? leaf.step * (1 - spare / room) : leaf.step;
}

}  // namespace toccata
