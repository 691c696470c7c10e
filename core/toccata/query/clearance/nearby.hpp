// The search for close points of two bodies: at one time, or by a descent over time to a local
// minimum of their distance.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <optional>

#include "toccata/base/interruption.hpp"
#include "toccata/narrow/advancement/box_gap.hpp"
#include "toccata/query/setting/setting.hpp"
#include "toccata/walk/instant.hpp"

namespace toccata {

/// The closest points so far. `Who` identifies the pair of bodies.
template <class Who>
struct Nearby {
  double upper;  ///< certified upper bound of the bodies' distance at `time`
  double time = 0;
  std::optional<Who> who = {};  ///< pair of bodies; without it, `upper` is the limit of the search
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, nowhere.x, Feature::none};  ///< in the frame of the pair
  Stats stats = {};                                             ///< work of the whole search
};

/// The resolution of a search for close points: smaller improvements are ignored.
struct Resolution {
  double tolerance;  ///< distance below which no closer points are needed
  double share = 0;  ///< share of the distance that needs no resolution, for a first estimate

  /// Returns the smallest improvement of a distance that is worth a search.
  double gain(double distance) const { return std::max(tolerance, share * distance) / 8; }
  /// Returns the distance below which a pair is worth a search, if `upper` is known.
  double worth(double upper) const {
    return std::min(upper - tolerance / 8, upper * (1 - share / 8));
  }
};

/// A pair of bodies over time, with its identification.
template <class Bodies, class Who>
struct NamedBodies {
  Bodies& bodies;
  const Who& who;

  const MovingPair& pair() const { return bodies.pair(); }
  const PairState& at(double time) { return bodies.at({time, time}); }
};

/// Returns the closest points of two elements, up to the resolution. If their distance is at least
/// `below`, may return other points at such a distance, or none. `apart` tells that the elements do
/// not intersect.
Closest closest_of(const MovingPair& pair, const PairState& state, Index a, Index b, bool apart,
                   const Resolution& resolution, double below = infinity);

/// The policy of a traversal at one time that searches for closer points than `best`.
template <class Bodies, class Who>
struct CloserPairs {
  NamedBodies<Bodies, Who>& bodies;
  const PairState& state;
  const Resolution& resolution;
  Nearby<Who>& best;
  std::array<RelativeState, 2> seen{bodies.pair().relative(state, false),
                                    bodies.pair().relative(state, true)};
  Count steps = 0;

  InstantBounds bound(const Expansion<VolumeKind::box>& expansion) {
    const Siblings& siblings = expansion.siblings();
    best.stats.bv_tests += std::popcount(expansion.used());
    const RelativeState& relative = seen[siblings.of_a];
    const Pack gap =
        box_gap(expansion.node(), expansion.other_node(), siblings.other.lane(), relative);
    return {gap - relative.gap_slack, Pack{}};
  }
  bool keeps(const InstantTask& task) const { return task.gap < resolution.worth(best.upper); }
  bool wants(const InstantTask& task) const { return keeps(task); }
  bool spend() {
    interruption_point(++steps);
    return best.upper > resolution.tolerance;
  }
  bool visit(const InstantTask& task, Index a, Index b) {
    const MovingPair& pair = bodies.pair();
    const Closest closest =
        closest_of(pair, state, a, b, task.gap > 0, resolution, best.upper - pair.error());
    const double upper = closest.distance + pair.error();
    ++best.stats.elementary_tests;
    if (upper < best.upper) best = {upper, state.time, bodies.who, a, b, closest, best.stats};
    return true;
  }
};

/// Searches two bodies at one time for closer points than `best`.
template <BodiesOverTime Bodies, class Who>
void measure(NamedBodies<Bodies, Who>& bodies, double time, const Resolution& resolution,
             Nearby<Who>& best) {
  CloserPairs<Bodies, Who> policy{bodies, bodies.at(time), resolution, best};
  walk_instant(bodies.pair(), policy);
}

/// Two elements at a time.
struct Instant {
  double time;
  Index a, b;
};

/// Descent over time to a local minimum of the distance of two bodies.
///
/// A round minimizes the distance of two elements, by its rate of change. This is cheap, and it
/// bounds the distance of the bodies from above. The next round starts with the closest elements at
/// the new time. The descent ends when the elements stay the same, or when the gain is small.
template <BodiesOverTime Bodies, class Who>
class Descent {
 public:
  Descent(NamedBodies<Bodies, Who>& bodies, const Resolution& resolution, Nearby<Who>& best)
      : bodies_(bodies), resolution_(resolution), best_(best) {}

  void run(const Instant& start) {
    const Sample first = sample(start.a, start.b, start.time);
    offer(first, start.a, start.b);
    if (bodies_.bodies.is_at_rest() || best_.time != start.time) return;
    double lo = 0, hi = 1;  // the distance falls from both times towards the interior
    for (int k = 0; k < most_rounds && best_.upper > resolution_.tolerance; ++k) {
      const Index a = best_.element_a, b = best_.element_b;
      const Sample x = sample_of(best_.closest, best_.time);
      const bool forward = x.rate < 0;
      (forward ? lo : hi) = x.time;
      const Sample y = first_dip(a, b, x, forward ? hi : lo);
      // From the second round on, the bodies have been measured at the time of x.
      if (k > 0 && !(y.closest.distance < resolution_.worth(x.closest.distance))) return;
      offer(y, a, b);
      measure(bodies_, y.time, resolution_, best_);
      if (best_.element_a == a && best_.element_b == b) return;
    }
  }

 private:
  /// Closest points of two elements at a time, and the derivative of their distance.
  struct Sample {
    double time;
    Closest closest;
    double rate;
  };

  static constexpr int most_rounds = 32, most_cuts = 32;

  Sample sample(Index a, Index b, double time) {
    ++best_.stats.elementary_tests;
    return sample_of(closest_of(bodies_.pair(), bodies_.at(time), a, b, false, resolution_), time);
  }
  Sample sample_of(const Closest& closest, double time) {
    return {time, closest,
            dot(closest.point_a - closest.point_b, velocity(closest, time)) / closest.distance};
  }
  /// Returns the velocity of body a relative to body b at the closest points.
  Vec3d velocity(const Closest& closest, double time) {
    const PairState& state = bodies_.at(time);
    return velocity_at(state.a.motion, closest.point_a) -
           velocity_at(state.b.motion, closest.point_b);
  }
  void offer(const Sample& x, Index a, Index b) {
    const double upper = x.closest.distance + bodies_.pair().error();
    if (upper < best_.upper) best_ = {upper, x.time, bodies_.who, a, b, x.closest, best_.stats};
  }

  /// Returns the first local minimum of the distance of two elements from x towards `end`. Doubles
  /// the step until the distance grows; then the minimum is between the last two times.
  Sample first_dip(Index a, Index b, const Sample& x, double end) {
    const double sign = end < x.time ? -1 : 1;
    double step = sign * first_step(x);
    Sample near = x;
    while (near.time != end) {
      const double time = std::abs(step) < std::abs(end - near.time) ? near.time + step : end;
      const Sample far = sample(a, b, time);
      if (!(far.closest.distance < near.closest.distance) || far.rate * sign >= 0)
        return least_between(a, b, near, far);
      near = far;
      step *= 2;
    }
    return near;
  }

  /// Returns a duration in which the rate rarely changes its sign: the bodies turn by a fraction of
  /// a radian, and move by a fraction of their distance.
  double first_step(const Sample& x) {
    const double speed = norm(velocity(x.closest, x.time));
    const double spin = spin_of(bodies_.at(x.time));
    return std::max(0.25 / (spin + speed / x.closest.distance), 0x1p-40);
  }

  /// Returns the minimum between two samples. The distance falls at `near`, and grows at `far` or
  /// is larger there.
  Sample least_between(Index a, Index b, Sample near, Sample far) {
    bool halve = false;
    for (int k = 0; k < most_cuts; ++k) {
      const double width = far.time - near.time;
      const Sample& lower = far.closest.distance < near.closest.distance ? far : near;
      if (!(std::abs(lower.rate * width) > resolution_.gain(lower.closest.distance) / 2)) break;
      double share = near.rate / (near.rate - far.rate);
      if (halve || !(share > 0.01 && share < 0.99)) share = 0.5;
      const Sample x = sample(a, b, near.time + share * width);
      const bool falls = near.rate * x.rate > 0;
      if (falls && x.closest.distance <= near.closest.distance) near = x;
      else far = x;
      halve = std::abs(far.time - near.time) > 0.5 * std::abs(width);
    }
    return far.closest.distance < near.closest.distance ? far : near;
  }

  NamedBodies<Bodies, Who>& bodies_;
  const Resolution& resolution_;
  Nearby<Who>& best_;
};

}  // namespace toccata
