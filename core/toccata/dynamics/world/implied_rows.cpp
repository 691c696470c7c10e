// Search for rows that keep a vertex above a plane, and removal of the rows that they imply.
#include "toccata/dynamics/world/implied_rows.hpp"

#include <algorithm>
#include <tuple>

namespace toccata {
namespace {

constexpr double flush_in_shells = 0.02;  // heights that count as within a plane
constexpr double same_plane = 1e-6;       // norm of the difference of normals that count as equal

bool has_face(const Proximity& features) {
  return features.kind == Feature::vertex_face || features.kind == Feature::face_vertex;
}

bool are_equal(const Vec3d& n, const Vec3d& m) { return norm1(n - m) <= same_plane; }

}  // namespace

void ImpliedRows::find_supports(const std::vector<ContactRow>& rows) {
  supports_.clear();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Proximity& features = *rows[k].proximity;
    const SimulatedPair& p = *rows[k].pair;
    if (features.kind == Feature::vertex_face)
      supports_.push_back({p.a, features.vertices_a[0], p.b, features.point_b, features.normal, k});
    if (features.kind == Feature::face_vertex)
      supports_.push_back(
          {p.b, features.vertices_b[0], p.a, features.point_a, -features.normal, k});
  }
  std::stable_sort(supports_.begin(), supports_.end(), [](const Support& s, const Support& t) {
    return std::tie(s.body, s.vertex) < std::tie(t.body, t.vertex);
  });
}

std::span<const ImpliedRows::Support> ImpliedRows::supports_of(Index body, Index vertex) const {
  const auto before = [&](const Support& s) {
    return std::tie(s.body, s.vertex) < std::tie(body, vertex);
  };
  const auto first = std::partition_point(supports_.begin(), supports_.end(), before);
  const auto last = std::find_if(first, supports_.end(), [&](const Support& s) {
    return s.body != body || s.vertex != vertex;
  });
  return {first, last};
}

/// Returns whether the obstacle stays below a plane while both move.
bool ImpliedRows::is_below(const Encounter& encounter, const Support& plane) const {
  const SimulatedBody& obstacle = bodies_->body(encounter.obstacle);
  const Pose pose = obstacle.pose();
  const auto rise = [&](Index body, const Vec3d& point) {
    const BodyVelocity v = bodies_->velocity(bodies_->velocities, body);
    const Vec3d arm = point - bodies_->body(body).state.center;
    return dot(plane.normal, v.linear + cross(v.angular, arm)) * duration_;
  };
  return std::all_of(
      encounter.its_vertices.begin(), encounter.its_vertices.end(), [&](Index vertex) {
        if (vertex < 0) return true;
        const Vec3d point = pose * obstacle.mesh->vertices()[vertex];
        const double height = dot(plane.normal, point - plane.foot);
        const double change = rise(encounter.obstacle, point) - rise(plane.carrier, point);
        return height + std::max(change, 0.0) <= encounter.height;
      });
}

/// Returns whether a vertex of the feature stays above a plane, because of a row of its own or
/// because of its height.
bool ImpliedRows::stays_above(const Encounter& encounter, Index vertex, const Support& plane) {
  const SimulatedBody& body = bodies_->body(encounter.body);
  const Vec3d point = body.pose() * body.mesh->vertices()[vertex];
  if (dot(plane.normal, point - plane.foot) > encounter.reach) return true;
  for (const Support& s : supports_of(encounter.body, vertex)) {
    if (is_erased_[s.row] || !are_equal(s.normal, plane.normal)) continue;
    if (!is_below(encounter, s)) continue;
    used_.push_back(s.row);
    return true;
  }
  return false;
}

/// Returns whether contacts do not move a body.
bool ImpliedRows::is_given(Index body) const {
  const Index slot = bodies_->slot(body);
  return slot < 0 || !bodies_->moves(static_cast<std::size_t>(slot));
}

/// Returns whether one plane keeps the feature above the obstacle: all of its vertices, so all of
/// its points. Bodies that contacts move may tilt during a solution, and need all rows that support
/// them. Among their rows, only a vertex with a tilted normal is implied.
bool ImpliedRows::is_implied(const Encounter& encounter) {
  for (const Index vertex : encounter.vertices) {
    if (vertex < 0) continue;
    for (const Support& plane : supports_of(encounter.body, vertex)) {
      const bool are_given = is_given(encounter.obstacle) && is_given(plane.carrier);
      const bool is_tilted = !are_equal(plane.normal, encounter.normal);
      if (!are_given && !(encounter.by_vertex && is_tilted)) continue;
      if (is_erased_[plane.row] || !is_below(encounter, plane)) continue;
      used_.assign(1, plane.row);
      const auto& all = encounter.vertices;
      if (!std::all_of(all.begin(), all.end(), [&](Index other) {
            return other < 0 || other == vertex || stays_above(encounter, other, plane);
          }))
        continue;
      for (const std::size_t row : used_) is_needed_[row] = true;
      return true;
    }
  }
  return false;
}

bool ImpliedRows::is_implied(const ContactRow& row) {
  const Proximity& features = *row.proximity;
  const SimulatedPair& p = *row.pair;
  const double height = flush_in_shells * p.shell;
  const double reach = 1.5 * bodies_->relative_speed(p, bodies_->velocities) * duration_ +
                       2 * p.shell;
  const bool by_vertex = !has_face(features) && features.kind != Feature::edge_edge;
  return is_implied({p.a, features.vertices_a, p.b, features.vertices_b, features.normal, height,
                     reach, by_vertex}) ||
         is_implied({p.b, features.vertices_b, p.a, features.vertices_a, -features.normal, height,
                     reach, by_vertex});
}

void ImpliedRows::erase(std::vector<ContactRow>& rows, const IslandBodies& bodies,
                        double duration) {
  bodies_ = &bodies, duration_ = duration;
  find_supports(rows);
  if (supports_.empty()) return;
  is_needed_.assign(rows.size(), false);
  is_erased_.assign(rows.size(), false);
  for (const bool faces : {false, true})
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (has_face(*rows[k].proximity) != faces || is_needed_[k]) continue;
      is_erased_[k] = true;  // a row does not imply itself
      is_erased_[k] = is_implied(rows[k]);
    }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!is_erased_[k]) rows[kept++] = rows[k];
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end());
}

}  // namespace toccata
