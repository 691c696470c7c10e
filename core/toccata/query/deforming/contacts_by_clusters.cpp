#include "toccata/query/deforming/contacts_by_clusters.hpp"

#include "toccata/base/stopwatch.hpp"
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
  const FaceLinks links(features, threads);
  const Patches patches = grow_patches(features, links, problem.frames, local.diagonal);
  const Partition groups = merge_patches(features, links, patches);
  const LeafClusters clusters = cut_clusters(links, patches, groups, most);
  // The proofs exclude contact, not that things come closer than a separation.
  std::vector<Cover> covers;
  if (problem.linear.separation == 0)
    covers = grow_halos(features, links, patches, groups, threads);
  const double clustering = watch.lap();
  KdopSource source(features, local, threads);
  source.covers = std::move(covers);
  ClusterTree tree(source, clusters, threads);
  const double hierarchy = watch.lap();
  StepContacts out = walk_kdops(
      problem, {source, tree.nodes(), [&tree](Index c) { tree.open(c); }}, tree.root(), threads);
  out.stats.leaf_clusters = clusters.faces.count();
  out.stats.intermediate_clusters = groups.count();
  out.stats.seconds_clustering = clustering;
  out.stats.seconds_hierarchy = hierarchy;
  out.stats.seconds_traversal = watch.lap();
  return out;
}

}  // namespace toccata
