// Contact rows that other rows imply. Borders between flush surfaces are no obstacles.
//
// A vertex that slides over a flat face has a row that keeps it above the plane of the face. What
// does not stand out of this plane cannot stop the vertex, nor the edges and faces around it that
// are higher. But rows between these have tilted normals and would brake the body, because it
// approaches along them. Without such rows, a motion over flush plates, over T-junctions or towards
// the border of a face depends on the surface alone, not on the bodies, parts and triangles that it
// is made of.
#pragma once

#include <vector>

#include "toccata/dynamics/world/island_bodies.hpp"

namespace toccata {

/// Reuses its buffers across calls.
class ImpliedRows {
 public:
  /// Erases the rows that rows of vertices over faces imply while bodies keep their velocities for
  /// `duration`.
  void erase(std::vector<ContactRow>& rows, const IslandBodies& bodies, double duration);

 private:
  /// A plane that keeps a vertex of a body at a distance.
  struct Support {
    Index body, vertex;
    Index carrier;       ///< the body that the plane belongs to
    Vec3d foot, normal;  ///< normal towards the vertex
    std::size_t row;
  };
  /// A feature of a body, and one of another body next to it.
  struct Encounter {
    Index body;
    const Face& vertices;
    Index obstacle;
    const Face& its_vertices;
    Vec3d normal;    ///< towards the body
    double height;   ///< by which the obstacle may stand out of a plane
    double reach;    ///< how far the two can approach
    bool by_vertex;  ///< one of the two is a vertex, and none a face
  };

  void find_supports(const std::vector<ContactRow>& rows);
  std::span<const Support> supports_of(Index body, Index vertex) const;
  bool is_implied(const ContactRow& row);
  bool is_implied(const Encounter& encounter);
  bool is_given(Index body) const;
  bool is_below(const Encounter& encounter, const Support& plane) const;
  bool stays_above(const Encounter& encounter, Index vertex, const Support& plane);

  const IslandBodies* bodies_ = nullptr;
  double duration_ = 0;
  std::vector<Support> supports_;  // by body and vertex
  std::vector<std::size_t> used_;  // rows of the supports of an encounter
  std::vector<bool> is_needed_, is_erased_;
};

}  // namespace toccata
