#include "toccata/narrow/linear/contact.hpp"

#include <algorithm>
#include <bit>

#include "toccata/base/interruption.hpp"
#include "toccata/narrow/linear/filter.hpp"
#include "toccata/narrow/linear/gap.hpp"
#include "toccata/narrow/linear/separation.hpp"

namespace toccata {
namespace {

/// More steps than most pairs need. From then on directions that turn are tried in every step.
constexpr Count many = 16;

/// By the best of all directions between the features, whose differences are `now` at `time`.
template <PairKind kind>
[[gnu::noinline]] double separated_somehow_until(const Differences<kind>& pair, const Vec3q& now,
                                                 double separation, double time) {
  double best = time;
  for (const Vec3d& direction : directions_of<kind>(now))
    best = std::max(best, separated_until(pair, direction, separation, time));
  return best;
}

/// Directions that turn with the features, in windows of time. Where the distance falls to zero as
/// the square of the time that is left, or faster, fixed ones make little headway: each lasts as
/// long as the distance is small. Turning ones last for a part of the time that is left, but not
/// beyond it, so windows grow while the features are apart in them, and shrink when that is not
/// shown.
class RotatingWindow {
 public:
  /// As `separated_until`, from `time` on, or `known` if that is later.
  template <PairKind kind>
  [[gnu::noinline]] double separated_until(const Differences<kind>& pair, const Vec3d& direction,
                                           double separation, double time, double known) {
    for (; width_ > std::max(known - time, least); width_ *= 0.25) {
      const TimeWindow window{time, std::min(time + width_, 1.0)};
      known = std::max({known, separated_rotating_until(pair, separation, window),
                        separated_in_plane_until(pair, direction, separation, window)});
      if (known >= window.end) {
        width_ *= 4;
        break;
      }
    }
    return known;
  }

 private:
  static constexpr double least = 0x1p-48;
  double width_ = 1;
};

}  // namespace

// Conservative advancement with exact horizons: at `time`, the direction between the closest points
// is a plane that separates the features until a time that follows from four linear functions. With
// a closing speed this is Newton's method on the distance, so it converges quadratically. A plane
// that turns with the features separates them until they are coplanar: mostly the time of contact
// itself. After the first steps it is tried seldom, and when fixed ones stall. A plane that is
// hardly worth a step is no reason to stop before all the others were tried: rounding may have
// mistaken which points are closest.
template <PairKind kind>
LinearContact advance(const Differences<kind>& pair, const LinearOptions& options, double cutoff,
                      double time, Trace* trace) {
  // Squares of what is below 2^-511 vanish, and a distance with them.
  const double rounding = 0x1p-48 * (pair.extent.x + pair.extent.y + pair.extent.z) + 0x1p-510;
  const double near = options.separation + options.tolerance - rounding;
  RotatingWindow rotating;
  for (Count step = 0;; ++step) {
    interruption_point(step + 1);
    if (trace) ++trace->planes;
    const Vec3q now = pair.at(time);
    Gap gap = gap_of<kind>(now);
    double next = separated_until(pair, gap.direction, options.separation, time);
    if (next <= time || (next - time <= settled && gap.distance > near)) {
      next = std::max(next, separated_somehow_until(pair, now, options.separation, time));
      gap.distance = std::min(gap.distance, closest_distance<kind>(now, near));
    }
    const bool within = gap.distance <= near;
    if (within && (next - time <= settled || (step >= patience && next <= 1)) &&
        closest_distance<kind>(now, near) <= near)
      return {Outcome::contact, time};
    if (next > cutoff) {
      if (trace) trace->separating = gap.direction;
      return {};
    }
    if (std::has_single_bit(static_cast<std::uint64_t>(step + 1)) || next <= time)
      next = std::max(next, separated_rotating_until(pair, options.separation, {time, 1}));
    if (step >= many || next <= time)
      next = rotating.separated_until(pair, gap.direction, options.separation, time, next);
    if (next > cutoff) return {};
    if (next <= time || step >= options.budget) return {Outcome::undecided, time};
    time = next;
  }
}

template <PairKind kind>
LinearContact first_contact(const LinearPair& pair, const LinearOptions& options, double cutoff,
                            Trace* trace) {
  if (apart_along_axis<kind>(pair, options.separation)) return {};
  return advance(Differences<kind>(pair), options, cutoff, 0, trace);
}

template LinearContact first_contact<PairKind::vertex_face>(const LinearPair&, const LinearOptions&,
                                                            double, Trace*);
template LinearContact first_contact<PairKind::edge_edge>(const LinearPair&, const LinearOptions&,
                                                          double, Trace*);
template LinearContact advance(const Differences<PairKind::vertex_face>&, const LinearOptions&,
                               double, double, Trace*);
template LinearContact advance(const Differences<PairKind::edge_edge>&, const LinearOptions&,
                               double, double, Trace*);

}  // namespace toccata
