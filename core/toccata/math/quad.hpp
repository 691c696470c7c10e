// Four doubles that are computed together, by the compiler's vector extension, as `Pack` is.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "toccata/math/vec3.hpp"

namespace toccata {

using Quad = double __attribute__((vector_size(32)));
using QuadMask = std::int64_t __attribute__((vector_size(32)));  ///< -1 where true, else 0

inline Quad quad(double x) { return Quad{} + x; }
inline Quad min(Quad a, Quad b) { return a < b ? a : b; }
inline Quad max(Quad a, Quad b) { return a > b ? a : b; }
inline Quad abs(Quad a) { return (Quad)((QuadMask)a & INT64_MAX); }

/// Bit i is set where lane i is true.
inline unsigned bits(QuadMask m) {
#if defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_pd((__m256d)m));
#else
  return static_cast<unsigned>((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}
inline bool all(QuadMask m) { return bits(m) == 0b1111; }

inline double least_of(Quad a) {
  const Quad b = min(a, __builtin_shuffle(a, QuadMask{2, 3, 0, 1}));
  return b[0] < b[1] ? b[0] : b[1];
}
inline double largest_of(Quad a) { return -least_of(-a); }

inline Quad sqrt(Quad a) {
#if defined(__AVX2__)
  return (Quad)_mm256_sqrt_pd((__m256d)a);
#else
  Quad r;
  for (int i = 0; i < 4; ++i) r[i] = std::sqrt(a[i]);
  return r;
#endif
}

inline Quad load(const double* four) {
  Quad a;
  std::memcpy(&a, four, sizeof a);
  return a;
}

/// Rows become columns: lane i of the k-th is then what lane k of the i-th was.
inline void transpose(Quad& a, Quad& b, Quad& c, Quad& d) {
  constexpr QuadMask even{0, 4, 2, 6}, odd{1, 5, 3, 7}, low{0, 1, 4, 5}, high{2, 3, 6, 7};
  const Quad ab = __builtin_shuffle(a, b, even), ba = __builtin_shuffle(a, b, odd);
  const Quad cd = __builtin_shuffle(c, d, even), dc = __builtin_shuffle(c, d, odd);
  a = __builtin_shuffle(ab, cd, low);
  b = __builtin_shuffle(ba, dc, low);
  c = __builtin_shuffle(ab, cd, high);
  d = __builtin_shuffle(ba, dc, high);
}

using Vec3q = Vec3<Quad>;
inline Vec3d lane(const Vec3q& v, int k) { return {v.x[k], v.y[k], v.z[k]}; }
inline Vec3q shuffle(const Vec3q& v, QuadMask order) {
  return {__builtin_shuffle(v.x, order), __builtin_shuffle(v.y, order),
          __builtin_shuffle(v.z, order)};
}

}  // namespace toccata
