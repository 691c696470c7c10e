// The pairs of bodies of a scene, as an earliest-first walk asks for them.
#pragma once

#include <span>

#include "toccata/base/slots.hpp"
#include "toccata/broad/scene_query.hpp"
#include "toccata/broad/world.hpp"
#include "toccata/walk/rigid_view.hpp"

namespace toccata {

/// Keeps its memory from query to query.
class ScenePairs {
 public:
  void start(const World& world, std::span<const SceneCandidate> candidates,
             const SceneQuery& query) {
    world_ = &world;
    candidates_ = candidates;
    query_ = &query;
    open_.clear();
    pair_of_.assign(candidates.size(), -1);
  }

  Index open(Index candidate) {
    if (pair_of_[candidate] >= 0) return pair_of_[candidate];
    const BodyIndices bodies = candidates_[candidate].bodies;
    open_.add(world_->body(bodies.first), world_->body(bodies.second), query_->of(bodies), bodies);
    return pair_of_[candidate] = open_.size() - 1;
  }
  Index size() const { return open_.size(); }
  /// Of all pairs that are open; the query has that of others.
  void set_separation(double separation) {
    for (Index i = 0; i < open_.size(); ++i) open_[i].pair.set_separation(separation);
  }
  BodyIndices bodies(Index i) const { return open_[i].bodies; }

  const MovingPair& pair(Index i) const { return open_[i].pair; }
  bool is_at_rest(Index i) const { return open_[i].view.is_at_rest(); }
  Span window(double time) const { return {time, std::min(query_->options.cutoff, 1.0)}; }
  double reopens_at(Index i, double now) { return open_[i].view.reopens_at(now); }
  const PairState& at(Index i, Span window) { return open_[i].view.at(window.time); }
  const RelativeState& relative(Index i, Span window, bool a_fills_lanes) {
    return open_[i].view.relative(window.time, a_fills_lanes);
  }
  double volume_time(Index i, double now) const { return open_[i].view.volume_time(now); }
  double again_time(Index, double now) const { return now; }
  double leaf_time(Index, double now) const { return now; }
  static unsigned promising(const Approach& bounds, const Expansion<VolumeKind::box>& expansion,
                            float separation) {
    return RigidView::promising(bounds, expansion, separation);
  }
  static constexpr bool packs_triangles = RigidView::packs_triangles;

 private:
  struct Open {
    MovingPair pair;
    RigidView view;
    BodyIndices bodies;

    Open(const Body& a, const Body& b, const Options& options, BodyIndices bodies)
        : pair(a, b, options), view(pair), bodies(bodies) {}
    Open(const Open&) = delete;  // the view points to the pair
  };

  const World* world_ = nullptr;
  std::span<const SceneCandidate> candidates_;
  const SceneQuery* query_ = nullptr;
  Slots<Open> open_;
  std::vector<Index> pair_of_;  // by candidate; -1 for those that did not come up yet
};

}  // namespace toccata
