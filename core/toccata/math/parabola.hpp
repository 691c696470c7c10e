// First roots of parabolas: the time until a gap is used up, if the bodies approach at a given rate
// with a given acceleration. For numbers and for SIMD lanes.
#pragma once

#include <cmath>

#include "toccata/math/pack.hpp"

namespace toccata {

template <class T>
struct Quotient {
  T over, under;
};

/// Returns the smallest positive root of room = rate t + bend t^2, by the formula without
/// cancellation. `root` is the square root of rate^2 + 4 bend room.
inline Quotient<double> first_root(double room, double rate, double bend, double root) {
  if (rate >= 0) return {2 * room, rate + root};
  return {root - rate, 2 * bend};
}
template <class T>
[[gnu::always_inline]] inline Quotient<Lanes<T>> first_root(const Lanes<T>& room,
                                                            const Lanes<T>& rate,
                                                            const Lanes<T>& bend,
                                                            const Lanes<T>& root) {
  const auto closing = rate >= Lanes<T>{};
  return {select(closing, 2 * room, root - rate), select(closing, rate + root, 2 * bend)};
}

/// Room up to this counts as zero, because products with smaller room could underflow. Above it,
/// errors of 2^-1000 in rate and bend move a root in [0, 1] by at most 2^-600 of its value. A
/// square that underflows changes `root` by 2^-537. If that is more than 2^-57 of the divisor, the
/// time exceeds 1 by far.
inline constexpr double least_room = 0x1p-400;

/// Returns the time after which rate t + bend t^2 has used up `room`. `bend` is not negative.
/// Returns 0 without room, infinity if the room lasts forever, and NaN if a product overflows.
inline double time_to_use_up(double room, double rate, double bend) {
  if (!(room > least_room)) return 0;
  const auto [over, under] = first_root(room, rate, bend, std::sqrt(rate * rate + 4 * bend * room));
  return over / under;
}

/// Does the same lane by lane. The NaN of an overflow becomes 0, which means no advance and is
/// safe.
inline Quad time_to_use_up(const Quad& room, const Quad& rate, const Quad& bend) {
  const auto [over, under] = first_root(room, rate, bend, sqrt(rate * rate + 4 * bend * room));
  return select(room > quad(least_room), max(over / under, Quad{}), Quad{});
}

/// Does the same in single precision, rounded down.
[[gnu::always_inline]] inline Pack time_to_use_up(const Pack& room, const Pack& rate,
                                                  const Pack& bend) {
  const auto [over, under] = first_root(room, rate, bend, sqrt(rate * rate + 4.f * bend * room));
  const Pack time = over / (under + 1e-37f), zero{};
  return select(room > zero, max(time * (1 - 0x1p-16f), zero), zero);
}

/// Does the same for a bend of any sign. With a negative bend, some of the room may last forever.
/// Rounds the discriminant up, so for a negative rate the time may be too long by 2^-41 of its
/// value.
inline double time_to_use_up_if_ever(double room, double rate, double bend) {
  if (!(room > 0)) return 0;
  if (rate <= 0 && bend <= 0) return infinity;
  const double discriminant = rate * rate * (1 + 0x1p-40) + 4 * bend * room;
  if (discriminant < 0) return infinity;
  const auto [over, under] = first_root(room, rate, bend, std::sqrt(discriminant));
  return over / under;
}

}  // namespace toccata
