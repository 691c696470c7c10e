// Bounds for cells of implicit surfaces by the mean value form of f.
#include "toccata/geometry/implicit.hpp"

#include <cmath>

namespace toccata {
namespace {

Vec3i ranges(const SurfaceCell& cell) { return {cell.range[0], cell.range[1], cell.range[2]}; }

/// Returns half the width of each interval, from its middle, rounded up.
Vec3d halves(const Vec3i& x) {
  const auto half = [](Interval i) { return 0.5 * width(i) * (1 + 0x1p-50) + slack(magnitude(i)); };
  return {half(x.x), half(x.y), half(x.z)};
}

bool contains(const Vec3i& box, const Vec3d& p) {
  return toccata::contains(box.x, p.x) && toccata::contains(box.y, p.y) &&
         toccata::contains(box.z, p.z);
}

Vec3d clamp(const Vec3d& p, const Vec3i& box) {
  return {toccata::clamp(p.x, box.x), toccata::clamp(p.y, box.y), toccata::clamp(p.z, box.z)};
}

/// Computes two directions that form an orthonormal system with n.
void tangents(const Vec3d& n, Vec3d& s, Vec3d& t) {
  s = unit(perpendicular(far_axis(n), n));
  t = cross(n, s);
}

/// Mean value form: over the box, f(x) lies in value + slope . (x - middle) + [-spread, spread].
struct Linear {
  Vec3d middle{}, half{}, slope{};
  double spread = 0;
  Interval value;
  // If false, the gradient has no bound, and the other fields are meaningless.
  bool known = false;
};

Linear linearize(const ImplicitSurface& surface, const Vec3i& x) {
  const Vec3i gradient = surface.gradient(x);
  Linear f;
  f.middle = middle(x), f.half = halves(x), f.slope = middle(gradient);
  f.spread = dot(halves(gradient), f.half) * (1 + 0x1p-40);
  f.known = is_finite(f.slope) && std::isfinite(f.spread);
  if (f.known) f.value = surface.value(to_interval(f.middle));
  return f;
}

}  // namespace

bool ImplicitSurface::empty(const SurfaceCell& cell) const {
  const Vec3i x = ranges(cell);
  if (!toccata::contains(value(x), 0)) return true;
  const Linear f = linearize(*this, x);
  const double reach = (dot(abs(f.slope), f.half) + f.spread) * (1 + 0x1p-40);
  return f.known && (f.value.lo > reach || f.value.hi < -reach);
}

/// Solves the mean value form for each coordinate in turn.
SurfaceCell ImplicitSurface::tightened(const SurfaceCell& cell) const {
  const Linear f = linearize(*this, ranges(cell));
  if (!f.known) return cell;
  const double slope[3] = {f.slope.x, f.slope.y, f.slope.z};
  const double half[3] = {f.half.x, f.half.y, f.half.z},
               mid[3] = {f.middle.x, f.middle.y, f.middle.z};
  const double reach = (dot(abs(f.slope), f.half) + f.spread) * (1 + 0x1p-40);
  SurfaceCell result = cell;
  for (int k = 0; k < 3; ++k) {
    // slope_k (x_k - middle_k) is -value, up to the terms of the other coordinates and the spread.
    const double others = (reach - std::abs(slope[k]) * half[k]) * (1 + 0x1p-40) + 0x1p-48 * reach;
    const double lo = -(f.value.hi + others) / slope[k], hi = -(f.value.lo - others) / slope[k];
    const double margin = 0x1p-46 * (std::abs(mid[k]) + half[k]);
    const Interval found{mid[k] + std::min(lo, hi) - margin, mid[k] + std::max(lo, hi) + margin};
    Interval& range = result.range[k];
    // Comparisons with NaN, from a slope of 0, leave the range unchanged.
    if (found.lo > range.lo && found.lo <= range.hi) range.lo = found.lo;
    if (found.hi < range.hi && found.hi >= range.lo) range.hi = found.hi;
  }
  return result;
}

bool ImplicitSurface::splits_along(const SurfaceCell& cell, int k) const {
  double widest = 0;
  for (const Interval& range : cell.range) widest = std::max(widest, width(range));
  return width(cell.range[k]) > 0.5 * widest;
}

Box ImplicitSurface::enclose(const SurfaceCell& cell) const {
  return intersection(box_of(ranges(cell)), toccata::box_of(hull(cell)));
}

Hull ImplicitSurface::hull(const SurfaceCell& cell) const {
  const Vec3i x = ranges(cell);
  const Hull box = hull_of(box_of(x));
  const Linear f = linearize(*this, x);
  const double length = norm(f.slope);
  const double thickness = (f.spread + 0.5 * width(f.value)) / length * (1 + 0x1p-40);
  if (!f.known || !(thickness < box.radius)) return box;  // fails also if the slope is 0
  // Within the box the surface lies between two planes perpendicular to the slope. A rectangle on
  // their middle plane contains the projection of the box.
  const Vec3d n = f.slope * (1 / length);
  Vec3d s, t;
  tangents(n, s, t);
  const Vec3d mid = f.middle - n * (middle(f.value) / length);
  s = s * (dot(abs(s), f.half) * (1 + 0x1p-40));
  t = t * (dot(abs(t), f.half) * (1 + 0x1p-40));
  const double rounding = 0x1p-46 * (norm1(f.middle) + norm1(f.half));
  return {{mid - s - t, mid + s - t, mid - s + t, mid + s + t}, thickness + rounding};
}

/// Returns the gradient, or differences over a small fraction of the cell if it is unknown. The
/// slope only directs the search; no bound depends on it.
Vec3d ImplicitSurface::slope(const Vec3d& x, const SurfaceCell& cell) const {
  const Vec3d known = middle(gradient(to_interval(x)));
  if (is_finite(known)) return known;
  const Vec3d step = halves(ranges(cell)) * 0x1p-6;
  const auto difference = [&](const Vec3d& d, double length) {
    return (middle(value(to_interval(x + d))) - middle(value(to_interval(x - d)))) / (2 * length);
  };
  return {difference({step.x, 0, 0}, step.x), difference({0, step.y, 0}, step.y),
          difference({0, 0, step.z}, step.z)};
}

/// Returns a distance of at least `reach` within which f is proven to change sign along the normal,
/// inside the domain. Returns `unknown` if it finds none below `most`.
double ImplicitSurface::certify(const Vec3d& x, const Vec3d& normal, double reach,
                                double most) const {
  for (; reach < most; reach *= 16) {
    const Vec3d up = x + normal * reach, down = x - normal * reach;
    if (!contains(ranges(whole_), up) || !contains(ranges(whole_), down)) return unknown;
    const Interval above = value(to_interval(up)), below = value(to_interval(down));
    if ((below.hi < 0 && above.lo > 0) || (below.lo > 0 && above.hi < 0))
      return reach * (1 + 0x1p-40);
  }
  return unknown;
}

SurfacePoint ImplicitSurface::point(const SurfaceCell& cell, const Vec3d& near) const {
  const Vec3i box = ranges(cell);
  const double size = norm1(halves(box));
  Vec3d x = clamp(near, box);
  // All steps use one slope: it hardly changes on a small cell, and functions of users are slow.
  const Vec3d g = slope(x, cell);
  const double g2 = norm2(g);
  if (!(g2 > 0)) return {x, unknown};
  double last = size;
  for (int step = 0; step < 6 && last > 0x1p-24 * size; ++step) {
    const Vec3d move = g * (middle(value(to_interval(x))) / g2);
    x = x - move;
    last = norm1(move);
  }
  if (!is_finite(x)) return {middle(box), unknown};
  const Vec3d outside = abs(x - middle(box)) - halves(box) * 2.0;
  if (std::max({outside.x, outside.y, outside.z}) > 0) return {x, unknown};
  const double reach = std::max(0x1p-44 * (norm1(x) + size), 0x1p-6 * last);
  return {x, certify(x, g * (1 / std::sqrt(g2)), reach, size)};
}

}  // namespace toccata
