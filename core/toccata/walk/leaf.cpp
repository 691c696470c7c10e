#include "toccata/walk/leaf.hpp"

#include <algorithm>

#include "toccata/narrow/advancement/cell_approach.hpp"
#include "toccata/narrow/advancement/staying.hpp"

namespace toccata {
namespace {

LeafApproach approach_cells(const MovingPair& pair, const PairState& state, Index a, Index b,
                            double start) {
  CellQuestion question{pair.separation(),
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

/// Bounds from below until when triangles a and b, which start in touch, do not count.
double released_until(const MovingPair& pair, const CarriedTriangle& a, const CarriedTriangle& b,
                      double now) {
  const double near = pair.separation() + pair.tolerance();
  // A tolerance as large as a body would let it pass through the other one as if it left it.
  const double size = std::min(pair.mesh_a().radius(), pair.mesh_b().radius());
  const double overlap = std::min(pair.tolerance(), 1e-3 * size);
  const double release =
      release_time(a, b, {near + pair.error(), -overlap, pair.error()}, pair.start_gap());
  if (!(now < release)) return release;
  const auto points = [&](double time) {
    const Pose at_a = a.motion.pose(time), at_b = b.motion.pose(time);
    const Closest closest = closest_points(at_a * a.body, at_b * b.body);
    return NearPoints{closest.distance + pair.error(),
                      transposed_times(at_a.rotation, closest.point_a - at_a.translation),
                      transposed_times(at_b.rotation, closest.point_b - at_b.translation)};
  };
  return stays_near({hull_of(a.body), a.motion}, {hull_of(b.body), b.motion}, release,
                    {near - pair.tolerance() / 4, near}, true, points);
}

/// Takes back that two triangles touch if that does not count. Triangles that start in touch are
/// reported in the inner half of the tolerance only, so that they can leave through the outer half:
/// there nothing has to be ignored, and the step holds. `released_until` goes up to three quarters;
/// the gap is less than the distance by a quarter at most (`approach`).
void ignore_separating(const MovingPair& pair, const PairState& state, Index a, Index b,
                       LeafApproach& leaf) {
  const Triangle triangle_a = pair.mesh_a().triangle(a), triangle_b = pair.mesh_b().triangle(b);
  const CarriedTriangle x{triangle_a, pair.motion_a()}, y{triangle_b, pair.motion_b()};
  const Closest start = closest_points(x.motion.pose(0) * x.body, y.motion.pose(0) * y.body);
  if (!(start.distance + pair.error() <= pair.separation() + pair.tolerance())) return;
  const double inner = pair.separation() + pair.tolerance() / 2 + pair.error();
  if (leaf.triangles.gap > inner && leaf.step > 0) {
    leaf.touches = false;
    return;
  }
  const double release = released_until(pair, x, y, state.time);
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

void record(Contact& contact, double time, Index a, Index b, const TriangleApproach& approach) {
  contact.status = Status::contact;
  contact.toc = contact.safe_until = time;
  contact.element_a = a;
  contact.element_b = b;
  contact.closest = approach.closest;
  contact.normal = approach.normal;
}

}  // namespace toccata
