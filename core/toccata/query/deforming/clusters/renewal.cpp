#include <algorithm>
#include <optional>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/clusters/clustering.hpp"
#include "toccata/query/deforming/clusters/growth.hpp"
#include "toccata/query/deforming/clusters/star.hpp"

namespace toccata {
namespace {

constexpr Index none = Features::none;

class Renewal {
 public:
  Renewal(const ClusteredStep& step, unsigned threads, Clustering& clusters)
      : step_(step),
        f_(step.features),
        threads_(threads),
        c_(clusters),
        parts_(parts_of(clusters.owners, clusters.seeds.size())),
        workers_(threads),
        views_(clusters.seeds.size()),
        lost_(clusters.seeds.size()) {}

  bool run() {
    parallel_for(views_.size(), 1, threads_, [&](std::size_t g, std::size_t, unsigned worker) {
      check(static_cast<Index>(g), workers_[worker]);
    });
    std::vector<Index> homeless;
    for (const auto& some : lost_) homeless.insert(homeless.end(), some.begin(), some.end());
    const auto count = std::count_if(homeless.begin(), homeless.end(),
                                     [this](Index face) { return c_.group(face) == none; });
    if (static_cast<std::size_t>(count) > f_.faces.size() / 4) return false;
    adopt(homeless);
    if (!settle(homeless) || c_.seeds.size() > 2 * c_.made + 64) return false;
    connect();
    return true;
  }

 private:
  struct Worker {
    std::unique_ptr<PatchGrowth> growth;
    std::vector<Index> faces, kept;
  };

  PatchGrowth& growth(Worker& worker) {
    if (!worker.growth)
      worker.growth = std::make_unique<PatchGrowth>(f_, step_.frames, step_.diagonal, c_.groups);
    return *worker.growth;
  }

  /// Whether a group still holds. If not it grows again from its seed among its faces, and loses
  /// those that do not fit any more. One of a single face would rather join another.
  void check(Index g, Worker& worker) {
    if (c_.seeds[g] == none) return;
    std::vector<Index>&faces = worker.faces, &kept = worker.kept;
    faces.clear();
    for (const Index cluster : parts_.part(g))
      c_.tree.for_each_element(cluster, [&](Index face) { faces.push_back(face); });
    if (faces.size() < 2) {
      lost_[g] = faces;
      return;
    }
    PatchGrowth& growth = this->growth(worker);
    const PatchGrowth::Start start{c_.seeds[g], growth.normal_of(faces)};
    views_[g] = growth.view_of(start);
    if (is_star(*views_[g], f_, faces, [&](Index other) { return c_.group(other) == g; })) return;
    growth.grow(start, g, taken_from(g), kept);
    if (kept.size() < 2) views_[g].reset();
    for (const Index face : faces) set_group(face, none);
    for (const Index face : kept) set_group(face, g);
    std::copy_if(faces.begin(), faces.end(), std::back_inserter(lost_[g]),
                 [this](Index face) { return c_.group(face) == none; });
  }

  /// Gives faces to groups across their sides.
  void adopt(const std::vector<Index>& homeless) {
    std::vector<Index> asking = homeless;
    for (std::size_t next = 0; next < asking.size(); ++next) {
      const Index face = asking[next];
      if (!finds_home(face)) continue;
      // What is next to it may fit now.
      for (const Index other : f_.across[face])
        if (other != none && c_.group(other) == none) asking.push_back(other);
    }
  }

  bool finds_home(Index face) {
    if (const Index own = c_.group(face); own != none && has_view(own)) return false;
    for (const Index other : f_.across[face]) {
      const Index g = other == none ? none : c_.group(other);
      if (g == none || !has_view(g)) continue;
      if (!joins(*views_[g], f_, face, [&](Index o) { return c_.group(o) == g; })) continue;
      move(face, g);
      return true;
    }
    return false;
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
  /// more for each group that took some, since the order of the others is worth to be kept. Returns
  /// false as soon as there is no room.
  bool settle(const std::vector<Index>& homeless) {
    std::stable_sort(moved_.begin(), moved_.end(),
                     [this](Index a, Index b) { return c_.group(a) < c_.group(b); });
    for (auto begin = moved_.begin(), end = begin; begin != moved_.end(); begin = end) {
      const Index g = c_.group(*begin);
      end = std::find_if(begin, moved_.end(), [&](Index face) { return c_.group(face) != g; });
      if (!put({begin, end}, g)) return false;
    }
    std::vector<Index> patch;
    for (const Index face : homeless) {
      if (c_.group(face) != none) continue;  // it has got one, or is alone as before
      PatchGrowth& growth = this->growth(workers_[0]);
      growth.grow({face, growth.normal_of(std::span(&face, 1))}, none, taken_from(0), patch);
      const Index g = static_cast<Index>(c_.seeds.size());
      c_.seeds.push_back(face);
      c_.adopted.push_back(none);
      for (const Index one : patch) move(one, g);
      if (!put(patch, g)) return false;
    }
    return true;
  }

  bool put(std::span<const Index> faces, Index g) {
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
    return c_.tree.has_room();
  }

  void connect() {
    const GroupedStep grouped{f_, step_.frames, step_.diagonal, c_.groups};
    renew_bridges(grouped, threads_, c_.bridges);
    make_covers(grouped, c_.bridges, threads_, c_.covers);
    add_bridges(grouped, moved_, c_.bridges, c_.covers);
  }

  const ClusteredStep& step_;
  const Features& f_;
  unsigned threads_;
  Clustering& c_;
  Partition parts_;  ///< the leaf clusters of each group
  std::vector<Worker> workers_;
  std::vector<std::optional<StarView>> views_;  ///< of the groups that are proven
  std::vector<std::vector<Index>> lost_;        ///< of each group: its faces that may leave it
  std::vector<Index> moved_;
};

}  // namespace

bool renew_clusters(const ClusteredStep& step, unsigned threads, Clustering& clusters) {
  return Renewal(step, threads, clusters).run();
}

}  // namespace toccata
