#include "toccata/narrow/linear_contact.hpp"

#include <algorithm>
#include <bit>

#include "toccata/base/interruption.hpp"
#include "toccata/narrow/linear_filter.hpp"
#include "toccata/narrow/linear_gap.hpp"
#include "toccata/narrow/separation_window.hpp"

namespace toccata {
namespace {

/// Steps of time that are not worth another one, once the features are within the tolerance.
constexpr double settled = 1e-9;
/// Within the tolerance, a contact that is still not settled after so many steps is reported.
constexpr Count patience = 400;

}  // namespace

// Conservative advancement with exact horizons: at `time`, the direction between the closest points
// is a plane that separates the features until a time that follows from four linear functions. With
// a closing speed this is Newton's method on the distance, so it converges quadratically. A plane
// that turns with the features separates them until they are coplanar: mostly the time of contact
// itself. After the first steps it is tried seldom, and when fixed ones stall.
template <PairKind kind>
LinearContact advance(const Differences<kind>& pair, const LinearOptions& options, double cutoff,
                      double time) {
  const double reach = options.separation + options.tolerance;
  // Squares of what is below 2^-511 vanish, and a distance with them.
  const double rounding = 0x1p-48 * (pair.extent.x + pair.extent.y + pair.extent.z) + 0x1p-510;
  for (Count step = 0;; ++step) {
    interruption_point(step + 1);
    const Vec3q now = pair.at(time);
    Gap gap = gap_of<kind>(now);
    double next = separated_until(pair, gap.direction, options.separation, time);
    if (next <= time) {
      const Gap outline = outline_gap_of<kind>(now);
      next = separated_until(pair, outline.direction, options.separation, time);
      gap.distance = std::min(gap.distance, outline.distance);
    }
    const bool within = gap.distance + rounding <= reach;
    if (within && (next - time <= settled || (step >= patience && next <= 1)) &&
        closest_distance<kind>(now) + rounding <= reach)
      return {Outcome::contact, time};
    if (next > cutoff) return {};
    if (std::has_single_bit(static_cast<std::uint64_t>(step + 1)) || next <= time) {
      next = std::max(next, separated_turning_until(pair, options.separation, time));
      if (next > cutoff) return {};
    }
    if (next <= time || step >= options.budget) return {Outcome::undecided, time};
    time = next;
  }
}

template <PairKind kind>
LinearContact first_contact(const LinearPair& pair, const LinearOptions& options, double cutoff) {
  if (apart_along_axis<kind>(pair, options.separation)) return {};
  return advance(Differences<kind>(pair), options, cutoff);
}

template LinearContact first_contact<PairKind::vertex_face>(const LinearPair&, const LinearOptions&,
                                                            double);
template LinearContact first_contact<PairKind::edge_edge>(const LinearPair&, const LinearOptions&,
                                                          double);
template LinearContact advance(const Differences<PairKind::vertex_face>&, const LinearOptions&,
                               double, double);
template LinearContact advance(const Differences<PairKind::edge_edge>&, const LinearOptions&,
                               double, double);

}  // namespace toccata
