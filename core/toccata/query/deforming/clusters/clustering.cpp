// Construction of clusters from scratch: patches, merged clusters, leaf clusters and bridges.
#include "toccata/query/deforming/clusters/clustering.hpp"

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/clusters/patches.hpp"

namespace toccata {
namespace {

constexpr Index most = 128;  // largest number of faces of a leaf cluster

/// Stores the cluster of each leaf cluster, and both clusters of each face.
void name_faces(const Features& f, const LeafClusters& leaves, unsigned threads, Clustering& out) {
  out.leaf_owners.clear();
  for (std::size_t c = 0; c + 1 < leaves.first.size(); ++c)
    out.leaf_owners.resize(leaves.first[c + 1], static_cast<Index>(c));
  renew(out.leaves, f.faces.size());
  parallel_for(out.leaf_owners.size(), 16, threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (std::size_t i = begin; i < end; ++i) {
                   const Index leaf = static_cast<Index>(i), cluster = out.leaf_owners[i];
                   for (const Index element : leaves.elements.part(leaf)) {
                     if (static_cast<std::size_t>(element) >= f.faces.size()) continue;
                     out.leaves[element] = leaf;
                     out.owners[element].store(cluster, std::memory_order_relaxed);
                   }
                 }
               });
}

}  // namespace

void make_clusters(const PatchStep& step, unsigned threads, Clustering& out) {
  const Features& f = step.features;
  Patches patches = grow_patches(step, threads);
  const Partition clusters = merge_patches(f, patches, threads);
  const LeafClusters leaves = cut_clusters(f, patches, clusters, most, threads);
  // O moves with the face from which the first patch of a cluster has grown.
  out.seeds.clear();
  for (Index c = 0; c < clusters.count(); ++c)
    out.seeds.push_back(patches.faces.part(clusters.part(c)[0])[0]);
  if (!f.loose.empty()) out.seeds.push_back(Features::none);
  out.made = out.seeds.size();
  out.added.assign(out.made, Features::none);
  out.owners = std::move(patches.owners);
  name_faces(f, leaves, threads, out);
  out.tree.reset(f, leaves, threads);
  const Clustered clustered{step, out.owners};
  out.bridges = build_bridges(clustered, patches.cells, threads);
  make_memberships(clustered, out.bridges, threads, out.memberships);
}

}  // namespace toccata
