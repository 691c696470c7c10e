// The distances of bodies at one time: of two bodies, in batches, in scenes and of robots.
#pragma once

#include <span>

#include "toccata/motion/rows.hpp"
#include "toccata/query/setting/many_bodies.hpp"
#include "toccata/query/setting/robot_in_world.hpp"
#include "toccata/walk/distance.hpp"

namespace toccata {

/// Returns the distance of two bodies at t = 0. Throws `invalid_argument` for curved surfaces. A
/// distance of `limit` or more may be reported as infinite, see `least_distance`.
Distance distance(const Body& a, const Body& b, double limit = infinity);

/// Columns of distances, with one row per pose. The fields are those of `Distance`.
struct Distances {
  std::vector<double> lower, upper, distance;
  std::vector<double> point_a, point_b, normal;  ///< three coordinates per row
  std::vector<Index> element_a, element_b;
  std::vector<std::uint8_t> feature;

  explicit Distances(std::size_t count);
  void set(std::size_t row, const Distance& found);
};

/// Poses of two bodies, one per row. Without poses of b, body b is at the origin.
struct PoseRows {
  std::span<const Matrix4> a, b;
};

/// Returns one distance per row. The result does not depend on the number of threads.
Distances distance_batch(const Mesh& a, const Mesh& b, const PoseRows& poses, unsigned threads);

/// Distances of pairs of a scene, with the bodies of each row.
struct SceneDistances {
  Distances distances;
  std::vector<Index> body_a, body_b;
};

/// Returns the distances of all pairs of a scene that are less than `limit` apart at t = 0, ordered
/// by bodies. Ignored pairs are omitted. The result does not depend on the number of threads.
SceneDistances distances(const ManyBodies& scene, double limit, unsigned threads);

/// Returns all tested pairs of a robot and its world, pairs of links first.
std::vector<Candidate> measured_pairs(const Robot& robot, const BodySet& world,
                                      const IgnoredPairs* ignored);

/// Returns the distance of each pair at a time of a motion. A distance of `limit` or more is
/// infinite, without points and normal.
std::vector<Distance> distances(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                                double time, std::span<const Candidate> pairs, double limit);

/// Throws `invalid_argument` if a link or a body is a curved surface.
void check_triangles(const Robot& robot, const BodySet& world);

/// Configurations, one per row. They have been checked.
struct Configurations {
  const double* rows;
  std::size_t count;
};

/// Returns one distance for each configuration and each of `pairs`, row by row. A distance of
/// `limit` or more is infinite, without points and normal. The result does not depend on the number
/// of threads.
std::vector<Distance> distances(const Robot& robot, const BodySet& world,
                                std::span<const Candidate> pairs, const Configurations& q,
                                double limit, unsigned threads);

}  // namespace toccata
