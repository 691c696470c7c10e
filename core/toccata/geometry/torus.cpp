// Interval evaluation of tori.
#include "toccata/geometry/torus.hpp"

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

void check(double major, double minor) {
  expects(major > 0 && std::isfinite(major), "major", "expected a positive finite number", major);
  expects(minor > 0 && minor < major, "minor", "expected a positive number less than major", minor);
}

/// Returns a box slightly larger than the torus, to keep the surface off its faces.
Box around(double major, double minor) {
  const double reach = (major + minor) * (1 + 0x1p-10), height = minor * (1 + 0x1p-10);
  return {{-reach, -reach, -height}, {reach, reach, height}};
}

Interval to_axis(const Vec3i& x) { return sqrt(square(x.x) + square(x.y)); }

/// Encloses x / r for |x| <= r.
Interval cosine(Interval x, Interval r) {
  if (!(r.lo > 0)) return {-1, 1};
  const double lo = x.lo / (x.lo < 0 ? r.lo : r.hi), hi = x.hi / (x.hi > 0 ? r.lo : r.hi);
  return {std::max(-1.0, below(lo)), std::min(1.0, above(hi))};
}

}  // namespace

// Periods are rounded up, so there is no gap at the seam.
Torus::Torus(double major, double minor)
    : ParametricSurface({-pi_above, pi_above}, {-pi_above, pi_above}),
      major_(major),
      minor_(minor) {
  check(major, minor);
}

Vec3i Torus::over(Interval u, Interval v) const {
  const Interval ring = major_ + minor_ * cos(v);
  return {ring * cos(u), ring * sin(u), minor_ * sin(v)};
}

Bend Torus::bend(Interval, Interval v) const {
  return {magnitude(major_ + minor_ * cos(v)), minor_};
}

ImplicitTorus::ImplicitTorus(double major, double minor)
    : ImplicitSurface(around(major, minor)), major_(major), minor_(minor) {
  check(major, minor);
}

Interval ImplicitTorus::value(const Vec3i& x) const {
  return square(to_axis(x) - major_) + square(x.z) - square(Interval{minor_});
}

Vec3i ImplicitTorus::gradient(const Vec3i& x) const {
  const Interval r = to_axis(x), outward = 2.0 * (r - major_);
  return {outward * cosine(x.x, r), outward * cosine(x.y, r), 2.0 * x.z};
}

}  // namespace toccata
