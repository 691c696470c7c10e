#include "toccata/query/rigid/contact_intervals.hpp"

#include <array>

#include "toccata/walk/scaled.hpp"

namespace toccata {

std::vector<Interval> contact_intervals(const Body& a, const Body& b, const Options& options,
                                        double resolution) {
  if (const int exponent = scaling_of(std::array{a, b})) [[unlikely]]
    return contact_intervals(ScaledBody(a, exponent), ScaledBody(b, exponent),
                             scaled(options, exponent), resolution);
  Count budget = options.budget;
  return contact_intervals(MovingPair(a, b, options), resolution, budget);
}

}  // namespace toccata
