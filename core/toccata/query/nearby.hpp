// Points of two bodies that are close to each other, at one time or around it.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>

#include "toccata/base/interruption.hpp"
#include "toccata/narrow/advancement/box_gap.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/moment.hpp"

namespace toccata {

/// Two points close to each other. `upper` is certainly not less than the distance of their bodies
/// at `time`. `Who` says which bodies these are.
template <class Who>
struct Nearby {
  double upper;
  double time = 0;
  std::optional<Who> who = {};  ///< none yet: `upper` is only what would be of interest
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, nowhere.x, Feature::none};  ///< in the frame of the pair
};

/// Two bodies that can be looked at at any time.
template <class B>
concept PlaceableBodies = requires(B& bodies, double time) {
  { bodies.pair() } -> std::same_as<const MovingPair&>;
  { bodies.at(time) } -> std::same_as<const PairState&>;
  { bodies.is_at_rest() } -> std::same_as<bool>;
  bodies.set_separation(time);
  bodies.who();
};

/// Bodies that may move anywhere, and fast: how soon they can meet is a matter of distance alone.
PairState restless(const PairState& state, double size);

/// Points of two triangles that are, or nearly are, as close as any. Those of triangles that do
/// intersect are so only if `apart` does not say that they cannot.
Closest closest_of_triangles(const MovingPair& pair, const PairState& state, Index a, Index b,
                             bool apart);

/// Points of pieces of surfaces are the closest ones up to half of what lies beyond the separation:
/// it is raised until that is little.
template <PlaceableBodies Bodies>
Closest closest_of_pieces(Bodies& bodies, const PairState& state, Index a, Index b) {
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

/// The same for any two elements.
template <PlaceableBodies Bodies>
Closest closest_of(Bodies& bodies, const PairState& state, Index a, Index b, bool apart) {
  const MovingPair& pair = bodies.pair();
  return pair.mesh_a().surface() || pair.mesh_b().surface()
             ? closest_of_pieces(bodies, state, a, b)
             : closest_of_triangles(pair, state, a, b, apart);
}

/// Looks for points that are closer to each other than the best ones.
template <class Bodies, class Who>
struct CloserPairs {
  Bodies& bodies;
  const PairState& state;
  double enough;
  Nearby<Who>& best;
  double gain = 0.25 * bodies.pair().tolerance();  // less is not worth a search
  std::array<RelativeState, 2> seen{bodies.pair().relative(state, false),
                                    bodies.pair().relative(state, true)};
  Count steps = 0;

  MomentBounds look(const Expansion<VolumeKind::box>& expansion) const {
    const Family& family = expansion.family();
    const RelativeState& relative = seen[family.of_a];
    const Pack gap =
        box_gap(expansion.node(), expansion.other_node(), family.other.lane(), relative);
    return {gap - relative.gap_slack, Pack{}};
  }
  bool keeps(const MomentTask& task) const { return task.gap < best.upper - gain; }
  bool wants(const MomentTask& task) const { return keeps(task); }
  bool spend() {
    interruption_point(++steps);
    return best.upper > enough;
  }
  bool visit(const MomentTask& task, Index a, Index b) {
    const Closest closest = closest_of(bodies, state, a, b, task.gap > 0);
    const double upper = closest.distance + bodies.pair().error();
    if (upper < best.upper) best = {upper, state.time, bodies.who(), a, b, closest};
    return true;
  }
};

/// Looks at two bodies at one time. What is not less than `best.upper` is not looked at; nothing is
/// once that is not more than `enough`.
template <PlaceableBodies Bodies, class Who>
void measure(Bodies& bodies, double time, double enough, Nearby<Who>& best) {
  CloserPairs<Bodies, Who> policy{bodies, bodies.at(time), enough, best};
  walk_moment(bodies.pair(), policy);
}

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

/// Goes on from `best`, points of these bodies, to a time nearby, within `width`, at which they are
/// as close as can be found quickly.
template <PlaceableBodies Bodies, class Who>
void descend(Bodies& bodies, double width, double enough, Nearby<Who>& best) {
  if (bodies.is_at_rest()) return;
  const double little = 0.5 * bodies.pair().tolerance();
  for (double before = best.upper + 2 * little; best.upper > enough && best.upper < before - little;
       width *= 0.5) {
    before = best.upper;
    const auto distance = [&](double t) {
      return closest_of(bodies, bodies.at(t), best.element_a, best.element_b, false).distance;
    };
    const double time =
        near_least(distance, std::max(best.time - width, 0.0), std::min(best.time + width, 1.0));
    measure(bodies, time, enough, best);
  }
}

}  // namespace toccata
