// What is near in a pair of bodies of a simulation, and how their motions change its distances.
#pragma once

#include <vector>

#include "toccata/dynamics/body/simulated_body.hpp"
#include "toccata/query/pair_coherence.hpp"

namespace toccata {

/// Features of two bodies that touch, with the impulse between them.
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

/// Two bodies that may meet during a step, with what is kept from substep to substep.
struct SimulatedPair {
  Index a = -1, b = -1;
  double shell = 0, friction = 0, restitution = 0;
  double impact_speed = 0;  ///< who approaches more slowly rests
  double floor = 0;         ///< distances below it are not allowed to shrink

  std::vector<Proximity> near;    ///< by distance
  double within = 0;              ///< all that is nearer is listed
  double apart = 0;               ///< a distance that is proven, whatever the list says
  std::vector<Bearing> bearings;  ///< at the end of the last substep
  double duration = 0;            ///< during which their impulses acted
  PairCoherence memory;

  /// The distance of the bodies, or what it is at least, by the list.
  double distance() const {
    return near.empty() ? within : std::min(near.front().distance, within);
  }
  /// The impulse between the features of a row at the end of the last substep.
  Vec3d last_impulse(const Proximity& row) const;
};

/// Lists what is near where the bodies are now. `turn`: see `ProximityScope`.
void find_near(SimulatedPair& pair, const SimulatedBody& a, const SimulatedBody& b, double within,
               double turn);

/// A body, and how it is displaced.
struct Displaced {
  const SimulatedBody* body;
  Mat3d turn = identity3;
  Vec3d by{0, 0, 0};

  Vec3d operator()(const Vec3d& point) const {
    return body->state.center + by + turn * (point - body->state.center);
  }
};

/// Where features are after both bodies have moved, and how far apart along their normal, which
/// turns with them.
struct RowAfter {
  Vec3d point, normal;
  double gap;
};
RowAfter row_after(const Proximity& row, const Displaced& a, const Displaced& b);

/// Features that may meet during a substep.
struct ContactRow {
  SimulatedPair* pair;
  const Proximity* near;
  double approach = 0;     ///< rate of their distance before anything is solved, in m/s
  bool is_coming = false;  ///< an impact with restitution, later during this substep
  RowAfter after = {};     ///< at the end of the substep

  Vec3d point() const { return (near->point_a + near->point_b) * 0.5; }
  bool touches() const;
};

}  // namespace toccata
