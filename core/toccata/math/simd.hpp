// SIMD registers of the processor, and operations that the vector extension of GCC and Clang lacks.
// No other code for arithmetic depends on the instruction set.
#pragma once

#include <cmath>
#include <cstdint>
#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace toccata::simd {

// GCC computes with vectors wider than a register, but splits their comparisons into single
// numbers. Wider vectors are therefore composed of registers (`Lanes`).
#if defined(__AVX2__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

template <class T, int bytes>
struct VectorOf {
  using type [[gnu::vector_size(bytes)]] = T;
};
/// SIMD vector of `bytes` bytes, at most one register.
template <class T, int bytes = register_bytes>
using Vector = typename VectorOf<T, bytes>::type;

using Floats = Vector<float>;
using Doubles = Vector<double>;
using Ints = Vector<std::int32_t>;
using Longs = Vector<std::int64_t>;

#if defined(__AVX2__)

inline Floats sqrt(Floats a) { return (Floats)_mm256_sqrt_ps((__m256)a); }
inline Doubles sqrt(Doubles a) { return (Doubles)_mm256_sqrt_pd((__m256d)a); }
/// Returns a bit mask: bit i is set where lane i is negative.
inline unsigned signs(Ints a) { return static_cast<unsigned>(_mm256_movemask_ps((__m256)a)); }
inline unsigned signs(Longs a) { return static_cast<unsigned>(_mm256_movemask_pd((__m256d)a)); }
inline void widen(Vector<float, 16> a, Doubles (&to)[1]) {
  to[0] = __builtin_convertvector(a, Doubles);
}

#elif defined(__SSE2__)

inline Floats sqrt(Floats a) { return (Floats)_mm_sqrt_ps((__m128)a); }
inline Doubles sqrt(Doubles a) { return (Doubles)_mm_sqrt_pd((__m128d)a); }
inline unsigned signs(Ints a) { return static_cast<unsigned>(_mm_movemask_ps((__m128)a)); }
inline unsigned signs(Longs a) { return static_cast<unsigned>(_mm_movemask_pd((__m128d)a)); }
inline void widen(Floats a, Doubles (&to)[2]) {
  const __m128 four = (__m128)a;
  to[0] = (Doubles)_mm_cvtps_pd(four), to[1] = (Doubles)_mm_cvtps_pd(_mm_movehl_ps(four, four));
}

#elif defined(__aarch64__)

inline Floats sqrt(Floats a) { return (Floats)vsqrtq_f32((float32x4_t)a); }
inline Doubles sqrt(Doubles a) { return (Doubles)vsqrtq_f64((float64x2_t)a); }
inline unsigned signs(Ints a) { return vaddvq_u32((uint32x4_t)((a >> 31) & Ints{1, 2, 4, 8})); }
inline unsigned signs(Longs a) {
  return static_cast<unsigned>(vaddvq_u64((uint64x2_t)((a >> 63) & Longs{1, 2})));
}
inline void widen(Floats a, Doubles (&to)[2]) {
  const float32x4_t four = (float32x4_t)a;
  to[0] = (Doubles)vcvt_f64_f32(vget_low_f32(four)), to[1] = (Doubles)vcvt_high_f64_f32(four);
}

#else

inline Floats sqrt(Floats a) {
  return Floats{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}
inline Doubles sqrt(Doubles a) { return Doubles{std::sqrt(a[0]), std::sqrt(a[1])}; }
inline unsigned signs(Ints a) {
  const Ints bit = (a >> 31) & Ints{1, 2, 4, 8};
  return static_cast<unsigned>(bit[0] | bit[1] | bit[2] | bit[3]);
}
inline unsigned signs(Longs a) {
  return static_cast<unsigned>((a[0] < 0 ? 1 : 0) | (a[1] < 0 ? 2 : 0));
}
inline void widen(Floats a, Doubles (&to)[2]) {
  to[0] = Doubles{a[0], a[1]}, to[1] = Doubles{a[2], a[3]};
}

#endif

}  // namespace toccata::simd
