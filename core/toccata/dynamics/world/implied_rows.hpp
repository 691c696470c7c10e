// Removal of contact rows that other rows imply, so that edges between flush surfaces are no
// obstacles.
//
// A vertex that slides over a flat face has a row that keeps it above the plane of the face.
// Features within this plane cannot stop the vertex, nor the edges and faces around the vertex that
// are higher. But rows between these features have tilted normals, and would brake the body because
// it approaches along them. Without such rows, a motion over flush plates, over T-junctions or
// towards the border of a face depends on the surface alone, and not on its division into bodies
// and triangles.
#pragma once

#include <vector>

#include "toccata/dynamics/world/island_bodies.hpp"

namespace toccata {

/// Finder of implied rows. Reuses its buffers across calls.
class ImpliedRows {
 public:
  /// Removes the rows that rows of vertices over faces imply while bodies keep their velocities for
  /// `duration`.
  void erase(std::vector<ContactRow>& rows, const IslandBodies& bodies, double duration);

 private:
  /// A plane that keeps a vertex of a body at a distance.
  struct Support {
    Index body, vertex;
    Index carrier;       ///< body with the plane
    Vec3d foot, normal;  ///< normal towards the vertex
    std::size_t row;
  };
  /// A feature of a body and a feature of another body close to it.
  struct Encounter {
    Index body;
    const Face& vertices;
    Index obstacle;
    const Face& its_vertices;
    Vec3d normal;    ///< towards the body
    double height;   ///< by which the obstacle may rise above a plane
    double reach;    ///< bound of the approach of the two bodies
    bool by_vertex;  ///< whether one of the two features is a vertex, and none a face
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
