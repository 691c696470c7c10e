// The coherence of method="interval" between queries: answers stay right, and the front stays
// whole.
#include "interval_cases.hpp"

namespace toccata::testing {
namespace {

/// Whether `nodes` lies below `above` or is it.
bool is_below(const Bvh& bvh, NodeRef nodes, NodeRef above) {
  if (nodes.value == above.value) return true;
  const Index child = bvh.child(above);
  if (is_leaf(child)) return false;
  for (int lane = 0; lane < lanes; ++lane)
    if (bvh.nodes[child].used >> lane & 1 && is_below(bvh, nodes, {child, lane})) return true;
  return false;
}

std::vector<NodeRef> leaves(const Bvh& bvh) {
  std::vector<NodeRef> result;
  for (Index node = 0; node < static_cast<Index>(bvh.nodes.size()); ++node)
    for (int lane = 0; lane < lanes; ++lane)
      if (bvh.nodes[node].used >> lane & 1 && is_leaf(bvh.child({node, lane})))
        result.push_back({node, lane});
  return result;
}

void check_front(const Mesh& a, const Mesh& b, const Coherence& coherence) {
  for (const NodeRef i : leaves(a.bvh()))
    for (const NodeRef j : leaves(b.bvh())) {
      int count = 0;
      for (const auto& [siblings, open] : coherence.front)
        for (int lane = 0; lane < lanes; ++lane)
          count += (open >> lane & 1) && is_below(a.bvh(), i, siblings.child(lane).a) &&
                   is_below(b.bvh(), j, siblings.child(lane).b);
      CHECK(count == 1);
    }
}

void test_coherence() {
  Random random(5);
  const Mesh a = random.soup(30, 0.6), b = random.soup(30, 0.6);
  Coherence coherence;
  Options o;
  o.tolerance = 1e-4;
  int contacts = 0, remembered = 0;
  Pose pose{identity3, {2.2, 0.1, 0.2}};
  for (int n = 0; n < 50; ++n) {
    Pose next = pose;
    next.translation = pose.translation * 0.95 + direction(random) * 0.1;
    next.rotation = to_matrix(exp_rotation(direction(random) * 0.1)) * pose.rotation;
    const Case c{a, b, Twist::screw(pose, next), Motion::fixed({})};
    o.budget = n == 20 ? 3 : 1'000'000;  // running out must not spoil the coherence
    remembered += !coherence.front.empty();
    const Contact with = ask(c, o, &coherence), without = ask(c, o);
    CHECK(with.status == without.status || n == 20);
    check_contract(c, o, with, 20);
    check_agreement(c, o, with, without);
    if (!coherence.front.empty()) check_front(a, b, coherence);
    contacts += with.status == Status::contact;
    // Stay where contact stopped the motion, as a simulation would.
    if (with.status == Status::free) pose = next;
    else if (with.toc > 0) pose = c.motion_a.pose(0.5 * with.toc);
    else pose.translation = pose.translation * 1.1;
  }
  CHECK(contacts >= 15 && contacts <= 35);
  CHECK(remembered > 25);
  // Memory of other meshes is not used.
  const Case other{b, a, sliding({3, 0, 0}, {2.5, 0, 0}), Motion::fixed({})};
  check_contract(other, o, ask(other, o, &coherence), 10);
}

}  // namespace
}  // namespace toccata::testing

int main() { toccata::testing::test_coherence(); }
