// What lies around the vertices and edges of a mesh: the other corners of the faces that meet
// there. Vertices with equal coordinates are one, so that soups hang together as they look.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/bvh/shells.hpp"

namespace toccata {

/// For each vertex the first one with the same coordinates: files of triangles repeat them, face by
/// face.
std::vector<Index> welded(std::span<const Vec3d> vertices);

/// The vertices and edges of one face. Edge i runs from corner i to corner i + 1.
struct FaceFeatures {
  Face vertex;             ///< the first vertex with the coordinates of each corner
  Face edge;               ///< -1 for an edge without length
  std::uint8_t owned = 0;  ///< a bit for each vertex, then for each edge
  Vec3d normal{0, 0, 0};   ///< unit, right to 2^-50 even for needles; zero without an area

  /// Each vertex and each edge of a mesh is owned by one of the faces that meet there.
  bool owns_vertex(int i) const { return owned >> i & 1; }
  bool owns_edge(int i) const { return owned >> (3 + i) & 1; }
};

class Rings {
 public:
  Rings() = default;
  Rings(std::span<const Vec3d> vertices, std::span<const Face> faces);

  const FaceFeatures& of(Index face) const { return features_[face]; }
  /// The vertices that an edge joins with `vertex`, which is the first one of its place.
  std::span<const Index> around_vertex(Index vertex) const { return part(neighbors_, at_, vertex); }
  /// The corners across an edge, one for each of its faces.
  std::span<const Index> around_edge(Index edge) const { return part(across_, across_at_, edge); }
  /// Returns whether each edge has an even number of faces. The surface then has two sides: points
  /// from which rays cross it an odd or an even number of times.
  bool is_closed() const;
  /// Returns the connected part of each vertex, as one of its vertices. Only the first vertex of
  /// each place counts.
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
