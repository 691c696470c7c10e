#include "toccata/query/articulated/nearest.hpp"

#include <algorithm>

#include "toccata/base/interruption.hpp"
#include "toccata/narrow/advancement/box_gap.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/moment.hpp"

namespace toccata {
namespace {

/// Bodies that may move anywhere, and fast: how soon they can meet is a matter of distance alone.
PairState restless(const PairState& state, double size) {
  PairState result = state;
  result.time = 0;
  for (BodyState* body : {&result.a, &result.b}) {
    body->motion.velocity = body->motion.spin = {0, 0, 0};
    body->motion.turning = body->motion.spin_speed = 0;
    body->motion.acceleration = 0x1p20 * size;
  }
  return result;
}

/// Points of pieces of surfaces are the closest ones up to half of what lies beyond the separation:
/// it is raised until that is little.
Closest closest_of_pieces(RobotPair& bodies, const PairState& state, Index a, Index b) {
  const MovingPair& pair = bodies.pair();
  const double separation = pair.separation();
  const PairState fast = restless(state, norm(state.a.center - state.b.center) +
                                             pair.mesh_a().radius() + pair.mesh_b().radius());
  Closest best{nowhere, nowhere, infinity, Feature::surface};
  for (double known = 0; best.distance - known > 0.25 * pair.tolerance();) {
    bodies.set_separation(known);
    const LeafApproach leaf = approach_leaves(pair, fast, a, b);
    const bool closer = leaf.triangles.closest.distance < best.distance;
    if (closer) best = leaf.triangles.closest;
    if (leaf.touches || !(best.distance < infinity)) break;
    known += 0.45 * (best.distance - known);
  }
  bodies.set_separation(separation);
  return best;
}

/// Points of two elements that are, or nearly are, as close as any. Those of triangles that do
/// intersect are so only if `apart` does not say that they cannot.
Closest closest_of(RobotPair& bodies, const PairState& state, Index a, Index b, bool apart) {
  const MovingPair& pair = bodies.pair();
  if (pair.mesh_a().surface() || pair.mesh_b().surface())
    return closest_of_pieces(bodies, state, a, b);
  const Corners x = state.a.motion.pose * corners_of(pair.mesh_a().triangle(a));
  const Corners y = state.b.motion.pose * corners_of(pair.mesh_b().triangle(b));
  return apart ? closest_features(x, y) : closest_points(triangle_of(x), triangle_of(y));
}

/// Looks for points that are closer to each other than the best ones.
struct CloserPairs {
  RobotPair& bodies;
  PairView view;
  double enough;
  Nearby& best;
  double gain = 0.25 * bodies.pair().tolerance();  // less is not worth a search
  Count steps = 0;

  MomentBounds look(const Expansion<VolumeKind::box>& expansion) {
    const Family& f = expansion.family();
    const RelativeState& relative = view.relative(f.of_a);
    const Pack gap = box_gap(expansion.node(), expansion.other_node(), f.other.lane(), relative);
    return {gap - relative.gap_slack, Pack{}};
  }
  bool keeps(const MomentTask& task) const { return task.gap < best.upper - gain; }
  bool wants(const MomentTask& task) const { return keeps(task); }
  bool spend() {
    interruption_point(++steps);
    return best.upper > enough;
  }
  bool visit(const MomentTask& task, Index a, Index b) {
    const Closest closest = closest_of(bodies, view.state(), a, b, task.gap > 0);
    const double upper = closest.distance + bodies.pair().error();
    if (upper < best.upper) best = {upper, view.time(), bodies.candidate(), a, b, closest};
    return true;
  }
};

/// Where a function of time is small, by golden sections of lo..hi.
template <class Function>
double near_least(const Function& f, double lo, double hi) {
  constexpr double golden = 0.6180339887498949;
  double x = hi - golden * (hi - lo), y = lo + golden * (hi - lo), at_x = f(x), at_y = f(y);
  for (int k = 0; k < 24; ++k) {
    if (at_x <= at_y) {
      hi = y, y = x, at_y = at_x;
      x = hi - golden * (hi - lo), at_x = f(x);
    } else {
      lo = x, x = y, at_x = at_y;
      y = lo + golden * (hi - lo), at_y = f(y);
    }
  }
  return at_x <= at_y ? x : y;
}

}  // namespace

void Nearest::look(const RobotQuery& query, const RobotOptions& asked, double time, double enough,
                   Nearby& best) {
  rank(query, asked, time, best.upper);
  for (const Ranked& pair : ranked_) {
    if (!(pair.least < best.upper) || best.upper <= enough) return;
    RobotPair bodies(query, pair.candidate);
    measure(query, bodies, time, enough, best);
  }
}

void Nearest::rank(const RobotQuery& query, const RobotOptions& asked, double time, double most) {
  const Robot& robot = query.robot;
  const std::span<const Link> links = robot.links();
  const auto offer = [&](double least, const Candidate& candidate) {
    if (least < most) ranked_.push_back({least, candidate});
  };
  ranked_.clear();
  centers_.clear();
  for (const Link& link : links)
    centers_.push_back(query.poses.pose(robot.world_frame(link.joint), time) * link.mesh->center());
  for (std::size_t i = 0; i < links.size(); ++i)
    for (std::size_t j = 0; j < query.world.size(); ++j) {
      const auto body = static_cast<Index>(j);
      if (!is_tested(asked.untested.get(), static_cast<Index>(i), body)) continue;
      const Box box = query.world.box(body, {time, time});
      offer(distance_to(box, centers_[i]) - links[i].mesh->radius(),
            {0, static_cast<Index>(i), body});
    }
  for (std::size_t p = 0; asked.self_contact && p < robot.pairs().size(); ++p) {
    const LinkPair& pair = robot.pairs()[p];
    const double radii = links[pair.a].mesh->radius() + links[pair.b].mesh->radius();
    offer(norm(centers_[pair.a] - centers_[pair.b]) - radii,
          {0, pair.a, -1, static_cast<Index>(p)});
  }
  std::stable_sort(ranked_.begin(), ranked_.end(),
                   [](const Ranked& s, const Ranked& t) { return s.least < t.least; });
}

void Nearest::measure(const RobotQuery& query, RobotPair& bodies, double time, double enough,
                      Nearby& best) {
  CloserPairs policy{bodies, bodies.posed(time, query.poses), enough, best};
  walk_moment(bodies.pair(), policy);
}

void Nearest::descend(const RobotQuery& query, double width, double enough, Nearby& best) {
  RobotPair bodies(query, *best.candidate);
  if (bodies.is_at_rest()) return;
  const double little = 0.5 * bodies.pair().tolerance();
  for (double before = best.upper + 2 * little; best.upper > enough && best.upper < before - little;
       width *= 0.5) {
    before = best.upper;
    const auto distance = [&](double t) {
      const PairView view = bodies.posed(t, query.poses);
      return closest_of(bodies, view.state(), best.element_a, best.element_b, false).distance;
    };
    const double time =
        near_least(distance, std::max(best.time - width, 0.0), std::min(best.time + width, 1.0));
    measure(query, bodies, time, enough, best);
  }
}

}  // namespace toccata
