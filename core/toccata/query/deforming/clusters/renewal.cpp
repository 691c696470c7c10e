// Renewal of clusters from step to step: certifies them again, and reassigns the faces that they
// lost.
#include <algorithm>
#include <optional>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/clusters/clustering.hpp"
#include "toccata/query/deforming/clusters/growth.hpp"
#include "toccata/query/deforming/clusters/small_part.hpp"

namespace toccata {
namespace {

constexpr Index none = Features::none;

class Renewal {
 public:
  Renewal(const PatchStep& step, unsigned threads, Clustering& clusters)
      : step_(step),
        f_(step.features),
        threads_(threads),
        c_(clusters),
        blocks_(parts_of(clusters.block_owners, clusters.seeds.size())),
        workers_(threads),
        views_(clusters.seeds.size()),
        lost_(clusters.seeds.size()) {}

  bool run() {
    own_faces();
    // Checks a sample of clusters from the whole mesh first, to find out whether the others are
    // worth it.
    constexpr std::size_t rounds = 8, enough = 512;
    for (std::size_t round = 0; round < rounds; ++round) {
      check_every(rounds, round);
      if (checked_ > enough && many_lost()) return false;
    }
    if (many_lost()) return false;
    std::vector<Index> lost;
    for (const auto& some : lost_) lost.insert(lost.end(), some.begin(), some.end());
    assign(lost);
    if (!settle(lost) || c_.seeds.size() > 2 * c_.made + 64) return false;
    connect();
    return true;
  }

 private:
  struct Worker {
    std::unique_ptr<PatchGrowth> growth;
    std::vector<Index> faces, kept;
  };

  /// Copies the clusters of all faces if an answer still has them.
  void own_faces() {
    if (c_.faces.use_count() == 1) return;
    const FaceClusters& before = *c_.faces;
    const auto copy = std::make_shared<FaceClusters>();
    copy->patches = AtomicIndices(f_.faces.size());
    copy->clusters = AtomicIndices(f_.faces.size());
    parallel_for(f_.faces.size(), even_grain(f_.faces.size()), threads_,
                 [&](std::size_t begin, std::size_t end, unsigned) {
                   for (Index face = static_cast<Index>(begin); face < static_cast<Index>(end);
                        ++face) {
                     std::construct_at(&copy->patches[face], before.patch(face));
                     std::construct_at(&copy->clusters[face], before.cluster(face));
                   }
                 });
    c_.faces = copy;
  }

  void check_every(std::size_t stride, std::size_t first) {
    parallel_for((views_.size() + stride - 1 - first) / stride, 1, threads_,
                 [&](std::size_t i, std::size_t, unsigned worker) {
                   check(static_cast<Index>(first + i * stride), workers_[worker]);
                 });
  }

  /// Returns whether so many of the checked faces are lost that making all clusters again is
  /// faster.
  bool many_lost() const { return lost_count_ * 8 > checked_; }

  PatchGrowth& growth(Worker& worker) {
    if (!worker.growth) worker.growth = std::make_unique<PatchGrowth>(step_, c_.faces->clusters);
    return *worker.growth;
  }

  /// Certifies a cluster for this step. If that fails, the cluster grows again from its seed among
  /// its faces, and loses the others. A cluster of a single face gives it up, so that it can join
  /// another cluster.
  void check(Index g, Worker& worker) {
    if (c_.seeds[g] == none) return;
    std::vector<Index>&faces = worker.faces, &kept = worker.kept;
    faces.clear();
    for (const Index block : blocks_.part(g))
      c_.tree.for_each_element(block, [&](Index face) { faces.push_back(face); });
    checked_.fetch_add(faces.size(), std::memory_order_relaxed);
    if (faces.size() < 2) {
      lost_[g] = faces;
      return;
    }
    const auto inside = [&](Index other) { return c_.cluster(other) == g; };
    if (c_.from_point[g]) {
      const auto is_proven = [&](const PointView& view) {
        if (!is_star(view, step_, faces, inside)) return false;
        views_[g] = view;
        return true;
      };
      const auto view = view_from_inside(step_, sample_of(faces, 32, worker.kept));
      if (view && is_proven(*view)) return;
      if (faces.size() <= SmallPart::most && is_proven(view_from_middle(step_, faces))) return;
      c_.from_point[g] = false;
    }
    PatchGrowth& growth = this->growth(worker);
    const PatchGrowth::Start start{c_.seeds[g], growth.normal_of(faces)};
    const StarView view = growth.view_of(start);
    views_[g] = view;
    if (is_star(view, step_, faces, inside)) return;
    growth.grow(start, g, taken_from(g), kept);
    if (kept.size() < 2) views_[g].reset();
    for (const Index face : faces) set_cluster(face, none);
    for (const Index face : kept) set_cluster(face, g);
    lost_count_.fetch_add(faces.size() - kept.size(), std::memory_order_relaxed);
    std::copy_if(faces.begin(), faces.end(), std::back_inserter(lost_[g]),
                 [this](Index face) { return c_.cluster(face) == none; });
  }

  /// Assigns faces to clusters across their sides.
  void assign(const std::vector<Index>& lost) {
    std::vector<Index> pending = lost;
    for (std::size_t next = 0; next < pending.size(); ++next) {
      const Index face = pending[next];
      if (!joins_neighbor(face)) continue;
      // Adjacent faces may fit now.
      for (const Index other : f_.across[face])
        if (other != none && c_.cluster(other) == none) pending.push_back(other);
    }
  }

  bool joins_neighbor(Index face) {
    if (const Index own = c_.cluster(face); own != none && has_view(own)) return false;
    for (const Index other : f_.across[face]) {
      const Index g = other == none ? none : c_.cluster(other);
      if (g == none || !has_view(g)) continue;
      const auto inside = [&](Index o) { return c_.cluster(o) == g; };
      if (!std::visit([&](const auto& view) { return joins(view, f_, face, inside); }, *views_[g]))
        continue;
      move(face, g, c_.faces->patch(other));
      return true;
    }
    return false;
  }

  void set_cluster(Index face, Index g) {
    c_.faces->clusters[face].store(g, std::memory_order_relaxed);
  }
  /// Returns the owner of faces in a growing patch, which differs from all others.
  static Index taken_from(Index g) { return -2 - g; }

  bool has_view(Index g) const {
    return static_cast<std::size_t>(g) < views_.size() && views_[g].has_value();
  }

  void move(Index face, Index g, Index patch) {
    const Index before = c_.faces->patch(face);
    c_.patch_count -= --c_.patch_sizes[before] == 0;
    c_.patch_count += c_.patch_sizes[patch]++ == 0;
    c_.faces->patches[face].store(patch, std::memory_order_relaxed);
    c_.tree.remove(c_.blocks[face], face);
    set_cluster(face, g);
    moved_.push_back(face);
  }

  /// Makes clusters of the remaining faces, and adds all moved faces to blocks: a new one
  /// for each cluster that took some, to keep the order of the others. Returns false if there is no
  /// room.
  bool settle(const std::vector<Index>& lost) {
    std::stable_sort(moved_.begin(), moved_.end(),
                     [this](Index a, Index b) { return c_.cluster(a) < c_.cluster(b); });
    for (auto begin = moved_.begin(), end = begin; begin != moved_.end(); begin = end) {
      const Index g = c_.cluster(*begin);
      end = std::find_if(begin, moved_.end(), [&](Index face) { return c_.cluster(face) != g; });
      if (!put({begin, end}, g)) return false;
    }
    std::vector<Index> patch;
    for (const Index face : lost) {
      // The face has been assigned, or remains alone as before.
      if (c_.cluster(face) != none) continue;
      PatchGrowth& growth = this->growth(workers_[0]);
      growth.grow({face, growth.normal_of(std::span(&face, 1))}, none, taken_from(0), patch);
      const Index g = static_cast<Index>(c_.seeds.size());
      c_.seeds.push_back(face);
      c_.added.push_back(none);
      c_.from_point.push_back(false);
      const Index id = static_cast<Index>(c_.patch_sizes.size());
      c_.patch_sizes.push_back(0);
      for (const Index one : patch) move(one, g, id);
      if (!put(patch, g)) return false;
    }
    return true;
  }

  bool put(std::span<const Index> faces, Index g) {
    std::vector<Index> all(faces.begin(), faces.end());
    Index& block = c_.added[g];
    if (block != none) {
      c_.tree.for_each_element(block, [&](Index face) { all.push_back(face); });
      c_.tree.replace(block, all);
    } else {
      block = c_.tree.add(all);
      c_.block_owners.push_back(g);
    }
    for (const Index face : faces) c_.blocks[face] = block;
    return c_.tree.has_room();
  }

  void connect() {
    const Clustered clustered{step_, c_.faces->clusters};
    renew_bridges(clustered, threads_, c_.bridges);
    make_memberships(clustered, c_.bridges, threads_, c_.memberships);
    add_bridges(clustered, moved_, c_.bridges, c_.memberships);
  }

  const PatchStep& step_;
  const Features& f_;
  unsigned threads_;
  Clustering& c_;
  Partition blocks_;  ///< blocks of each cluster
  std::vector<Worker> workers_;
  std::vector<std::optional<View>> views_;               ///< views of the certified clusters
  std::vector<std::vector<Index>> lost_;                 ///< by cluster: faces that may leave it
  std::atomic<std::size_t> checked_{0}, lost_count_{0};  ///< checked faces, and unassigned ones
  std::vector<Index> moved_;
};

}  // namespace

bool renew_clusters(const PatchStep& step, unsigned threads, Clustering& clusters) {
  return Renewal(step, threads, clusters).run();
}

}  // namespace toccata
