// Eight floats that are computed together. The compiler's vector extension maps them to one AVX2
// register, or to two SSE or NEON ones: the same operations, hence the same bits, everywhere.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "toccata/math/mat3.hpp"

namespace toccata {

inline constexpr int lanes = 8;

using Pack = float __attribute__((vector_size(4 * lanes)));
using Mask = std::int32_t __attribute__((vector_size(4 * lanes)));  ///< -1 where true, else 0

inline Pack broadcast(float x) { return Pack{} + x; }
inline Pack select(Mask m, Pack a, Pack b) { return m ? a : b; }
inline Pack min(Pack a, Pack b) { return a < b ? a : b; }
inline Pack max(Pack a, Pack b) { return a > b ? a : b; }
inline Pack abs(Pack a) { return (Pack)((Mask)a & 0x7fffffff); }
/// `a` with its sign turned where `s` is negative.
inline Pack flip_sign(Pack a, Pack s) { return (Pack)((Mask)a ^ ((Mask)s & INT32_MIN)); }

inline Pack sqrt(Pack a) {
#if defined(__AVX2__)
  return (Pack)_mm256_sqrt_ps((__m256)a);
#else
  Pack r;
  for (int i = 0; i < lanes; ++i) r[i] = std::sqrt(a[i]);
  return r;
#endif
}

/// Bit i is set where lane i is true.
inline unsigned bits(Mask m) {
#if defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_ps((__m256)m));
#else
  unsigned r = 0;
  for (int i = 0; i < lanes; ++i) r |= static_cast<unsigned>(m[i] & 1) << i;
  return r;
#endif
}

/// Bit i is set where lane i is negative.
inline unsigned signs(Mask m) {
#if defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_ps((__m256)m));
#else
  return bits(m < 0);
#endif
}

using Vec3p = Vec3<Pack>;
using Mat3p = Mat3<Pack>;
inline Vec3p broadcast(const Vec3f& v) { return {broadcast(v.x), broadcast(v.y), broadcast(v.z)}; }
inline Vec3p select(Mask m, const Vec3p& a, const Vec3p& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
inline Pack norm(const Vec3p& v) { return sqrt(dot(v, v)); }

}  // namespace toccata
