#include "toccata/query/rigid/leaf.hpp"

namespace toccata {

LeafApproach approach_leaves(const MovingPair& pair, const PairState& state, Index a, Index b) {
  const Triangle triangle_a = pair.mesh_a().triangle(a), triangle_b = pair.mesh_b().triangle(b);
  LeafApproach leaf{approach({triangle_a, state.a.motion}, {triangle_b, state.b.motion}, pair.separation(),
                             pair.error(), pair.tolerance() / 4),
                    false, 0};
  const double near = pair.separation() + pair.tolerance();
  leaf.step = leaf.triangles.step;
  if (!(leaf.triangles.closest.distance + pair.error() <= near)) return leaf;
  leaf.touches = true;
  if (pair.options().initial == Initial::ignore_separating) {
    const PairState start = pair.state(0, 1);
    const double release =
        release_time({triangle_a, start.a.motion}, {triangle_b, start.b.motion}, near + pair.error(),
                     pair.tolerance(), pair.error());
    if (state.time < release) leaf.touches = false, leaf.step = release - state.time;
  }
  return leaf;
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
