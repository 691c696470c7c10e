// Conservative advancement with planes that separate the features of a pair.
#include "toccata/narrow/linear/contact.hpp"

#include <algorithm>
#include <bit>

#include "toccata/base/interruption.hpp"
#include "toccata/narrow/linear/filter.hpp"
#include "toccata/narrow/linear/gap.hpp"
#include "toccata/narrow/linear/separation.hpp"

namespace toccata {
namespace {

/// Number of advances that suffices for most pairs. After these, every advance also tries rotating
/// directions.
constexpr Count many = 16;

/// Does the same as `separated_until`, with the best of all directions between the features. Their
/// differences are `now` at `time`.
template <PairKind kind>
[[gnu::noinline]] double separated_somehow_until(const Differences<kind>& pair, const Vec3q& now,
                                                 double separation, double time) {
  double best = time;
  for (const Vec3d& direction : directions_of<kind>(now))
    best = std::max(best, separated_until(pair, direction, separation, time));
  return best;
}

/// Search for rotating directions, in windows. If the distance falls to zero quadratically in the
/// remaining time, or faster, fixed directions advance slowly, because each lasts only while the
/// distance is small. Rotating directions last for a fraction of the remaining time, but not
/// beyond. Therefore windows grow while the features are apart in them, and shrink otherwise.
class RotatingWindow {
 public:
  /// Does the same as `separated_until`, starting at `time`. Returns at least `known`.
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

// Conservative advancement with exact planes: at `time`, the plane perpendicular to the line
// between the closest points separates the features until a time that follows from four linear
// functions. If the features approach at a positive speed, this is Newton's method on the distance
// and converges quadratically. A plane that rotates with the features separates them until they are
// coplanar, which is usually the time of contact. Rotating planes are tried in exponentially fewer
// advances, and when fixed planes stall. All other directions are tried before giving up, because
// rounding may have chosen the wrong closest points.
template <PairKind kind>
LinearContact advance(const Differences<kind>& pair, const LinearOptions& options, double cutoff,
                      double time, Trace* trace) {
  // Squares of numbers below 2^-511 underflow, and a distance computed from them is 0.
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
