#include "toccata/query/deforming/methods.hpp"

#include <algorithm>
#include <utility>

#include "toccata/base/parallel_for.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/deforming/self_walk.hpp"

namespace toccata {
namespace {

void fill_items(const KdopSource& source, unsigned threads, UnfilledVector<KdopItem>& items) {
  renew(items, source.features.element_count());
  parallel_for(items.size(), 1 << 12, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const Index element = static_cast<Index>(i);
      items[i] = source.item(element);
    }
  });
}

/// Those that have faces: in a sequence, a cluster may have lost all of them to others.
void count_clusters(const Clustering& clusters, StepStats& stats) {
  std::vector<bool> has_faces(clusters.seeds.size());
  for (Index leaf = 0; leaf < clusters.tree.count(); ++leaf) {
    const Index cluster = clusters.leaf_owners[leaf];
    if (clusters.seeds[cluster] == Features::none || clusters.tree.element_count(leaf) == 0)
      continue;
    ++stats.leaf_clusters;
    has_faces[cluster] = true;
  }
  stats.intermediate_clusters = std::count(has_faces.begin(), has_faces.end(), true);
}

}  // namespace

StepContacts contacts_by_bvh(const StepProblem& problem, const LocalFrame& local,
                             unsigned threads) {
  Stopwatch watch;
  StepMemory& memory = problem.memory;
  const KdopSource source(problem.features, local, memory.points, threads);
  fill_items(source, threads, memory.items);
  memory.nodes.reset(2 * memory.items.size() - 1, false);
  build_tree(source, memory.items, memory.nodes, 0, threads);
  const double hierarchy = watch.lap();
  StepContacts out = walk_kdops(problem, {source, memory.nodes}, 0, threads);
  out.stats.seconds_hierarchy = hierarchy;
  out.stats.seconds_traversal = watch.lap();
  return out;
}

StepContacts contacts_by_clusters(const StepProblem& problem, const LocalFrame& local,
                                  unsigned threads) {
  problem.memory.clusters.mesh = 0;
  return contacts_by_kept_clusters(problem, local, threads);
}

StepContacts contacts_by_kept_clusters(const StepProblem& problem, const LocalFrame& local,
                                       unsigned threads) {
  Stopwatch watch;
  const Features& features = problem.features;
  StepMemory& memory = problem.memory;
  Clustering& clusters = memory.clusters;
  const double separation = problem.linear.separation;
  const PatchStep step{features, problem.frames, local.diagonal, separation};
  const bool known = std::exchange(clusters.mesh, 0) == features.id;
  if (!known || !renew_clusters(step, threads, clusters)) make_clusters(step, threads, clusters);
  const double clustering = watch.lap();
  KdopSource source(features, local, memory.points, threads);
  source.covers = clusters.covers;
  source.inner_everywhere = separation == 0;
  ClusterTree& tree = clusters.tree;
  tree.start(source, parts_of(clusters.leaf_owners, clusters.seeds.size()), threads);
  const double hierarchy = watch.lap();
  StepContacts out = walk_kdops(problem, {source, tree.nodes(), &tree}, tree.root(), threads);
  clusters.mesh = features.id;
  count_clusters(clusters, out.stats);
  out.stats.seconds_clustering = clustering;
  out.stats.seconds_hierarchy = hierarchy;
  out.stats.seconds_traversal = watch.lap();
  return out;
}

}  // namespace toccata
