#include "toccata/geometry/sphere.hpp"

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

double checked(double radius) {
  expects(radius > 0 && std::isfinite(radius), "radius", "expected a positive finite number",
          radius);
  return radius;
}

/// A cube of half the given side, a little larger so that the surface does not touch its faces.
Box around(double half) {
  half *= 1 + 0x1p-10;
  return {{-half, -half, -half}, {half, half, half}};
}

}  // namespace

// Periods are rounded up: there is no gap at the seam.
Sphere::Sphere(double radius)
    : ParametricSurface({-pi_above, pi_above}, {-pi_above / 2, pi_above / 2}),
      radius_(checked(radius)) {}

Vec3i Sphere::over(Interval u, Interval v) const {
  const Interval ring = radius_ * cos(v);
  return {ring * cos(u), ring * sin(u), radius_ * sin(v)};
}

Bend Sphere::bend(Interval, Interval v) const { return {radius_ * magnitude(cos(v)), radius_}; }

ImplicitSphere::ImplicitSphere(double radius)
    : ImplicitSurface(around(radius)), radius_(checked(radius)) {}

Interval ImplicitSphere::value(const Vec3i& x) const {
  return square(x.x) + square(x.y) + square(x.z) - square(Interval{radius_});
}

Vec3i ImplicitSphere::gradient(const Vec3i& x) const { return {2.0 * x.x, 2.0 * x.y, 2.0 * x.z}; }

}  // namespace toccata
