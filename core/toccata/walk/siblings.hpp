// Siblings with a lower bound of the time of contact for each of their eight node pairs.
#pragma once

#include <array>
#include <bit>

#include "toccata/math/pack.hpp"
#include "toccata/walk/expand.hpp"

namespace toccata {

/// Times of eight node pairs, one per lane. Infinite for lanes that are excluded or unused.
struct LaneTimes {
  static constexpr double never = infinity;

  std::array<Quad, 2> half;

  /// Sets the lanes in `used` to `time`, and the others to `never`.
  LaneTimes(double time, unsigned used) {
    const Quad at = quad(time), done = quad(never);
    half = {select(mask(used, 0), at, done), select(mask(used, 1), at, done)};
  }

  /// Returns the lanes of half k whose bit is set.
  static QuadMask mask(unsigned bits, int k) {
    constexpr QuadMask first{1, 2, 4, 8}, second{16, 32, 64, 128};
    return ((QuadMask{} + bits) & (k == 0 ? first : second)) != 0;
  }

  double operator[](int lane) const { return half[lane >> 2][lane & 3]; }
  void set(int lane, double time) { half[lane >> 2].set(lane & 3, time); }

  /// Excludes a lane. Writes whole registers: a vector load after a scalar store would stall.
  void close(int lane) {
    for (int k = 0; k < 2; ++k) half[k] = select(mask(1u << lane, k), quad(never), half[k]);
  }

  double least() const { return least_of(min(half[0], half[1])); }
  /// Returns the first lane with the least time.
  int earliest() const {
    const Quad t = quad(least());
    return std::countr_zero(bits(half[0] == t) | bits(half[1] == t) << 4);
  }
  /// Returns the pending lanes as bits.
  unsigned pending() const { return bits(half[0] < never) | bits(half[1] < never) << 4; }
};

/// Siblings with times: elements below a node pair do not touch before its time. A lane is pending
/// while its node pair may touch before the cutoff.
struct TimedSiblings {
  Siblings nodes;
  LaneTimes time;
  unsigned promising;  ///< pending lanes that are worth another advance before they are split
};

}  // namespace toccata
