// The methods "bvh", "clusters" and "auto" for one step, and the choice of "auto".
#include "toccata/query/deforming/methods.hpp"

#include <algorithm>
#include <utility>

#include "toccata/base/parallel_for.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/deforming/self_walk.hpp"

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

PatchStep patch_step(const StepProblem& problem, const LocalFrame& local) {
  return {problem.features, problem.frames, local.diagonal, problem.linear.separation};
}

/// Counts the clusters that have faces. In a sequence, a cluster may have lost all faces to others.
void count_clusters(const Clustering& clusters, StepStats& stats) {
  stats.leaf_clusters = static_cast<Count>(clusters.patch_count);
  std::vector<bool> has_faces(clusters.seeds.size());
  for (Index block = 0; block < clusters.tree.count(); ++block) {
    const Index cluster = clusters.block_owners[block];
    if (clusters.seeds[cluster] == Features::none || clusters.tree.element_count(block) == 0)
      continue;
    has_faces[cluster] = true;
  }
  stats.intermediate_clusters = std::count(has_faces.begin(), has_faces.end(), true);
}

}  // namespace

StepContacts contacts_by_bvh(const StepProblem& problem, const LocalFrame& local,
                             unsigned threads) {
  Stopwatch watch;
  StepMemory& workspace = problem.workspace;
  const KdopSource source(problem.features, local, workspace.points, threads);
  fill_items(source, threads, workspace.items);
  workspace.nodes.reset(2 * workspace.items.size() - 1, false);
  build_tree(source, workspace.items, workspace.nodes, 0, threads);
  const double hierarchy = watch.lap();
  StepContacts out = walk_against_itself(problem, {source, workspace.nodes}, 0, threads);
  out.stats.seconds_hierarchy = hierarchy;
  out.stats.seconds_traversal = watch.lap();
  return out;
}

StepContacts contacts_by_clusters(const StepProblem& problem, const LocalFrame& local,
                                  unsigned threads) {
  problem.workspace.clusters.mesh = 0;
  return contacts_by_kept_clusters(problem, local, threads);
}

StepContacts contacts_by_kept_clusters(const StepProblem& problem, const LocalFrame& local,
                                       unsigned threads) {
  Stopwatch watch;
  const Features& features = problem.features;
  StepMemory& workspace = problem.workspace;
  Clustering& clusters = workspace.clusters;
  const PatchStep step = patch_step(problem, local);
  const bool known = std::exchange(clusters.mesh, 0) == features.id;
  if (!known || !renew_clusters(step, threads, clusters)) make_clusters(step, threads, clusters);
  const double clustering = watch.lap();
  KdopSource source(features, local, workspace.points, threads);
  source.memberships = clusters.memberships;
  source.inner_everywhere = step.separation == 0;
  ClusterTree& tree = clusters.tree;
  tree.start(source, parts_of(clusters.block_owners, clusters.seeds.size()), threads);
  const double hierarchy = watch.lap();
  StepContacts out =
      walk_against_itself(problem, {source, tree.nodes(), &tree}, tree.root(), threads);
  clusters.mesh = features.id;
  count_clusters(clusters, out.stats);
  out.clusters = clusters.faces;
  out.stats.seconds_clustering = clustering;
  out.stats.seconds_hierarchy = hierarchy;
  out.stats.seconds_traversal = watch.lap();
  return out;
}

StepContacts contacts_by_the_fastest(const StepProblem& problem, const LocalFrame& local,
                                     unsigned threads) {
  // Clusters of a few faces do not pay. With a separation they pay only if they are larger, because
  // pairs at their boundary are still traversed. A regular mesh has patches of 19 faces after three
  // rings.
  const double enough = problem.linear.separation == 0 ? 6 : 12;
  const double size = sampled_patch_size(patch_step(problem, local));
  if (size < enough) return contacts_by_bvh(problem, local, threads);
  // With a budget the result must not depend on the number of threads, and the nodes of a kept tree
  // do.
  return (problem.has_budget() ? contacts_by_clusters : contacts_by_kept_clusters)(problem, local,
                                                                                   threads);
}

}  // namespace toccata
