// Construction of clusters from scratch: patches, merged clusters, blocks and bridges.
#include "toccata/query/deforming/clusters/clustering.hpp"

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/clusters/patches.hpp"

namespace toccata {
namespace {

constexpr Index most = 128;  // largest number of faces of a block

/// Stores the cluster of each block, and the block and cluster of each face.
void name_faces(const Features& f, const Blocks& blocks, unsigned threads, Clustering& out) {
  out.block_owners.clear();
  for (std::size_t c = 0; c + 1 < blocks.first.size(); ++c)
    out.block_owners.resize(blocks.first[c + 1], static_cast<Index>(c));
  renew(out.blocks, f.faces.size());
  parallel_for(out.block_owners.size(), 16, threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (std::size_t i = begin; i < end; ++i) {
                   const Index block = static_cast<Index>(i), cluster = out.block_owners[i];
                   for (const Index element : blocks.elements.part(block)) {
                     if (static_cast<std::size_t>(element) >= f.faces.size()) continue;
                     out.blocks[element] = block;
                     out.faces->clusters[element].store(cluster, std::memory_order_relaxed);
                   }
                 }
               });
}

}  // namespace

void make_clusters(const PatchStep& step, unsigned threads, Clustering& out) {
  const Features& f = step.features;
  Patches patches = grow_patches(step, threads);
  auto [clusters, from_point] = merge_patches(step, patches, threads);
  const Blocks blocks = cut_clusters(f, patches, clusters, most, threads);
  // O moves with the face from which the first patch of a cluster has grown.
  out.seeds.clear();
  for (Index c = 0; c < clusters.count(); ++c)
    out.seeds.push_back(patches.faces.part(clusters.part(c)[0])[0]);
  if (!f.loose.empty()) {
    out.seeds.push_back(Features::none);
    from_point.push_back(false);
  }
  out.from_point = std::move(from_point);
  out.made = out.seeds.size();
  out.added.assign(out.made, Features::none);
  out.faces = std::make_shared<FaceClusters>();
  out.faces->patches = std::move(patches.owners);
  out.faces->clusters = AtomicIndices(f.faces.size());
  out.patch_count = patches.faces.count();
  out.patch_sizes.clear();
  for (Index p = 0; p < out.patch_count; ++p)
    out.patch_sizes.push_back(static_cast<Index>(patches.faces.part(p).size()));
  name_faces(f, blocks, threads, out);
  out.tree.reset(f, blocks, threads);
  const Clustered clustered{step, out.faces->clusters};
  out.bridges = build_bridges(clustered, patches.cells, threads);
  make_memberships(clustered, out.bridges, threads, out.memberships);
}

}  // namespace toccata
