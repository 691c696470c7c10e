#include "toccata/query/deforming/contacts_by_clusters.hpp"

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/deforming/bridges.hpp"
#include "toccata/query/deforming/cluster_tree.hpp"
#include "toccata/query/deforming/merge_patches.hpp"

namespace toccata {
namespace {

constexpr Index most = 128;  // faces of a leaf cluster

}  // namespace

StepContacts contacts_by_clusters(const StepProblem& problem, const LocalFrame& local,
                                  unsigned threads) {
  Stopwatch watch;
  const Features& features = problem.features;
  const Patches patches = grow_patches(features, problem.frames, local.diagonal, threads);
  const Partition groups = merge_patches(features, patches, threads);
  const LeafClusters clusters = cut_clusters(features, patches, groups, most, threads);
  // The proofs exclude contact, not that things come closer than a separation.
  const bool proven = problem.linear.separation == 0;
  StepMemory& memory = problem.memory;
  if (proven)
    build_bridges({features, problem.frames, local.diagonal, patches, groups}, threads,
                  memory.covers);
  const double clustering = watch.lap();
  KdopSource source(features, local, memory.slabs, threads);
  if (proven) source.covers = memory.covers;
  ClusterTree tree(source, clusters, memory, threads);
  const double hierarchy = watch.lap();
  const auto open = [&tree](Index node, unsigned worker) { tree.open(node, worker); };
  StepContacts out = walk_kdops(problem, {source, tree.nodes(), open}, tree.root(), threads);
  out.stats.leaf_clusters = clusters.faces.count();
  out.stats.intermediate_clusters = groups.count();
  out.stats.seconds_clustering = clustering;
  out.stats.seconds_hierarchy = hierarchy;
  out.stats.seconds_traversal = watch.lap();
  return out;
}

}  // namespace toccata
