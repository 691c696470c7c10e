// Listing of proximities of a pair, warm start, and rows after a motion.
#include "toccata/dynamics/world/contact_rows.hpp"

#include <algorithm>

namespace toccata {
namespace {

constexpr double flat_angle = 1e-6;  // radians between faces that count as coplanar

Vec3d edge_of(const Displaced& body, const Face& ids) {
  const auto& vertices = body.body->mesh->vertices();
  return body.turn * (body.body->state.rotation * (vertices[ids[1]] - vertices[ids[0]]));
}

/// Returns the common perpendicular of two edges, or the given normal if they are nearly parallel.
Vec3d across_edges(const Proximity& row, const Displaced& a, const Displaced& b) {
  const Vec3d of_a = edge_of(a, row.vertices_a), of_b = edge_of(b, row.vertices_b);
  const Vec3d across = cross(of_a, of_b);
  const double size = norm(across);
  if (!(size > 1e-3 * norm(of_a) * norm(of_b))) return row.normal;
  return across * ((dot(across, row.normal) < 0 ? -1 : 1) / size);
}

}  // namespace

bool Bearing::continues(const Proximity& row) const {
  if (kind != row.kind) return false;
  const bool has_a = vertices_a == row.vertices_a, has_b = vertices_b == row.vertices_b;
  if (has_a && has_b) return true;
  const bool over_face = (kind == Feature::vertex_face && has_a) ||
                         (kind == Feature::face_vertex && has_b);
  return over_face && norm1(normal - row.normal) <= flat_angle;
}

Vec3d SimulatedPair::last_impulse(const Proximity& row) const {
  for (const Bearing& bearing : bearings)
    if (bearing.continues(row)) return bearing.impulse;
  return {0, 0, 0};
}

void list_proximities(SimulatedPair& pair, const SimulatedBody& a, const SimulatedBody& b,
                      double within, double turn) {
  const Motion at_a = Motion::fixed(a.pose()), at_b = Motion::fixed(b.pose());
  pair.proximities.clear();
  pair.within = within;
  const Body body_a{*a.mesh, at_a}, body_b{*b.mesh, at_b};
  pair.coherence.list(body_a, body_b, within, pair.proximities, {turn, a.ranks, b.ranks});
  pair.proven_distance = pair.coherence.least_distance(body_a, body_b);
}

/// The lines or planes of the features are at least as far apart as their distance along the
/// normal.
RowAfter row_after(const Proximity& row, const Displaced& a, const Displaced& b) {
  const Vec3d on_a = a(row.point_a), on_b = b(row.point_b);
  const auto at = [&](const Vec3d& point, const Vec3d& normal) {
    return RowAfter{point, normal, dot(normal, on_a - on_b)};
  };
  switch (row.kind) {
    case Feature::face_vertex:
    case Feature::edge_vertex:
      return at(on_b, a.turn * row.normal);
    case Feature::vertex_face:
    case Feature::vertex_edge:
      return at(on_a, b.turn * row.normal);
    case Feature::edge_edge:
      return at((on_a + on_b) * 0.5, across_edges(row, a, b));
    default:
      return at((on_a + on_b) * 0.5, row.normal);
  }
}

}  // namespace toccata
