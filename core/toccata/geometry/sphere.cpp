// Interval evaluation of spheres, and tight hulls of their cells.
#include "toccata/geometry/sphere.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

double checked(double radius) {
  expects(radius > 0 && std::isfinite(radius), "radius", "expected a positive finite number",
          radius);
  return radius;
}

/// Returns a cube with sides of 2 `half`, slightly enlarged to keep the surface off its faces.
Box around(double half) {
  half *= 1 + 0x1p-10;
  return {{-half, -half, -half}, {half, half, half}};
}

}  // namespace

// Periods are rounded up, so there is no gap at the seam.
Sphere::Sphere(double radius)
    : ParametricSurface({-pi_above, pi_above}, {-pi_above / 2, pi_above / 2}),
      radius_(checked(radius)) {}

Vec3i Sphere::over(Interval u, Interval v) const {
  const Interval ring = radius_ * cos(v);
  return {ring * cos(u), ring * sin(u), radius_ * sin(v)};
}

Bend Sphere::bend(Interval, Interval v) const { return {radius_ * magnitude(cos(v)), radius_}; }

/// Halves the longer side of a cell, and also the other side if it is not much shorter.
bool Sphere::splits_along(const SurfaceCell& cell, int k) const {
  const double du = width(cell.range[0]) * magnitude(cos(cell.range[1]));
  const double dv = width(cell.range[1]);
  return (k == 0 ? du : dv) >= 0.5 * std::max(du, dv);
}

/// Bounds a cell by a rectangle in the tangent directions at its middle. Let s be the longitude
/// relative to the middle, and w the latitude of the middle. A point of the unit sphere is at
///   cos(v - w) - cos(v) cos(w) (1 - cos(s))   along the normal of the middle,
///   sin(v - w) + cos(v) sin(w) (1 - cos(s))   to the north, and
///   cos(v) sin(s)                             to the east.
/// This rectangle is as tight close to a pole as elsewhere. The patch through the corners is not:
/// close to a pole it follows the chords of parallels.
Hull Sphere::hull(const SurfaceCell& cell) const {
  const Hull patch = ParametricSurface::hull(cell);
  const double u = middle(cell.range[0]), w = middle(cell.range[1]);
  const double half_u = 0.5 * width(cell.range[0]), half_v = 0.5 * width(cell.range[1]);
  if (!(half_u < pi_above / 2)) return patch;
  const double ring = magnitude(cos(cell.range[1])), half_sine = std::sin(half_u / 2);
  const double bow = ring * 2 * half_sine * half_sine;
  const double low = std::cos(half_v) - std::cos(w) * bow, east = ring * std::sin(half_u);
  // Functions and products of numbers up to 1 have fewer than 16 rounding errors.
  const double thick = 0.5 * (1 - low) + 0x1p-48;
  if (!(radius_ * thick < patch.radius)) return patch;
  const double lift = std::sin(w) * bow, side = std::sin(half_v);
  const double south = std::min(lift, 0.0) - side, north = std::max(lift, 0.0) + side;
  const Vec3d out{std::cos(w) * std::cos(u), std::cos(w) * std::sin(u), std::sin(w)};
  const Vec3d to_east{-std::sin(u), std::cos(u), 0};
  const Vec3d to_north{-std::sin(w) * std::cos(u), -std::sin(w) * std::sin(u), std::cos(w)};
  Hull hull{{}, radius_ * thick};
  for (int i = 0; i < 4; ++i)
    hull.corner[i] = (out * (0.5 * (1 + low)) + to_east * (i & 1 ? east : -east) +
                      to_north * (i & 2 ? north : south)) *
                     radius_;
  return hull;
}

SurfacePoint Sphere::point(const SurfaceCell& cell, const Vec3d& near) const {
  const Interval along = cell.range[0];
  double u = std::atan2(near.y, near.x);
  if (!contains(along, u))
    u = std::cos(u - along.lo) > std::cos(u - along.hi) ? along.lo : along.hi;
  const double out = near.x * std::cos(u) + near.y * std::sin(u);
  return at(u, clamp(std::atan2(near.z, out), cell.range[1]));
}

ImplicitSphere::ImplicitSphere(double radius)
    : ImplicitSurface(around(radius)), radius_(checked(radius)) {}

Interval ImplicitSphere::value(const Vec3i& x) const {
  return square(x.x) + square(x.y) + square(x.z) - square(Interval{radius_});
}

Vec3i ImplicitSphere::gradient(const Vec3i& x) const { return {2.0 * x.x, 2.0 * x.y, 2.0 * x.z}; }

}  // namespace toccata
