// method="auto": hierarchical advancement in the order of the earliest possible contact.
//
// Every pair of nodes carries a time before which nothing below it touches. The pair with the least
// time is refined next; the first pair of triangles to come up while touching is the answer, since
// all other pairs are still free at that time. No pair is refined that could not have been earlier,
// which is why this order needs the fewest refinements of all.
#include "toccata/query/rigid/advance.hpp"
#include "toccata/query/rigid/heap.hpp"
#include "toccata/query/rigid/leaf.hpp"
#include "toccata/query/rigid/methods.hpp"

namespace toccata {
namespace {

// Two steps pay for themselves: pairs that pass each other prove free at their own level. Measured
// on the benchmark's models; one step triples the time of near misses, three cost a fifth more.
constexpr Patience patience{2, 0.1f};

struct Task {
  double time;  // nothing below `nodes` touches before
  NodePair nodes;
};

}  // namespace

Contact best_first(const MovingPair& pair, double start) {
  thread_local TimeHeap<Task> heap;
  heap.clear();
  heap.push({start, root_pair()});
  const double cutoff = pair.options().cutoff;
  Contact contact;
  for (Count budget = pair.options().budget; !heap.empty(); --budget) {
    const Task task = heap.pop();
    if (budget <= 0) {
      contact.status = Status::undecided;
      contact.toc = contact.safe_until = task.time;
      return contact;
    }
    if (are_leaves(pair, task.nodes)) {
      ++contact.stats.elementary_tests;
      const Index a = element(pair.mesh_a().bvh().child(task.nodes.a));
      const Index b = element(pair.mesh_b().bvh().child(task.nodes.b));
      const LeafApproach leaf =
          approach_leaves(pair, pair.state(task.time, std::min(cutoff, 1.0)), a, b);
      if (leaf.touches) {
        record(contact, task.time, a, b, leaf.triangles);
        return contact;
      }
      if (task.time + leaf.step < cutoff) heap.push({task.time + leaf.step, task.nodes});
      else ++contact.stats.front_nodes;
      continue;
    }
    const Expansion<VolumeKind::box> expansion(pair, task.nodes);
    const Advanced children =
        advance(pair, expansion, task.time, cutoff, patience, contact.stats);
    for_lanes(children.open, [&](int lane) {
      heap.push({children.time[lane], expansion.child(lane)});
    });
    contact.stats.front_nodes += std::popcount(expansion.used() & ~children.open);
  }
  return contact;
}

}  // namespace toccata
