// Advances along a direction that rotates with the features that it separates.
//
// Along a fixed direction, the ends of two rotating edges approach at first order although the
// edges do not, so close to a grazing contact the advances shrink with the gap. Along a direction
// that rotates with the edges (or the face), they shrink only with the square root of the gap.
#include "toccata/narrow/advancement/triangle_approach.hpp"

#include <algorithm>

namespace toccata {
namespace {

/// A corner in world coordinates with its velocity.
struct MovingCorner {
  Vec3d position, velocity;
  double bend;  // bounds the acceleration
};

struct MovingCorners {
  std::array<MovingCorner, 3> corner;

  MovingCorners(const Triangle& world, const MotionState& state) {
    const Vec3d pivot = state.pose * state.pivot;
    for (int k = 0; k < 3; ++k) {
      const Vec3d arm = world.corner[k] - pivot, swing = cross(state.spin, arm);
      corner[k] = {world.corner[k], state.velocity + swing,
                   state.acceleration + state.turning * norm(arm) + state.spin_speed * norm(swing)};
    }
  }
};

/// Returns a time for which the corners of a and b are farther apart than `distance` along n, while
/// n(t) rotates at the constant rate |n'|. The distance of two corners along it is at least
///   n.r + t (n.r)' - t^2 / 2 max |(n.r)''|,   |(n.r)''| <= |r''| + 2 |n'| |r'| + |n'|^2 |r|
/// with the largest values of |r'| and |r| until `longest`.
double step_along(const Vec3d& n, const Vec3d& turn, const MovingCorners& a, const MovingCorners& b,
                  double distance, double longest) {
  const double w = norm(turn), h = std::min(longest, 0.25 / w);
  double step = h;
  for (const MovingCorner& p : a.corner)
    for (const MovingCorner& q : b.corner) {
      const Vec3d r = p.position - q.position, v = p.velocity - q.velocity;
      const double room = dot(n, r) - distance;
      if (!(room > 0)) return 0;
      const double far = norm(r), speed = norm(v), bend = p.bend + q.bend;
      const double fastest = speed + bend * h;
      const double slack = 0x1p-46 * (norm(p.velocity) + norm(q.velocity) + w * far);
      const double rate = slack - dot(n, v) - dot(turn, r);
      const double curve = 0.5 * (bend + 2 * w * fastest + w * w * (far + fastest * h)) *
                           (1 + 0x1p-40);
      step = std::min(step, time_to_use_up(room, rate, curve));
    }
  return step;
}

/// Rotations of the line between the closest points of two edges, which are ends or inner points.
class EdgeTurns {
 public:
  EdgeTurns(const TriangleApproach& at, const Triangle& a, const MotionState& state_a,
            const Triangle& b, const MotionState& state_b)
      : n_(at.normal), spin_a_(state_a.spin), spin_b_(state_b.spin) {
    const int i = at.closest.edge_a, j = at.closest.edge_b;
    edge_a_ = a.corner[(i + 1) % 3] - a.corner[i];
    edge_b_ = b.corner[(j + 1) % 3] - b.corner[j];
    const Vec3d relative = velocity_at(state_a, at.closest.point_a) -
                           velocity_at(state_b, at.closest.point_b);
    end_to_end_ = relative * (1 / at.closest.distance);
  }

  /// Returns the rotation for two inner points: along the common perpendicular of both edges.
  Vec3d perpendicular() const {
    const Vec3d normal = cross(edge_a_, edge_b_);
    const Vec3d change = cross(cross(spin_a_, edge_a_), edge_b_) +
                         cross(edge_a_, cross(spin_b_, edge_b_));
    return change * (std::copysign(1.0, dot(normal, n_)) / norm(normal));
  }
  /// Returns the rotation for two ends: along the line between them.
  Vec3d end_to_end() const { return end_to_end_; }
  /// Returns the rotation for an end of edge b and an inner point of edge a, which slides along a
  /// to stay closest.
  Vec3d end_to_edge_a() const { return end_to_edge(edge_a_, spin_a_); }
  Vec3d end_to_edge_b() const { return end_to_edge(edge_b_, spin_b_); }

 private:
  Vec3d end_to_edge(const Vec3d& edge, const Vec3d& spin) const {
    const Vec3d along = unit(edge);
    return end_to_end_ - along * (dot(along, end_to_end_) + dot(n_, cross(spin, along)));
  }

  Vec3d n_, spin_a_, spin_b_, edge_a_, edge_b_, end_to_end_;
};

}  // namespace

double rotating_step(const TriangleApproach& approach, const Triangle& world_a,
                     const MotionState& state_a, const Triangle& world_b,
                     const MotionState& state_b, double distance) {
  const Vec3d& n = approach.normal;
  const Closest& closest = approach.closest;
  const MovingCorners a(world_a, state_a), b(world_b, state_b);
  const double longest = longest_advance(norm(state_a.spin) + norm(state_b.spin));
  double best = step_along(n, {0, 0, 0}, a, b, distance, longest);
  const auto offer = [&](Vec3d turn) {
    turn = turn - n * dot(n, turn);
    if (is_finite(turn) && norm2(turn) > 0)
      best = std::max(best, step_along(n, turn, a, b, distance, longest));
  };
  if (closest.feature == Feature::vertex_face) offer(cross(state_b.spin, n));
  if (closest.feature == Feature::face_vertex) offer(cross(state_a.spin, n));
  if (closest.feature == Feature::edge_edge) {
    const EdgeTurns turns(approach, world_a, state_a, world_b, state_b);
    offer(turns.perpendicular());
    offer(turns.end_to_edge_a());
    offer(turns.end_to_edge_b());
    offer(turns.end_to_end());
  }
  return best;
}

}  // namespace toccata
