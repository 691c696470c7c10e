// Quads: four doubles in one SIMD value.
#pragma once

#include <cstring>

#include "toccata/math/lanes.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

using Quad = Lanes<double>;
using QuadMask = Lanes<std::int64_t>;  ///< -1 where true, else 0

inline Quad quad(double x) { return x; }

/// Returns a bit mask: bit i is set where lane i is true.
inline unsigned bits(const QuadMask& m) { return signs(m); }
inline bool all(const QuadMask& m) { return bits(m) == 0b1111; }

/// Returns the lanes i, j, k, l of a (numbered 0 to 3) and b (4 to 7).
template <int i, int j, int k, int l, class T>
[[gnu::always_inline]] inline Lanes<T> shuffle(const Lanes<T>& a, const Lanes<T>& b) {
  if constexpr (Lanes<T>::parts == 1) {
    return Lanes<T>(__builtin_shufflevector(a.part[0], b.part[0], i, j, k, l));
  } else {
    const auto part = [&](int lane) __attribute__((always_inline)) {
      return lane < 4 ? a.part[lane / 2] : b.part[lane / 2 - 2];
    };
    return {__builtin_shufflevector(part(i), part(j), i % 2, 2 + j % 2),
            __builtin_shufflevector(part(k), part(l), k % 2, 2 + l % 2)};
  }
}
template <int i, int j, int k, int l, class T>
[[gnu::always_inline]] inline Lanes<T> shuffle(const Lanes<T>& a) {
  return shuffle<i, j, k, l>(a, a);
}

inline double least_of(const Quad& a) {
  const Quad b = min(a, shuffle<2, 3, 0, 1>(a));
  return b[0] < b[1] ? b[0] : b[1];
}
inline double largest_of(const Quad& a) { return -least_of(-a); }

inline Quad load(const double* four) {
  Quad a;
  std::memcpy(&a, four, sizeof a);
  return a;
}

/// Transposes four rows: lane k of row i and lane i of row k are exchanged.
inline void transpose(Quad& a, Quad& b, Quad& c, Quad& d) {
  const Quad ab = shuffle<0, 4, 2, 6>(a, b), ba = shuffle<1, 5, 3, 7>(a, b);
  const Quad cd = shuffle<0, 4, 2, 6>(c, d), dc = shuffle<1, 5, 3, 7>(c, d);
  a = shuffle<0, 1, 4, 5>(ab, cd);
  b = shuffle<0, 1, 4, 5>(ba, dc);
  c = shuffle<2, 3, 6, 7>(ab, cd);
  d = shuffle<2, 3, 6, 7>(ba, dc);
}

using Vec3q = Vec3<Quad>;
template <int i, int j, int k, int l>
inline Vec3q shuffle(const Vec3q& v) {
  return {shuffle<i, j, k, l>(v.x), shuffle<i, j, k, l>(v.y), shuffle<i, j, k, l>(v.z)};
}
inline Vec3d lane(const Vec3q& v, int k) { return {v.x[k], v.y[k], v.z[k]}; }

}  // namespace toccata
