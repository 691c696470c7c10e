// Local minima of the distance: found by features of close triangles, then reduced to visible and
// different points.
#include "toccata/walk/proximities.hpp"

#include <algorithm>
#include <tuple>

#include "toccata/base/interruption.hpp"
#include "toccata/walk/gaps.hpp"

namespace toccata {
namespace {

/// Bound of the rounding error of the height of a point over another point: `base`, plus `slope`
/// times their distance.
struct Slack {
  double base, slope;
};

/// Returns whether no vertex around a point is lower along n. For a point on an edge, `along` is
/// the direction of the edge, and only offsets across it count. For a vertex, `along` is 0.
bool is_lowest(const Mesh& mesh, std::span<const Index> around, const Vec3d& point,
               const Vec3d& along, const Vec3d& n, const Slack& slack) {
  return std::none_of(around.begin(), around.end(), [&](Index v) {
    const Vec3d to = mesh.vertices()[v] - point;
    const Vec3d across = to - along * dot(along, to);
    return dot(n, across) < -(slack.base + slack.slope * norm1(across));
  });
}

/// One of the two bodies, with the features of a triangle.
struct SurfaceSide {
  const Mesh& mesh;
  const Pose& pose;
  const FaceFeatures& features;

  /// Returns whether the point is a lowest point of the surface around it, along n. The point lies
  /// on edge i, or is vertex i.
  bool is_lowest(bool is_edge, int i, const Vec3d& point, const Vec3d& n,
                 const Slack& slack) const {
    const Vec3d down = transposed_times(pose.rotation, n);
    const Vec3d& start = mesh.vertices()[features.vertex[i]];
    if (!is_edge)
      return toccata::is_lowest(mesh, mesh.rings().around_vertex(features.vertex[i]), start,
                                {0, 0, 0}, down, slack);
    const Vec3d edge = mesh.vertices()[features.vertex[(i + 1) % 3]] - start;
    return toccata::is_lowest(mesh, mesh.rings().around_edge(features.edge[i]),
                              transposed_times(pose.rotation, point - pose.translation),
                              edge * (1 / norm(edge)), down, slack);
  }
};

enum class Part : std::uint8_t { vertex, edge, face };

/// The kinds of both features of a pair.
struct Parts {
  Part a, b;
};

constexpr Parts parts_of(Feature kind) {
  constexpr Parts all[] = {{Part::vertex, Part::face}, {Part::face, Part::vertex},
                           {Part::edge, Part::edge},   {Part::vertex, Part::edge},
                           {Part::edge, Part::vertex}, {Part::vertex, Part::vertex},
                           {Part::face, Part::face}};
  return all[static_cast<int>(kind)];
}

Face vertices_of(const Mesh& mesh, Index face, Part part, int i) {
  const FaceFeatures& features = mesh.rings().of(face);
  if (part == Part::face) return mesh.faces()[face];
  if (part == Part::vertex) return {features.vertex[i], -1, -1};
  const auto [lo, hi] = std::minmax(features.vertex[i], features.vertex[(i + 1) % 3]);
  return {lo, hi, -1};
}

/// Returns a coordinate along a direction in which different points of real models rarely coincide.
double along_odd_direction(const Proximity& p) {
  constexpr Vec3d u{0.61803398875, 0.41421356237, 0.30277563773}, v{0.2360679775, -0.7320508, 0.5};
  return dot(u, p.point_a) + dot(v, p.point_b);
}

/// Returns the number of vertices of both features.
int size_of(const Proximity& p) {
  const auto size = [](const Face& f) { return 1 + (f[1] >= 0) + (f[2] >= 0); };
  return size(p.vertices_a) + size(p.vertices_b);
}

bool are_within(const Vec3d& p, const Vec3d& q, double distance) {
  return largest(p - q) <= distance;
}

}  // namespace

bool comes_before(const Proximity& s, const Proximity& t) {
  const auto key = [](const Proximity& p) {
    return std::tie(p.distance, p.body_a, p.body_b, p.vertices_a, p.vertices_b, p.kind);
  };
  return key(s) < key(t);
}

void PlacedTriangles::start(const Mesh& mesh, const Pose& pose, const FeatureRanks* ranks) {
  for (const Index i : used_) slot_[i] = -1;
  used_.clear();
  placed_.clear();
  mesh_ = &mesh, pose_ = &pose, ranks_ = ranks;
  if (slot_.size() < mesh.faces().size()) slot_.resize(mesh.faces().size(), -1);
}

const PlacedTriangle& PlacedTriangles::operator[](Index i) {
  if (slot_[i] < 0) {
    slot_[i] = static_cast<Index>(placed_.size());
    used_.push_back(i);
    placed_.emplace_back(mesh_->triangle(i), *pose_, mesh_->rings().of(i),
                         ranks_ ? &ranks_->faces[i] : nullptr);
  }
  return placed_[static_cast<std::size_t>(slot_[i])];
}

InstantBounds ProximitySearch::bound(const Expansion<VolumeKind::box>& expansion) const {
  return {gaps_of(expansion, seen_[expansion.siblings().of_a], limits_.distance), Pack{}};
}

bool ProximitySearch::spend() {
  interruption_point(++steps_);
  return true;
}

void ProximitySearch::add(Index a, Index b, float gap) {
  if (scope_.ranks_a && scope_.ranks_a->faces[a][6] + scope_.ranks_b->faces[b][6] > 2)
    return leaves_.push_back({a, b, gap});  // it may still hide others
  const PlacedTriangle &on_a = triangles_a_[a], &on_b = triangles_b_[b];
  features_.clear();
  if (!near_features(on_a, on_b, limits_, features_)) return;
  leaves_.push_back({a, b, gap});
  for (const FeaturePair& pair : features_)
    if (is_local_minimum(pair, on_a, on_b)) take(pair, a, b);
  Vec3d where{};
  if (gap <= 0 && pass_through(on_a, on_b, limits_.margin, where))
    take({Feature::surface, 0, 0, where, where, 0}, a, b);
}

/// Returns whether two points are a local minimum of the distance between the surfaces. The first
/// point must be a lowest point of its surface along the line between them, and the second point a
/// highest point of its surface. Triangles are flat, so it suffices to test the vertices around the
/// features.
bool ProximitySearch::is_local_minimum(const FeaturePair& near, const PlacedTriangle& a,
                                       const PlacedTriangle& b) const {
  // Points within the margin of a feature's border were moved there, which tilts the line more than
  // rounding does. Four times the margin exceeds both.
  const double slack = 4 * limits_.margin;
  const auto [part_a, part_b] = parts_of(near.kind);
  const Vec3d n = (near.point_a - near.point_b) * (1 / near.distance);
  const SurfaceSide of_a{pair_->mesh_a(), state_->a.motion.pose, a.features};
  const SurfaceSide of_b{pair_->mesh_b(), state_->b.motion.pose, b.features};
  const Slack most{slack, slack / near.distance + scope_.turn};
  return (part_a == Part::face ||
          of_a.is_lowest(part_a == Part::edge, near.i, near.point_a, n, most)) &&
         (part_b == Part::face ||
          of_b.is_lowest(part_b == Part::edge, near.j, near.point_b, -n, most));
}

void ProximitySearch::take(const FeaturePair& near, Index a, Index b) {
  const auto [part_a, part_b] = parts_of(near.kind);
  const Vec3d line = near.point_a - near.point_b;
  const bool has_normal = near.distance > pair_->error();
  candidates_.push_back(
      {{near.kind, 0, 0, vertices_of(pair_->mesh_a(), a, part_a, near.i),
        vertices_of(pair_->mesh_b(), b, part_b, near.j), near.point_a, near.point_b,
        has_normal ? line * (1 / near.distance) : nowhere, near.distance},
       a,
       b,
       near.i,
       near.j});
}

/// Orders candidates independently of the order in which they were found.
bool ProximitySearch::comes_first(const Candidate& s, const Candidate& t) {
  if (comes_before(s.proximity, t.proximity)) return true;
  if (comes_before(t.proximity, s.proximity)) return false;
  return std::tie(s.a, s.b, s.i, s.j) < std::tie(t.a, t.b, t.i, t.j);
}

void ProximitySearch::keep_leaves_of_candidates() {
  marked_a_.assign(pair_->mesh_a().faces().size(), false);
  marked_b_.assign(pair_->mesh_b().faces().size(), false);
  for (const Candidate& c : candidates_) marked_a_[c.a] = marked_b_[c.b] = true;
  std::erase_if(leaves_, [&](const Leaf& l) { return !marked_a_[l.a] && !marked_b_[l.b]; });
}

/// Hides candidates with another triangle between their points. All such triangles have been
/// visited: a triangle between two points within the distance is within the distance, too.
void ProximitySearch::hide_covered() {
  keep_leaves_of_candidates();
  const double margin = limits_.margin;
  std::sort(leaves_.begin(), leaves_.end(),
            [](const Leaf& s, const Leaf& t) { return std::tie(s.b, s.a) < std::tie(t.b, t.a); });
  for (Candidate& c : candidates_) {
    const Proximity& p = c.proximity;
    for (auto leaf = std::lower_bound(leaves_.begin(), leaves_.end(), c.b,
                                      [](const Leaf& s, Index b) { return s.b < b; });
         leaf != leaves_.end() && leaf->b == c.b && !c.hidden; ++leaf)
      c.hidden = leaf->a != c.a && leaf->gap < p.distance &&
                 lies_between(triangles_a_[leaf->a], p.point_a, p.point_b, margin);
  }
  std::sort(leaves_.begin(), leaves_.end(),
            [](const Leaf& s, const Leaf& t) { return std::tie(s.a, s.b) < std::tie(t.a, t.b); });
  for (Candidate& c : candidates_) {
    const Proximity& p = c.proximity;
    for (auto leaf = std::lower_bound(leaves_.begin(), leaves_.end(), c.a,
                                      [](const Leaf& s, Index a) { return s.a < a; });
         leaf != leaves_.end() && leaf->a == c.a && !c.hidden; ++leaf)
      c.hidden = leaf->b != c.b && leaf->gap < p.distance &&
                 lies_between(triangles_b_[leaf->b], p.point_a, p.point_b, margin);
  }
}

/// Hides candidates whose points are equal up to rounding, except the candidate with the smallest
/// features, or the first of these. Each pair of features is listed once, by its owners. But faces
/// may be given twice, bodies may intersect themselves, and rounding may put a point on both sides
/// of a border.
void ProximitySearch::drop_equal() {
  const double same = 2 * limits_.margin;
  order_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    order_.emplace_back(along_odd_direction(candidates_[i].proximity), i);
  std::sort(order_.begin(), order_.end());
  for (auto one = order_.begin(); one != order_.end(); ++one)
    for (auto two = one + 1; two != order_.end() && two->first - one->first <= 8 * same; ++two) {
      Candidate &c = candidates_[one->second], &d = candidates_[two->second];
      const Proximity &p = c.proximity, &q = d.proximity;
      if (!c.hidden && !d.hidden && are_within(p.point_a, q.point_a, same) &&
          are_within(p.point_b, q.point_b, same))
        (std::pair(size_of(p), one->second) < std::pair(size_of(q), two->second) ? d : c).hidden =
            true;
    }
}

void ProximitySearch::start(const MovingPair& pair, const PairState& state, double distance,
                            const ProximityScope& scope) {
  pair_ = &pair, state_ = &state, scope_ = scope;
  limits_ = {distance, 4 * pair.error()};
  const bool ranked = scope.ranks_a && scope.ranks_b;
  triangles_a_.start(pair.mesh_a(), state.a.motion.pose, ranked ? scope.ranks_a : nullptr);
  triangles_b_.start(pair.mesh_b(), state.b.motion.pose, ranked ? scope.ranks_b : nullptr);
  leaves_.clear();
  candidates_.clear();
}

void ProximitySearch::finish(std::vector<Proximity>& found) {
  if (candidates_.empty()) return;
  hide_covered();
  std::erase_if(candidates_, [](const Candidate& c) { return c.hidden; });
  std::sort(candidates_.begin(), candidates_.end(), comes_first);
  drop_equal();
  for (const Candidate& c : candidates_)
    if (!c.hidden) found.push_back(c.proximity);
}

void ProximitySearch::list(const MovingPair& pair, const PairState& state, double distance,
                           std::vector<Proximity>& found, const ProximityScope& scope) {
  start(pair, state, distance, scope);
  seen_ = {pair.relative(state, false), pair.relative(state, true)};
  walk_instant(pair, *this);
  finish(found);
}

}  // namespace toccata
