// Contact rows: the proximities between two bodies of a simulation, and their distances and normals
// after a motion.
#pragma once

#include <vector>

#include "toccata/dynamics/body/simulated_body.hpp"
#include "toccata/query/pair_coherence.hpp"

namespace toccata {

/// A contact that transmits an impulse.
struct Bearing {
  Feature kind;
  Face vertices_a, vertices_b;
  Vec3d point, normal;  ///< normal from b to a
  double distance;
  Vec3d impulse;  ///< on a

  /// Returns whether a row continues this contact: it has the same features, or the same vertex
  /// over another triangle of a flat face.
  bool continues(const Proximity& row) const;
};

/// Two bodies that may meet during a step, with the data kept from substep to substep.
struct SimulatedPair {
  Index a = -1, b = -1;
  double shell = 0, friction = 0, restitution = 0;
  double impact_speed = 0;  ///< slower approaches are no impacts
  double floor = 0;         ///< distances below it may not shrink

  std::vector<Proximity> proximities;  ///< sorted by distance
  double within = 0;                   ///< all features within this distance are listed
  double proven_distance = 0;     ///< proven lower bound of the distance, independent of the list
  std::vector<Bearing> bearings;  ///< at the end of the last substep
  double duration = 0;            ///< seconds in which their impulses acted
  PairCoherence coherence;

  /// Returns the distance of the bodies according to the list, or its lower bound if no features
  /// are listed.
  double distance() const {
    return proximities.empty() ? within : std::min(proximities.front().distance, within);
  }
  /// Returns the impulse between the features of a row at the end of the last substep.
  Vec3d last_impulse(const Proximity& row) const;
};

/// Lists the proximities within a distance at the current poses. `turn`: see `ProximityScope`.
void list_proximities(SimulatedPair& pair, const SimulatedBody& a, const SimulatedBody& b,
                      double within, double turn);

/// A body with a displacement.
struct Displaced {
  const SimulatedBody* body;
  Mat3d turn = identity3;
  Vec3d by{0, 0, 0};

  Vec3d operator()(const Vec3d& point) const {
    return body->state.center + by + turn * (point - body->state.center);
  }
};

/// State of a row after a displacement: the normal turns with the bodies, and the gap is the
/// distance along it.
struct RowAfter {
  Vec3d point, normal;
  double gap;
};
RowAfter row_after(const Proximity& row, const Displaced& a, const Displaced& b);

/// A constraint row: two features that may meet during a substep.
struct ContactRow {
  SimulatedPair* pair;
  const Proximity* proximity;
  double approach = 0;     ///< rate of change of the distance before the solution, m/s
  bool is_coming = false;  ///< whether an impact with restitution follows in this substep
  RowAfter after = {};     ///< at the end of the substep

  Vec3d point() const { return (proximity->point_a + proximity->point_b) * 0.5; }
  bool touches() const;
};

}  // namespace toccata
