// Many clearances: on many motions, or of all pairs of bodies of a scene.
#pragma once

#include "toccata/query/clearance/robot_clearance.hpp"
#include "toccata/query/clearance/scene_clearance.hpp"
#include "toccata/query/first_contact/batch.hpp"
#include "toccata/query/robot_first_contact/first_contact.hpp"

namespace toccata {

/// Columns of clearances, with one row per answer. The fields are those of `Clearance`.
struct Clearances {
  std::vector<double> lower, upper, tolerance, time, distance;
  std::vector<double> point_a, point_b;  ///< three coordinates per row
  /// First and second body; -1 if unknown. In batches of two bodies they are 0 and 1. For robots,
  /// `body_a` is a link, and `body_b` is a link, or the number of links plus a body of the world.
  std::vector<Index> body_a, body_b;

  explicit Clearances(std::size_t count);
  std::size_t size() const { return lower.size(); }
  void set(std::size_t row, const Clearance& found, Index a, Index b);
};

/// Returns the clearance of two bodies on each row of motions. Rows do not depend on the number of
/// threads.
Clearances clearance_batch(const Mesh& a, const Mesh& b, const PairMotions& motions,
                           const ClearanceQuery& query, unsigned threads);

/// Returns the clearance of a robot on each row of motions.
Clearances clearance_batch(const Robot& robot, const BodySet& world, const RobotMotions& motions,
                           const ClearanceOptions& options, unsigned threads);

/// Returns the clearance of each pair of bodies of a scene that comes nearer than the limit,
/// ordered by bodies. Ignored pairs are omitted. Each pair has the whole budget.
Clearances clearances(const ManyBodies& scene, const ClearanceQuery& query, unsigned threads);

}  // namespace toccata
