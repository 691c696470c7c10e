// Neighborhoods (one-rings) of the vertices and edges of a mesh: the other corners of the adjacent
// faces. Vertices with equal coordinates count as one, so triangle soups are connected as they
// appear.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/bvh/closed_surfaces.hpp"

namespace toccata {

/// Returns, for each vertex, the first vertex with the same coordinates. Triangle files repeat
/// vertices for every face.
std::vector<Index> welded(std::span<const Vec3d> vertices);

/// Vertices and edges of one face. Edge i runs from corner i to corner i + 1.
struct FaceFeatures {
  Face vertex;             ///< the first vertex with the coordinates of each corner
  Face edge;               ///< -1 for an edge of length 0
  std::uint8_t owned = 0;  ///< one bit for each vertex, then one for each edge
  Vec3d normal{0, 0, 0};   ///< unit, accurate to 2^-50 even for needles; zero if the area is 0

  /// Returns whether the face owns a vertex or an edge. Each is owned by one of its adjacent faces.
  bool owns_vertex(int i) const { return owned >> i & 1; }
  bool owns_edge(int i) const { return owned >> (3 + i) & 1; }
};

class Rings {
 public:
  Rings() = default;
  Rings(std::span<const Vec3d> vertices, std::span<const Face> faces);

  const FaceFeatures& of(Index face) const { return features_[face]; }
  /// Returns the vertices connected to `vertex` by an edge. `vertex` is the first of its
  /// coordinates.
  std::span<const Index> around_vertex(Index vertex) const { return part(neighbors_, at_, vertex); }
  /// Returns the corners opposite to an edge, one for each adjacent face.
  std::span<const Index> around_edge(Index edge) const { return part(across_, across_at_, edge); }
  /// Returns whether each edge has an even number of faces. If so, the surface has two sides: rays
  /// from points of one side cross it an odd number of times, from the other an even number.
  bool is_closed() const;
  /// Returns the connected component of each vertex, as one of its vertices. Defined only for
  /// vertices that are the first of their coordinates.
  std::vector<Index> parts() const;
  std::size_t bytes() const;

 private:
  static std::span<const Index> part(const std::vector<Index>& all, const std::vector<Index>& at,
                                     Index i) {
    return std::span(all).subspan(at[i], at[i + 1] - at[i]);
  }
  using Ends = std::array<Index, 2>;
  std::vector<Ends> find_edges();
  void find_neighbors(std::span<const Ends> edges, std::size_t vertices);

  std::vector<FaceFeatures> features_;
  std::vector<Index> neighbors_, at_, across_, across_at_;
};

}  // namespace toccata
