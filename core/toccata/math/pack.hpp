// Packs: eight floats in one SIMD value.
#pragma once

#include "toccata/math/mat3.hpp"
#include "toccata/math/quad.hpp"

namespace toccata {

inline constexpr int lanes = 8;

using Pack = Lanes<float>;
using Mask = Lanes<std::int32_t>;  ///< -1 where true, else 0

inline Pack broadcast(float x) { return x; }

/// Returns a bit mask: bit i is set where lane i is true.
inline unsigned bits(const Mask& m) { return signs(m); }

/// Reinterprets numbers as a mask. `signs` reads only its sign bits.
inline Mask sign_bits(const Pack& a) { return cast<std::int32_t>(a); }

/// Rounds towards zero.
inline Mask truncated(const Pack& a) {
  return by_part<std::int32_t>([](auto x) { return __builtin_convertvector(x, simd::Ints); }, a);
}

/// Converts lanes 4 `half` to 4 `half` + 3 to double.
inline Quad widened(const Pack& a, int half) {
  simd::Vector<float, 16> four;
  std::memcpy(&four, reinterpret_cast<const char*>(&a) + 16 * half, sizeof four);
  Quad wide;
  simd::widen(four, wide.part);
  return wide;
}

using Vec3p = Vec3<Pack>;
using Mat3p = Mat3<Pack>;
inline Vec3p broadcast(const Vec3f& v) { return {broadcast(v.x), broadcast(v.y), broadcast(v.z)}; }
inline Vec3p select(const Mask& m, const Vec3p& a, const Vec3p& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
inline Vec3f lane(const Vec3p& v, int k) { return {v.x[k], v.y[k], v.z[k]}; }
inline void set_lane(Vec3p& v, int k, const Vec3f& to) {
  v.x.set(k, to.x), v.y.set(k, to.y), v.z.set(k, to.z);
}
inline Pack norm(const Vec3p& v) { return sqrt(dot(v, v)); }

}  // namespace toccata
