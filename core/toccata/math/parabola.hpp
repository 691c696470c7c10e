// When a gap is used up that closes at some rate and with some acceleration: the first root of a
// parabola, for numbers and for lanes.
#pragma once

#include <cmath>

#include "toccata/math/pack.hpp"

namespace toccata {

template <class T>
struct Quotient {
  T over, under;
};

/// The smallest positive root of room = rate t + bend t^2 by the formula that does not cancel.
/// `root` is the square root of rate^2 + 4 bend room.
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

/// Less room than this is none: products of what it is compared with could underflow. Above it,
/// rates and bends that err by 2^-1000 move a root in [0, 1] by 2^-600 of itself at most. A square
/// that vanishes changes `root` by 2^-537: where that is more than 2^-57 of the divisor, the time
/// exceeds 1 by far.
inline constexpr double least_room = 0x1p-400;

/// How long a room lasts that is used up at a rate, and by `bend` t^2, which is not negative. 0
/// without room; infinite if it lasts forever; NaN if something overflows.
inline double time_to_use_up(double room, double rate, double bend) {
  if (!(room > least_room)) return 0;
  const auto [over, under] = first_root(room, rate, bend, std::sqrt(rate * rate + 4 * bend * room));
  return over / under;
}

/// The same lane by lane. The NaN of an overflow becomes 0: no advance, and nothing is lost.
inline Quad time_to_use_up(const Quad& room, const Quad& rate, const Quad& bend) {
  const auto [over, under] = first_root(room, rate, bend, sqrt(rate * rate + 4 * bend * room));
  return select(room > quad(least_room), max(over / under, Quad{}), Quad{});
}

/// The same in single precision, rounded down.
[[gnu::always_inline]] inline Pack time_to_use_up(const Pack& room, const Pack& rate,
                                                  const Pack& bend) {
  const auto [over, under] = first_root(room, rate, bend, sqrt(rate * rate + 4.f * bend * room));
  const Pack time = over / (under + 1e-37f), zero{};
  return select(room > zero, max(time * (1 - 0x1p-16f), zero), zero);
}

/// The same for a bend of any sign: one below zero may leave some of the room forever. Rounds the
/// discriminant up, so for a negative rate the time may be 2^-41 of itself too long.
inline double time_to_use_up_if_ever(double room, double rate, double bend) {
  if (!(room > 0)) return 0;
  if (rate <= 0 && bend <= 0) return infinity;
  const double discriminant = rate * rate * (1 + 0x1p-40) + 4 * bend * room;
  if (discriminant < 0) return infinity;
  const auto [over, under] = first_root(room, rate, bend, std::sqrt(discriminant));
  return over / under;
}

}  // namespace toccata
