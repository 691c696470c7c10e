// Interval evaluation of bicubic patches by polar forms, and bounds of their second derivatives.
#include "toccata/geometry/bicubic.hpp"

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

using Row = std::array<Vec3i, 4>;
using Weights = std::array<Interval, 4>;

Vec3i mix(const Vec3i& p, const Vec3i& q, Interval t) { return p * (1.0 - t) + q * t; }

/// Evaluates the polar form of a cubic, which is symmetric in r, s, t and affine in each. The curve
/// is its diagonal.
Vec3i blossom(const Row& p, double r, double s, double t) {
  const Vec3i a = mix(p[0], p[1], r), b = mix(p[1], p[2], r), c = mix(p[2], p[3], r);
  return mix(mix(a, b, s), mix(b, c, s), t);
}

/// Returns the control points of a cubic restricted to `range`. Their hull contains the curve.
Row restrict(const Row& p, Interval range) {
  const double a = range.lo, b = range.hi;
  return {blossom(p, a, a, a), blossom(p, a, a, b), blossom(p, a, b, b), blossom(p, b, b, b)};
}

Weights bernstein(double t) {
  const Interval x = t, y = 1.0 - x;
  return {y * y * y, 3.0 * (x * (y * y)), 3.0 * ((x * x) * y), x * x * x};
}

Vec3i join(const Vec3i& a, const Vec3i& b) {
  return {hull(a.x, b.x), hull(a.y, b.y), hull(a.z, b.z)};
}

/// Bounds the second derivative of a cubic: 6 times its longest second difference.
double bend_of(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double rounding = 0x1p-46 * (norm1(a) + norm1(b) + norm1(c));
  return 6 * norm(a - b * 2.0 + c) + rounding;
}

}  // namespace

BicubicPatch::BicubicPatch(const Net& control)
    : ParametricSurface({0, 1}, {0, 1}), control_(control), bend_{0, 0} {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      expects(is_finite(control[i][j]), "control_points", "expected finite numbers");
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 2; ++k) {
      bend_.u = std::max(bend_.u, bend_of(control[k][i], control[k + 1][i], control[k + 2][i]));
      bend_.v = std::max(bend_.v, bend_of(control[i][k], control[i][k + 1], control[i][k + 2]));
    }
}

Vec3i BicubicPatch::over(Interval u, Interval v) const {
  if (u.lo == u.hi && v.lo == v.hi) {
    const Weights at_u = bernstein(u.lo), at_v = bernstein(v.lo);
    Vec3i sum{};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) sum = sum + to_interval(control_[i][j]) * (at_u[i] * at_v[j]);
    return sum;
  }
  std::array<Row, 4> rows;
  for (int i = 0; i < 4; ++i) {
    Row row;
    for (int j = 0; j < 4; ++j) row[j] = to_interval(control_[i][j]);
    rows[i] = restrict(row, v);
  }
  Vec3i all{};
  for (int j = 0; j < 4; ++j) {
    const Row column = restrict({rows[0][j], rows[1][j], rows[2][j], rows[3][j]}, u);
    if (j == 0) all = column[0];
    for (const Vec3i& p : column) all = join(all, p);
  }
  return all;
}

}  // namespace toccata
