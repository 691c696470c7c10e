// Feature pairs of deforming meshes: a vertex and a face, or two edges, whose vertices move
// linearly during a step.
#pragma once

#include <array>

#include "toccata/math/quad.hpp"

namespace toccata {

enum class PairKind { vertex_face, edge_edge };

/// Points of a pair at the start and the end of the step: the vertex, then the face; or one edge,
/// then the other. Four pairs at once if T is Quad.
template <class T>
struct PairOf {
  std::array<Vec3<T>, 4> start, end;
};
using LinearPair = PairOf<double>;

/// Differences "point of the first feature minus point of the second", which determine all
/// distances. Lanes: the vertex minus the face corners 0, 1, 2, 0; or the ends 00, 01, 10, 11 of
/// the edges.
template <PairKind kind>
struct Differences {
  Vec3q start, end;
  Vec3d extent;  ///< bounds the coordinates of all differences

  explicit Differences(const LinearPair& pair) : start(of(pair.start)), end(of(pair.end)) {
    extent = {largest_of(max(abs(start.x), abs(end.x))), largest_of(max(abs(start.y), abs(end.y))),
              largest_of(max(abs(start.z), abs(end.z)))};
  }

  /// Returns the differences at a time, up to 2^-50 of `extent`.
  Vec3q at(double time) const {
    const double before = 1 - time;
    return {start.x * before + end.x * time, start.y * before + end.y * time,
            start.z * before + end.z * time};
  }

 private:
  static Vec3q of(const std::array<Vec3d, 4>& p) {
    if constexpr (kind == PairKind::vertex_face)
      return {p[0].x - Quad{p[1].x, p[2].x, p[3].x, p[1].x},
              p[0].y - Quad{p[1].y, p[2].y, p[3].y, p[1].y},
              p[0].z - Quad{p[1].z, p[2].z, p[3].z, p[1].z}};
    else
      return {Quad{p[0].x, p[0].x, p[1].x, p[1].x} - Quad{p[2].x, p[3].x, p[2].x, p[3].x},
              Quad{p[0].y, p[0].y, p[1].y, p[1].y} - Quad{p[2].y, p[3].y, p[2].y, p[3].y},
              Quad{p[0].z, p[0].z, p[1].z, p[1].z} - Quad{p[2].z, p[3].z, p[2].z, p[3].z}};
  }
};

/// Two vectors that span the face, or the vectors of the two edges.
struct Spanning {
  Vec3d u, v;
};
template <PairKind kind>
Spanning span_of(const Vec3q& d) {
  const Vec3d d0 = lane(d, 0), d1 = lane(d, 1), d2 = lane(d, 2);
  if constexpr (kind == PairKind::vertex_face) return {d0 - d1, d0 - d2};
  else return {d2 - d0, d0 - d1};
}

}  // namespace toccata
