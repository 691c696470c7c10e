// Proximities: the feature pairs of two bodies at a local minimum of the distance between the
// surfaces, within a given distance (definition: docs/proximities.md).
#pragma once

#include <array>
#include <vector>

#include "toccata/narrow/features/near.hpp"
#include "toccata/walk/feature_ranks.hpp"
#include "toccata/walk/instant.hpp"

namespace toccata {

/// Two features at a local minimum of the distance, with their closest points.
struct Proximity {
  Feature kind;
  Index body_a = 0, body_b = 0;  ///< indices in a scene, or in a robot and its world
  Face vertices_a, vertices_b;   ///< vertices of the features, filled up with -1
  Vec3d point_a, point_b;        ///< in world coordinates
  Vec3d normal;  ///< unit vector from b to a; NaN unless the distance exceeds rounding
  double distance;
};

/// Orders proximities by distance, then by bodies, vertices and kind.
bool comes_before(const Proximity& s, const Proximity& t);

/// Additional proximities to list, and proximities to omit.
struct ProximityScope {
  /// Angle in radians. Pairs that may become a local minimum by a rotation up to it are listed too.
  double turn = 0;
  /// Ranks of both bodies, or null. With ranks, only pairs with a sum of at most 2 are listed.
  const FeatureRanks *ranks_a = nullptr, *ranks_b = nullptr;
};

/// Triangles of one body at a pose, computed on demand and once each.
class PlacedTriangles {
 public:
  /// Starts with another body or pose. `ranks` may be null.
  void start(const Mesh& mesh, const Pose& pose, const FeatureRanks* ranks);
  /// Returns triangle i. The reference is valid until the next call.
  const PlacedTriangle& operator[](Index i);

 private:
  const Mesh* mesh_ = nullptr;
  const Pose* pose_ = nullptr;
  const FeatureRanks* ranks_ = nullptr;
  std::vector<Index> slot_;  // slot of each triangle, or -1
  std::vector<Index> used_;  // triangles with a slot
  std::vector<PlacedTriangle> placed_;
};

/// The search for the proximities of two bodies made of triangles. Reuses its buffers.
class ProximitySearch {
 public:
  /// Appends the proximities within `distance`, in order.
  void list(const MovingPair& pair, const PairState& state, double distance,
            std::vector<Proximity>& found, const ProximityScope& scope = {});

  /// Does the same in steps, for callers that know the close triangles: `start`, then `add` for all
  /// pairs of triangles that may be within the distance, once each and in any order, then `finish`.
  /// `gap` is a lower bound of the distance of a pair.
  void start(const MovingPair& pair, const PairState& state, double distance,
             const ProximityScope& scope);
  void add(Index a, Index b, float gap);
  void finish(std::vector<Proximity>& found);

  // The policy of the traversal (`InstantPolicy`).
  InstantBounds bound(const Expansion<VolumeKind::box>& expansion) const;
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
    Index a, b;         ///< triangles
    std::uint8_t i, j;  ///< indices of their features
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
