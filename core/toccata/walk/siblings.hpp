// Node pairs that are bounded together, and a time for each of them.
#pragma once

#include <array>
#include <bit>

#include "toccata/math/pack.hpp"
#include "toccata/walk/expand.hpp"

namespace toccata {

/// Infinite for pairs that are done with.
struct LaneTimes {
  static constexpr double never = infinity;

  std::array<Quad, 2> half;

  /// `time` for the lanes of `used`.
  LaneTimes(double time, unsigned used) {
    const Quad at = quad(time), done = quad(never);
    half = {select(mask(used, 0), at, done), select(mask(used, 1), at, done)};
  }

  /// The lanes of half k whose bit is set.
  static QuadMask mask(unsigned bits, int k) {
    constexpr QuadMask first{1, 2, 4, 8}, second{16, 32, 64, 128};
    return ((QuadMask{} + bits) & (k == 0 ? first : second)) != 0;
  }

  double operator[](int lane) const { return half[lane >> 2][lane & 3]; }
  void set(int lane, double time) { half[lane >> 2].set(lane & 3, time); }

  /// The lane is done with. By whole registers: what is written alone is read together only later.
  void close(int lane) {
    for (int k = 0; k < 2; ++k) half[k] = select(mask(1u << lane, k), quad(never), half[k]);
  }

  double least() const { return least_of(min(half[0], half[1])); }
  /// The first lane with the least time.
  int earliest() const {
    const Quad t = quad(least());
    return std::countr_zero(bits(half[0] == t) | bits(half[1] == t) << 4);
  }
  /// Bit i is set unless lane i is done with.
  unsigned pending() const { return bits(half[0] < never) | bits(half[1] < never) << 4; }
};

/// The pairs of one siblings: before its time nothing below a pair touches. Pairs that cannot touch
/// before the cutoff are done with.
struct TimedSiblings {
  Siblings nodes;
  LaneTimes time;
  unsigned promising;  ///< open pairs that another step may well advance
};

}  // namespace toccata
