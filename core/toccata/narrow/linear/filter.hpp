// Filters of feature pairs: two fast proofs that a pair never comes close, for one pair or for four
// at once.
#pragma once

#include <algorithm>

#include "toccata/narrow/linear/pair.hpp"

namespace toccata {
namespace filter {

using std::abs, std::max, std::min;
using toccata::abs, toccata::max, toccata::min;

/// Range of the coordinates of one feature.
template <class T>
struct Range {
  T lo, hi;
};

template <auto axis, class T>
Range<T> range_of(const Vec3<T>& a, const Vec3<T>& b) {
  return {min(a.*axis, b.*axis), max(a.*axis, b.*axis)};
}

/// Returns the gaps of the features along an axis at one time, for both orders of the features.
template <PairKind kind, auto axis, class T>
Range<T> gaps_along(const std::array<Vec3<T>, 4>& p) {
  Range<T> b = range_of<axis>(p[2], p[3]);
  if constexpr (kind == PairKind::edge_edge) {
    const Range<T> a = range_of<axis>(p[0], p[1]);
    return {b.lo - a.hi, a.lo - b.hi};
  } else {
    b = {min(b.lo, p[1].*axis), max(b.hi, p[1].*axis)};
    return {b.lo - p[0].*axis, p[0].*axis - b.hi};
  }
}

/// Returns the gap along an axis that persists on one side during the whole step; negative if none
/// does.
template <PairKind kind, auto axis, class T>
T lasting_gap(const PairOf<T>& pair) {
  const Range<T> s = gaps_along<kind, axis>(pair.start), e = gaps_along<kind, axis>(pair.end);
  return max(min(s.lo, e.lo), min(s.hi, e.hi));
}

/// Vectors of the tetrahedron of four points: two along the face, or along the two edges, and one
/// from the second feature to the first.
template <class T>
struct Tetrahedron {
  Vec3<T> u, v, w;
};
template <PairKind kind, class T>
Tetrahedron<T> tetrahedron_of(const std::array<Vec3<T>, 4>& p) {
  if constexpr (kind == PairKind::vertex_face) return {p[2] - p[1], p[3] - p[1], p[0] - p[1]};
  else return {p[1] - p[0], p[3] - p[2], p[0] - p[2]};
}

template <class T>
T largest(const Vec3<T>& a, const Vec3<T>& b) {
  return max(max(max(abs(a.x), abs(b.x)), max(abs(a.y), abs(b.y))), max(abs(a.z), abs(b.z)));
}
template <class T>
T sum_of_sizes(const Vec3<T>& a) {
  return abs(a.x) + abs(a.y) + abs(a.z);
}

}  // namespace filter

/// Returns true only if the features are farther apart than `separation` along a coordinate axis at
/// all times. The difference of two doubles errs by at most 2^-53 of its value, and not at all if
/// it is tiny. A gap that exceeds the separation at both ends also exceeds it between them.
template <PairKind kind, class T>
auto apart_along_axis(const PairOf<T>& pair, double separation) {
  using V = Vec3<T>;
  const T x = filter::lasting_gap<kind, &V::x>(pair), y = filter::lasting_gap<kind, &V::y>(pair),
          z = filter::lasting_gap<kind, &V::z>(pair);
  return filter::max(filter::max(x, y), z) > separation * (1 + 0x1p-50);
}

/// Returns true only if the features are proven farther apart than `separation` at all times: the
/// four points span a volume of constant sign, with a height above `separation`.
///
/// Proof: with n = u x v, the features have the distance w.n / |n| along n. Both w.n and the
/// components of n are polynomials of time, which lie between their Bernstein coefficients. Let U,
/// V, W bound the components of u, v, w, and let e = 2^-53. The vectors err by e of their size. The
/// components of n err by 5e of the sizes of their terms, which are at most 4UV for twice the
/// middle coefficient. The coefficients of w.n err by 12e of 6UVW, which is less than 2^-46 UVW.
/// Underflow adds at most 2^-1060 (W + 1). If anything overflows, the slack does so first, and no
/// coefficient exceeds it then.
template <PairKind kind, class T>
auto never_coplanar(const PairOf<T>& pair, double separation) {
  using filter::largest, filter::max, filter::min, filter::sum_of_sizes;
  const auto [u0, v0, w0] = filter::tetrahedron_of<kind>(pair.start);
  const auto [u1, v1, w1] = filter::tetrahedron_of<kind>(pair.end);
  const Vec3<T> n0 = cross(u0, v0), n1 = cross(u0, v1) + cross(u1, v0), n2 = cross(u1, v1);
  const T c0 = dot(w0, n0), c3 = dot(w1, n2);
  const T c1 = (dot(w1, n0) + dot(w0, n1)) * (1.0 / 3);
  const T c2 = (dot(w1, n1) + dot(w0, n2)) * (1.0 / 3);
  const T area = largest(u0, u1) * 32.0 * largest(v0, v1), reach = largest(w0, w1);
  T slack = area * reach * 0x1p-51 + (reach + 1.0) * tiny;
  if (separation > 0) {
    const T longest = max(max(sum_of_sizes(n0), sum_of_sizes(n2)), sum_of_sizes(n1) * 0.5);
    slack = slack + (longest + (area * 0x1p-50 + tiny)) * (separation * (1 + 0x1p-40)) + tiny;
  }
  return (min(min(c0, c3), min(c1, c2)) > slack) | (max(max(c0, c3), max(c1, c2)) < -slack);
}

}  // namespace toccata
