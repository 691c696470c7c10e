// Bounds for cells of parametric patches by their corners and second derivatives.
#include "toccata/geometry/parametric.hpp"

#include <cmath>

namespace toccata {
namespace {

/// Returns the largest distance of a point of the box from its middle.
double radius_of(const Vec3i& x) {
  return 0.5 * norm({width(x.x), width(x.y), width(x.z)}) * (1 + 0x1p-48);
}

/// Secant plane through the middle of a patch: leads towards the parameters of a given point.
class Secants {
 public:
  Secants(const Vec3d& along_u, const Vec3d& along_v)
      : u_(along_u), v_(along_v), uu_(norm2(u_)), vv_(norm2(v_)), uv_(dot(u_, v_)) {}

  /// Moves (u, v) within the ranges by the least-squares solution for the offset `miss`: first the
  /// free optimum, then each parameter with the other one clamped.
  void move(double& u, double& v, const Vec3d& miss, Interval range_u, Interval range_v) const {
    const double mu = dot(u_, miss), mv = dot(v_, miss), det = uu_ * vv_ - uv_ * uv_;
    const double du = det > 1e-12 * uu_ * vv_ ? (mu * vv_ - mv * uv_) / det : 0;
    const double new_v = vv_ > 0 ? clamp(v + (mv - uv_ * du) / vv_, range_v) : v;
    const double new_u = uu_ > 0 ? clamp(u + (mu - uv_ * (new_v - v)) / uu_, range_u) : u;
    u = new_u, v = new_v;
  }

 private:
  Vec3d u_, v_;
  double uu_, vv_, uv_;
};

}  // namespace

bool ParametricSurface::splits_along(const SurfaceCell& cell, int k) const {
  // Compares the terms that each parameter adds to the radius of the hull. Close to the pole of a
  // sphere, longitude adds almost nothing, and halving it would only multiply slivers.
  const Bend bends = bend(cell.range[0], cell.range[1]);
  const double du = width(cell.range[0]), dv = width(cell.range[1]);
  const double u = du * du * bends.u, v = dv * dv * bends.v;
  return (k == 0 ? u : v) >= 0.25 * std::max(u, v);
}

Box ParametricSurface::enclose(const SurfaceCell& cell) const {
  const Box natural = box_of(over(cell.range[0], cell.range[1]));
  const Bend bends = bend(cell.range[0], cell.range[1]);
  if (!std::isfinite(bends.u + bends.v)) return natural;
  return intersection(natural, box_of(corner_hull(cell)));
}

Hull ParametricSurface::hull(const SurfaceCell& cell) const {
  const Bend bends = bend(cell.range[0], cell.range[1]);
  if (std::isfinite(bends.u + bends.v)) return corner_hull(cell);
  return hull_of(box_of(over(cell.range[0], cell.range[1])));
}

Hull ParametricSurface::corner_hull(const SurfaceCell& cell) const {
  const Interval u = cell.range[0], v = cell.range[1];
  Hull hull;
  for (int i = 0; i < 4; ++i) {
    const Vec3i corner = over(i & 1 ? u.hi : u.lo, i & 2 ? v.hi : v.lo);
    hull.corner[i] = middle(corner);
    hull.radius = std::max(hull.radius, radius_of(corner));
  }
  // The bilinear patch through the corners lies in their hull. Linear interpolation over a length h
  // errs by at most h^2 / 8 times the second derivative, first in u, then in v.
  const Bend bends = bend(u, v);
  const double du = width(u), dv = width(v);
  hull.radius += (du * du * bends.u + dv * dv * bends.v) * (1 + 0x1p-40) / 8;
  return hull;
}

SurfacePoint ParametricSurface::at(double u, double v) const {
  const Vec3i found = over(u, v);
  return {middle(found), radius_of(found)};
}

SurfacePoint ParametricSurface::point(const SurfaceCell& cell, const Vec3d& near) const {
  const Interval range_u = cell.range[0], range_v = cell.range[1];
  double u = middle(range_u), v = middle(range_v);
  const auto position_at = [this](double s, double t) { return middle(over(s, t)); };
  const double du = width(range_u), dv = width(range_v);
  const Secants secants(
      (position_at(range_u.hi, v) - position_at(range_u.lo, v)) * (du > 0 ? 1 / du : 0),
      (position_at(u, range_v.hi) - position_at(u, range_v.lo)) * (dv > 0 ? 1 / dv : 0));
  Vec3i found = over(u, v);
  for (int step = 0; step < 3; ++step) {
    double s = u, t = v;
    secants.move(s, t, near - middle(found), range_u, range_v);
    const Vec3i next = over(s, t);
    if (!(norm2(near - middle(next)) < norm2(near - middle(found)))) break;
    u = s, v = t, found = next;
  }
  return {middle(found), radius_of(found)};
}

}  // namespace toccata
