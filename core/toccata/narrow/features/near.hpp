// Feature pairs of two triangles within a distance, from which proximities are computed.
//
// Each pair of points has one kind. Points within `margin` of the boundary of a feature belong to
// the boundary. For example, a vertex above an edge between two faces forms a pair with the edge,
// not with the faces.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "toccata/bvh/rings.hpp"
#include "toccata/geometry/triangle.hpp"

namespace toccata {

/// Two features of two triangles, and their points, each the projection of the other.
struct FeaturePair {
  Feature kind;
  std::uint8_t i, j;  ///< a corner, or the edge from corner i to corner i + 1; 0 for a face
  Vec3d point_a, point_b;
  double distance;
};

/// Ranks of a face's three vertices and three edges, and the smallest rank of all features that the
/// face owns. Feature pairs with a sum of ranks above 2 are not listed. Vertices and edges of rank
/// 2 lie inside a flat face. They are not listed either, because the surrounding faces contain
/// them.
using FaceRanks = std::array<std::uint8_t, 7>;

/// A triangle of a body at a pose, prepared for the search for feature pairs.
struct PlacedTriangle {
  const Triangle body;
  const Pose& pose;
  const FaceFeatures& features;
  std::array<Vec3d, 3> corner, edge;      ///< world
  std::array<double, 3> length2, length;  ///< lengths of the edges
  Vec3d normal;                           ///< world coordinates, not normalized
  double size;                            ///< length of the normal
  FaceRanks rank{};                       ///< ranks of its vertices and edges
  std::uint8_t face_rank = 0;
  // Bits of `features.owned` for features of rank at most 0, 1 and 1.
  std::array<std::uint8_t, 3> owned_to;

  /// Places a triangle. Without ranks, all feature pairs are listed.
  PlacedTriangle(const Triangle& body, const Pose& pose, const FaceFeatures& features,
                 const FaceRanks* ranks = nullptr);

  /// Returns whether the triangle owns vertex i, or edge i - 3, and the feature is not inside a
  /// flat face.
  bool owns_feature(int i) const { return owned_to[2] >> i & 1; }
  /// Returns whether the triangle owns vertex i, or edge i - 3, and lists it beside a feature of
  /// the given rank.
  bool owns_beside(std::uint8_t rank_of_other, int i) const {
    return owned_to[2 - rank_of_other] >> i & 1;
  }
};

/// Largest distance of feature pairs, and the margin at the boundary of a feature.
struct NearLimits {
  double distance, margin;
};

/// Appends the feature pairs within the distance that `a` and `b` own. The caller tests whether
/// other triangles at the same features are closer. Returns false if the triangles are farther
/// apart than the distance.
bool near_features(const PlacedTriangle& a, const PlacedTriangle& b, const NearLimits& limits,
                   std::vector<FeaturePair>& found);

/// Returns whether an edge of one triangle passes through the other, by more than the margin to all
/// sides. Sets `where` to the middle of the intersection.
bool pass_through(const PlacedTriangle& a, const PlacedTriangle& b, double margin, Vec3d& where);

/// Returns whether a triangle lies between two points: the segment passes through it, by more than
/// the margin at its ends. The triangle includes its boundary and the margin.
bool lies_between(const PlacedTriangle& triangle, const Vec3d& p, const Vec3d& q, double margin);

}  // namespace toccata
