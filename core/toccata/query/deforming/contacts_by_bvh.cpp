#include "toccata/query/deforming/contacts_by_bvh.hpp"

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/stopwatch.hpp"

namespace toccata {
namespace {

std::vector<KdopItem> items_of(const KdopSource& source, unsigned threads) {
  std::vector<KdopItem> items(source.features.element_count());
  parallel_for(items.size(), 1 << 12, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const Index element = static_cast<Index>(i);
      items[i] = item_of(source.element(element), element);
    }
  });
  return items;
}

}  // namespace

StepContacts contacts_by_bvh(const StepProblem& problem, const LocalFrame& local,
                             unsigned threads) {
  Stopwatch watch;
  const KdopSource source(problem.features, local, threads);
  std::vector<KdopItem> items = items_of(source, threads);
  KdopNodes nodes(2 * items.size() - 1);
  build_tree(source, items, nodes, 0, threads);
  const double hierarchy = watch.lap();
  StepContacts out = walk_kdops(problem, {source, nodes, {}}, 0, threads);
  out.stats.seconds_hierarchy = hierarchy;
  out.stats.seconds_traversal = watch.lap();
  return out;
}

}  // namespace toccata
