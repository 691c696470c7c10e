// The feature pairs of two triangles that are near each other, region by region.
//
// Each pair of points has one kind: points within `margin` of the border of a feature belong to the
// border. So a vertex over an edge between two faces is a vertex over an edge, not over the faces.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "toccata/bvh/rings.hpp"
#include "toccata/geometry/triangle.hpp"

namespace toccata {

/// Points of two features of two triangles, each the foot of the other one.
struct FeaturePair {
  Feature kind;
  std::uint8_t i, j;  ///< the corner, or the edge from corner i to corner i + 1; of a face, 0
  Vec3d point_a, point_b;
  double distance;
};

/// The ranks of three vertices, of three edges, and the least one of all that a face owns. Feature
/// pairs whose ranks add up to more than 2 are not listed. Vertices and edges of rank 2 lie inside
/// a flat face: they are not listed either, since the faces around them cover them.
using FaceRanks = std::array<std::uint8_t, 7>;

/// A triangle of a body at a pose, with what its feature pairs need.
struct PlacedTriangle {
  const Triangle body;
  const Pose& pose;
  const FaceFeatures& features;
  std::array<Vec3d, 3> corner, edge;      ///< world
  std::array<double, 3> length2, length;  ///< of the edges
  Vec3d normal;                           ///< world, not of length 1
  double size;                            ///< its length
  FaceRanks rank{};                       ///< of its features
  std::uint8_t face_rank = 0;
  std::array<std::uint8_t, 3> owned_to;  ///< as `features.owned`, of ranks up to 0, 1, 1

  /// Without ranks all feature pairs are listed.
  PlacedTriangle(const Triangle& body, const Pose& pose, const FaceFeatures& features,
                 const FaceRanks* ranks = nullptr);

  /// Returns whether it owns vertex i, or edge i - 3, and that is not inside a flat face.
  bool owns_feature(int i) const { return owned_to[2] >> i & 1; }
  /// Returns whether it owns vertex i, or edge i - 3, and lists it beside a feature of that rank.
  bool owns_beside(std::uint8_t rank_of_other, int i) const {
    return owned_to[2 - rank_of_other] >> i & 1;
  }
};

/// How near counts, and what the border of a feature is.
struct NearLimits {
  double distance, margin;
};

/// Appends the feature pairs within the distance that `a` and `b` own. Whether other triangles at
/// the same features come nearer is left to the caller. Returns false if the triangles are farther
/// apart than that.
bool near_features(const PlacedTriangle& a, const PlacedTriangle& b, const NearLimits& limits,
                   std::vector<FeaturePair>& found);

/// Whether an edge of one triangle passes through the other, by more than the margin to all sides;
/// then `where` is the middle of what the two have in common.
bool pass_through(const PlacedTriangle& a, const PlacedTriangle& b, double margin, Vec3d& where);

/// Whether a triangle lies between two points: the segment passes through it, by more than the
/// margin at its ends. The border of the triangle belongs to it, the margin included.
bool lies_between(const PlacedTriangle& triangle, const Vec3d& p, const Vec3d& q, double margin);

}  // namespace toccata
