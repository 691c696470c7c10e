// All that is near: the feature pairs of two bodies whose nearest points are a local minimum of the
// distance between the two surfaces (docs/proximities.md has the definition).
#pragma once

#include <array>
#include <vector>

#include "toccata/narrow/features/near.hpp"
#include "toccata/walk/feature_ranks.hpp"
#include "toccata/walk/instant.hpp"

namespace toccata {

struct Proximity {
  Feature kind;
  Index body_a = 0, body_b = 0;  ///< of a scene, or of a robot and its world
  Face vertices_a, vertices_b;   ///< -1 where a feature has fewer
  Vec3d point_a, point_b;        ///< world
  Vec3d normal;                  ///< unit, from b to a; NaN unless the distance exceeds rounding
  double distance;
};

/// By distance, then by bodies, vertices and kind.
bool comes_before(const Proximity& s, const Proximity& t);

/// What else is listed, and what is not.
struct ProximityScope {
  double turn = 0;  ///< in radians: also what may become a local minimum by a turn of up to this
  /// If there are ranks of both: only pairs whose ranks add up to no more than 2.
  const FeatureRanks *ranks_a = nullptr, *ranks_b = nullptr;
};

/// Triangles of one body at a pose, each placed once.
class PlacedTriangles {
 public:
  /// Others come from now on. `ranks` may be null.
  void start(const Mesh& mesh, const Pose& pose, const FeatureRanks* ranks);
  /// Stays until another one of the same body is asked for.
  const PlacedTriangle& operator[](Index i);

 private:
  const Mesh* mesh_ = nullptr;
  const Pose* pose_ = nullptr;
  const FeatureRanks* ranks_ = nullptr;
  std::vector<Index> slot_, used_;  // by triangle, -1 for none; triangles that have one
  std::vector<PlacedTriangle> placed_;
};

/// Keeps its memory from query to query.
class ProximitySearch {
 public:
  /// Appends what is within `distance` in a state of two bodies made of triangles, in order.
  void list(const MovingPair& pair, const PairState& state, double distance,
            std::vector<Proximity>& found, const ProximityScope& scope = {});

  /// The same in steps, for who knows which triangles are near: all pairs of them that may be
  /// within the distance, each once and in any order, with a lower bound of their distance.
  void start(const MovingPair& pair, const PairState& state, double distance,
             const ProximityScope& scope);
  void add(Index a, Index b, float gap);
  void finish(std::vector<Proximity>& found);

  // What the walk asks.
  InstantBounds look(const Expansion<VolumeKind::box>& expansion) const;
  bool keeps(const InstantTask& task) const { return !(task.gap > limits_.distance); }
  bool wants(const InstantTask&) const { return true; }
  bool spend();
  bool visit(const InstantTask& task, Index a, Index b) { return add(a, b, task.gap), true; }

 private:
  /// Two triangles that may be within the distance.
  struct Leaf {
    Index a, b;
    float gap;
  };
  struct Candidate {
    Proximity proximity;
    Index a, b;         ///< the triangles
    std::uint8_t i, j;  ///< their features
    bool hidden = false;
  };

  bool is_local_minimum(const FeaturePair& pair, const PlacedTriangle& a,
                        const PlacedTriangle& b) const;
  void take(const FeaturePair& pair, Index a, Index b);
  static bool comes_first(const Candidate& s, const Candidate& t);
  void keep_leaves_of_candidates();
  void hide_covered();
  void drop_equal();

  const MovingPair* pair_ = nullptr;
  const PairState* state_ = nullptr;
  std::array<RelativeState, 2> seen_;
  PlacedTriangles triangles_a_, triangles_b_;
  NearLimits limits_{};
  ProximityScope scope_;
  Count steps_ = 0;
  std::vector<FeaturePair> features_;
  std::vector<Leaf> leaves_;
  std::vector<bool> marked_a_, marked_b_;  // triangles of candidates
  std::vector<Candidate> candidates_;
  std::vector<std::pair<double, std::size_t>> order_;
};

}  // namespace toccata
