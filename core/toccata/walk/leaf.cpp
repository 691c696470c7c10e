#include "toccata/walk/leaf.hpp"

#include <algorithm>

#include "toccata/narrow/advancement/cell_approach.hpp"

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
  if (pair.options().initial == Initial::ignore_separating)
    question.motion_a = &pair.motion_a(), question.motion_b = &pair.motion_b();
  const CellApproach found =
      approach({pair.mesh_a(), a, state.a.motion}, {pair.mesh_b(), b, state.b.motion}, question);
  return {found.between, found.touches, found.between.step};
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
  if (pair.options().initial == Initial::ignore_separating) {
    // A tolerance as large as a body would let it pass through the other one as if it left it.
    const double size = std::min(pair.mesh_a().radius(), pair.mesh_b().radius());
    const double overlap = std::min(pair.tolerance(), 1e-3 * size);
    const double release = release_time({triangle_a, pair.motion_a()},
                                        {triangle_b, pair.motion_b()},
                                        {near + pair.error(), overlap, pair.error()});
    if (state.time < release) leaf.touches = false, leaf.step = release - state.time;
  }
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
