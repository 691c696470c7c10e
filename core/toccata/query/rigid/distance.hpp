// How far two bodies are apart, at one pose or at many.
#pragma once

#include "toccata/query/rigid/batch.hpp"
#include "toccata/query/rigid/scene.hpp"
#include "toccata/walk/distance.hpp"

namespace toccata {

/// Two bodies at t = 0. Throws `invalid_argument` for curved surfaces. Distances of `limit` and
/// more need not be told from each other, see `least_distance`.
Distance distance(const Body& a, const Body& b, double limit = infinity);

/// Answers side by side, one row per pose; fields as in `Distance`.
struct Distances {
  std::vector<double> lower, upper, distance;
  std::vector<double> point_a, point_b, normal;  ///< three numbers per row
  std::vector<Index> element_a, element_b;
  std::vector<std::uint8_t> feature;

  explicit Distances(std::size_t count);
  void set(std::size_t row, const Distance& found);
};

/// Poses of both bodies; those of b may be empty (b stays where it is).
struct PoseRows {
  std::span<const Matrix4> a, b;
};

/// One answer per pose. The outcome does not depend on the number of threads.
Distances distance_batch(const Mesh& a, const Mesh& b, const PoseRows& poses, unsigned threads);

struct SceneDistances {
  Distances distances;
  std::vector<Index> body_a, body_b;
};

/// Of all pairs of a scene that are less than `limit` apart at t = 0, ordered by bodies; ignored
/// pairs aside. The outcome does not depend on the number of threads.
SceneDistances distances(const Scene& scene, double limit, unsigned threads);

}  // namespace toccata
