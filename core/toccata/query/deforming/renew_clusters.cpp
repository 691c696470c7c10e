#include <algorithm>
#include <optional>

#include "toccata/query/deforming/clustering.hpp"
#include "toccata/query/deforming/patch_growth.hpp"
#include "toccata/query/deforming/star_faces.hpp"

namespace toccata {
namespace {

constexpr Index none = Features::none;

class Renewal {
 public:
  Renewal(const ClusteredStep& step, unsigned threads, Clustering& clusters)
      : step_(step), f_(step.features), threads_(threads), c_(clusters),
        parts_(parts_of(clusters.owners, clusters.seeds.size())), workers_(threads),
        views_(clusters.seeds.size()), homeless_(clusters.seeds.size()) {}

  bool run() {
    parallel_for(views_.size(), 1, threads_, [&](std::size_t g, std::size_t, unsigned worker) {
      check(static_cast<Index>(g), worker);
    });
    std::vector<Index> faces;
    for (const auto& some : homeless_) faces.insert(faces.end(), some.begin(), some.end());
    const auto lost = std::count_if(faces.begin(), faces.end(),
                                    [this](Index face) { return c_.group(face) == none; });
    if (static_cast<std::size_t>(lost) > f_.faces.size() / 8) return false;
    adopt(faces);
    settle(faces);
    if (c_.seeds.size() > 2 * c_.made + 64 || !c_.tree.has_room()) return false;
    connect();
    return true;
  }

 private:
  PatchGrowth& growth(unsigned worker) {
    auto& growth = workers_[worker];
    if (!growth)
      growth = std::make_unique<PatchGrowth>(f_, step_.frames, step_.diagonal, c_.groups);
    return *growth;
  }

  std::vector<Index> faces_of(Index group) const {
    std::vector<Index> faces;
    for (const Index cluster : parts_.part(group))
      c_.tree.for_each_element(cluster, [&](Index face) { faces.push_back(face); });
    return faces;
  }

  /// Whether a group still holds. If not it grows again from its seed among its faces, and those
  /// that do not fit any more are left over. One of a single face would rather join another.
  void check(Index g, unsigned worker) {
    if (c_.seeds[g] == none) return;
    const std::vector<Index> faces = faces_of(g);
    homeless_[g] = faces;
    if (faces.size() < 2) return;
    PatchGrowth& growth = this->growth(worker);
    const PatchGrowth::Start start{c_.seeds[g], growth.normal_of(faces)};
    views_[g] = growth.view_of(start);
    if (is_star(*views_[g], f_, faces, [&](Index other) { return c_.group(other) == g; })) {
      homeless_[g].clear();
      return;
    }
    std::vector<Index> kept;
    growth.grow(start, g, taken_from(g), kept);
    if (kept.size() < 2) views_[g].reset();
    for (const Index face : faces) set_group(face, none);
    for (const Index face : kept) set_group(face, g);
    std::erase_if(homeless_[g], [&](Index face) { return c_.group(face) == g; });
  }

  /// Gives faces to groups across their sides, as long as one takes one.
  void adopt(std::vector<Index>& faces) {
    const auto finds_home = [this](Index face) {
      for (const Index other : f_.across[face]) {
        const Index g = other == none ? none : c_.group(other);
        if (g == none || !has_view(g)) continue;
        if (!joins(*views_[g], f_, face, [&](Index o) { return c_.group(o) == g; })) continue;
        move(face, g);
        return true;
      }
      return false;
    };
    while (std::erase_if(faces, finds_home) > 0) {
    }
  }

  void set_group(Index face, Index g) { c_.groups[face].store(g, std::memory_order_relaxed); }
  /// The owner of faces in a patch that grows, which is no other's.
  static Index taken_from(Index g) { return -2 - g; }

  bool has_view(Index g) const {
    return static_cast<std::size_t>(g) < views_.size() && views_[g].has_value();
  }

  void move(Index face, Index g) {
    c_.tree.remove(c_.leaves[face], face);
    set_group(face, g);
    moved_.push_back(face);
  }

  /// Makes groups of faces that are left over, and puts all that have moved into leaf clusters: one
  /// more for each group that took some, since the order of the others is worth to be kept.
  void settle(const std::vector<Index>& faces) {
    std::stable_sort(moved_.begin(), moved_.end(),
                     [this](Index a, Index b) { return c_.group(a) < c_.group(b); });
    for (auto begin = moved_.begin(), end = begin; begin != moved_.end(); begin = end) {
      const Index g = c_.group(*begin);
      end = std::find_if(begin, moved_.end(), [&](Index face) { return c_.group(face) != g; });
      put({begin, end}, g);
    }
    std::vector<Index> patch;
    for (const Index face : faces) {
      if (c_.group(face) != none) continue;  // alone as before, or in the patch of another
      PatchGrowth& growth = this->growth(0);
      growth.grow({face, growth.normal_of(std::span(&face, 1))}, none, taken_from(0), patch);
      const Index g = static_cast<Index>(c_.seeds.size());
      c_.seeds.push_back(face);
      c_.adopted.push_back(none);
      for (const Index one : patch) move(one, g);
      put(patch, g);
    }
  }

  void put(std::span<const Index> faces, Index g) {
    std::vector<Index> all(faces.begin(), faces.end());
    Index& cluster = c_.adopted[g];
    if (cluster != none) {
      c_.tree.for_each_element(cluster, [&](Index face) { all.push_back(face); });
      c_.tree.replace(cluster, all);
    } else {
      cluster = c_.tree.add(all);
      c_.owners.push_back(g);
    }
    for (const Index face : faces) c_.leaves[face] = cluster;
  }

  void connect() {
    const GroupedStep grouped{f_, step_.frames, step_.diagonal, c_.groups};
    renew_bridges(grouped, threads_, c_.bridges);
    make_covers(grouped, c_.bridges, threads_, c_.covers);
    // The borders of faces that have moved are theirs or those of their neighbours.
    std::vector<Index> changed = moved_;
    for (const Index face : moved_)
      for (const Index other : f_.across[face])
        if (other != none) changed.push_back(other);
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    add_bridges(grouped, changed, c_.bridges, c_.covers);
  }

  const ClusteredStep& step_;
  const Features& f_;
  unsigned threads_;
  Clustering& c_;
  Partition parts_;  ///< the leaf clusters of each group
  std::vector<std::unique_ptr<PatchGrowth>> workers_;
  std::vector<std::optional<StarView>> views_;  ///< of the groups that are proven
  std::vector<std::vector<Index>> homeless_;    ///< of each group: the faces that it lost
  std::vector<Index> moved_;
};

}  // namespace

bool renew_clusters(const ClusteredStep& step, unsigned threads, Clustering& clusters) {
  return Renewal(step, threads, clusters).run();
}

}  // namespace toccata
