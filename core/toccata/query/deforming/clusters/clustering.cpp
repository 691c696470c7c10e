#include "toccata/query/deforming/clusters/clustering.hpp"

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/clusters/patches.hpp"

namespace toccata {
namespace {

constexpr Index most = 128;  // faces of a leaf cluster

/// Tells each leaf cluster its group, and each face both.
void name_faces(const Features& f, const LeafClusters& leaves, unsigned threads, Clustering& out) {
  out.owners.clear();
  for (std::size_t g = 0; g + 1 < leaves.first.size(); ++g)
    out.owners.resize(leaves.first[g + 1], static_cast<Index>(g));
  renew(out.leaves, f.faces.size());
  parallel_for(out.owners.size(), 16, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const Index cluster = static_cast<Index>(i), group = out.owners[i];
      for (const Index element : leaves.elements.part(cluster)) {
        if (static_cast<std::size_t>(element) >= f.faces.size()) continue;
        out.leaves[element] = cluster;
        out.groups[element].store(group, std::memory_order_relaxed);
      }
    }
  });
}

}  // namespace

void make_clusters(const ClusteredStep& step, bool bridges, unsigned threads, Clustering& out) {
  const Features& f = step.features;
  Patches patches = grow_patches(f, step.frames, step.diagonal, threads);
  const Partition groups = merge_patches(f, patches, threads);
  const LeafClusters leaves = cut_clusters(f, patches, groups, most, threads);
  // O moves with the face from which the first patch of a group has grown.
  out.seeds.clear();
  for (Index g = 0; g < groups.count(); ++g)
    out.seeds.push_back(patches.faces.part(groups.part(g)[0])[0]);
  if (!f.loose.empty()) out.seeds.push_back(Features::none);
  out.made = out.seeds.size();
  out.adopted.assign(out.made, Features::none);
  out.groups = std::move(patches.owners);
  name_faces(f, leaves, threads, out);
  out.tree.reset(f, leaves, threads);
  if (!bridges) return;
  const GroupedStep grouped{f, step.frames, step.diagonal, out.groups};
  out.bridges = build_bridges(grouped, patches.cells, threads);
  make_covers(grouped, out.bridges, threads, out.covers);
}

}  // namespace toccata
