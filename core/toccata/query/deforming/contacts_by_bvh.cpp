#include "toccata/query/deforming/contacts_by_bvh.hpp"

#include "toccata/base/parallel_for.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/deforming/step_memory.hpp"

namespace toccata {
namespace {

void fill_items(const KdopSource& source, unsigned threads, UninitializedVector<KdopItem>& items) {
  renew(items, source.features.element_count());
  parallel_for(items.size(), 1 << 12, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const Index element = static_cast<Index>(i);
      items[i] = source.item(element);
    }
  });
}

}  // namespace

StepContacts contacts_by_bvh(const StepProblem& problem, const LocalFrame& local,
                             unsigned threads) {
  Stopwatch watch;
  StepMemory& memory = problem.memory;
  const KdopSource source(problem.features, local, memory.slabs, threads);
  fill_items(source, threads, memory.items);
  memory.nodes.reset(2 * memory.items.size() - 1, false);
  build_tree(source, memory.items, memory.nodes, 0, threads);
  const double hierarchy = watch.lap();
  StepContacts out = walk_kdops(problem, {source, memory.nodes}, 0, threads);
  out.stats.seconds_hierarchy = hierarchy;
  out.stats.seconds_traversal = watch.lap();
  return out;
}

}  // namespace toccata
