// Axes for oriented boxes: principal axes of the surface, improved by rotations.
#include "toccata/bvh/volume.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "toccata/geometry/box.hpp"
#include "toccata/math/quad.hpp"

namespace toccata {
namespace {

/// Covariance of a surface: a symmetric 3 x 3 matrix.
struct Covariance {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  void add(const Vec3d& v, double weight) {
    xx += weight * v.x * v.x, yy += weight * v.y * v.y, zz += weight * v.z * v.z;
    xy += weight * v.x * v.y, xz += weight * v.x * v.z, yz += weight * v.y * v.z;
  }
};

/// Computes eigenvectors by Jacobi rotations, which keep them orthogonal. Speed matters less here.
Mat3d eigenvectors(const Covariance& m) {
  double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 8; ++sweep) {
    for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
      const double off = a[p][q];
      if (!(std::abs(off) > 1e-12 * (std::abs(a[p][p]) + std::abs(a[q][q])))) continue;
      const double theta = (a[q][q] - a[p][p]) / (2 * off);
      const double t = std::copysign(1 / (std::abs(theta) + std::sqrt(theta * theta + 1)), theta);
      const double c = 1 / std::sqrt(t * t + 1), s = t * c;
      for (int k = 0; k < 3; ++k) {
        const double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
      }
      for (int k = 0; k < 3; ++k) {
        const double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        const double vx = v[k][p], vy = v[k][q];
        v[k][p] = c * vx - s * vy, v[k][q] = s * vx + c * vy;
      }
    }
  }
  return {{v[0][0], v[1][0], v[2][0]}, {v[0][1], v[1][1], v[2][1]}, {v[0][2], v[1][2], v[2][2]}};
}

/// Returns the axes of one triangle: its longest edge first, its normal last.
Mat3d triangle_axes(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  Vec3d x = b - a;
  for (const Vec3d& edge : {c - b, a - c})
    if (norm2(edge) > norm2(x)) x = edge;
  if (!(norm2(x) > 0)) return identity3;
  x = unit(x);
  Vec3d z = cross(b - a, c - a);
  if (!(norm2(z) > 0)) z = cross(x, std::abs(x.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
  z = unit(perpendicular(z, x));
  return {x, cross(z, x), z};
}

/// Returns the eigenvectors of the area-weighted covariance of triangles.
Mat3d principal_axes(std::span<const Vec3d> corners) {
  Vec3d mean{0, 0, 0};
  double area = 0;
  // Degenerate triangles have no area, but must count: adds a small multiple of the edges' squared
  // lengths.
  const auto weight = [](const Vec3d* c) {
    return norm(cross(c[1] - c[0], c[2] - c[0])) +
           1e-6 * (norm2(c[1] - c[0]) + norm2(c[2] - c[0])) + tiny;
  };
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    const Vec3d* c = &corners[i];
    const double w = weight(c);
    mean = mean + (c[0] + c[1] + c[2]) * (w / 3);
    area += w;
  }
  mean = mean * (1 / area);
  Covariance covariance;
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    const Vec3d* c = &corners[i];
    // The covariance of a triangle is 9/12 from its centroid and 1/12 from each corner.
    const double w = weight(c) / 12;
    covariance.add((c[0] + c[1] + c[2]) * (1.0 / 3) - mean, 9 * w);
    for (int k = 0; k < 3; ++k) covariance.add(c[k] - mean, w);
  }
  return eigenvectors(covariance);
}

/// A sample of points in the coordinates of three axes, which are rotated pairwise.
class RotatedBox {
 public:
  RotatedBox(std::span<const Vec3d> points, const Mat3d& axes) : axes_{axes.x, axes.y, axes.z} {
    const std::size_t stride = (points.size() + most_points - 1) / most_points;
    std::size_t count = 0;
    for (std::size_t i = 0; i < points.size(); i += stride, ++count)
      for (int k = 0; k < 3; ++k) where_[k][count / 4].set(count % 4, dot(axes_[k], points[i]));
    quads_ = (count + 3) / 4;
    for (; count < 4 * quads_; ++count)
      for (int k = 0; k < 3; ++k) where_[k][count / 4].set(count % 4, where_[k][0][0]);
    for (int k = 0; k < 3; ++k) extent_[k] = extent(k, 1, k, 0);
  }

  /// Rotates axes i and j by the angle with the given cosine and sine, if that shrinks the box.
  void try_turn(int i, int j, double c, double s) {
    const double along_i = extent(i, c, j, s), along_j = extent(j, c, i, -s);
    const double rest = extent_[3 - i - j];
    // Requires a reduction by 0.1 %, because rounding alone must not cause a rotation.
    if (!(half_area({along_i, along_j, rest}) < 0.999 * half_area({extent_[i], extent_[j], rest})))
      return;
    extent_[i] = along_i, extent_[j] = along_j;
    const Vec3d axis_i = axes_[i], axis_j = axes_[j];
    axes_[i] = axis_i * c + axis_j * s, axes_[j] = axis_j * c - axis_i * s;
    for (std::size_t q = 0; q < quads_; ++q) {
      const Quad x = where_[i][q], y = where_[j][q];
      where_[i][q] = c * x + s * y, where_[j][q] = c * y - s * x;
    }
  }

  Mat3d axes() const { return {axes_[0], axes_[1], axes_[2]}; }

 private:
  static constexpr std::size_t most_points = 192;

  /// Returns the extent along c times axis i plus s times axis j.
  double extent(int i, double c, int j, double s) const {
    Quad lo = c * where_[i][0] + s * where_[j][0], hi = lo;
    for (std::size_t q = 1; q < quads_; ++q) {
      const Quad x = c * where_[i][q] + s * where_[j][q];
      lo = min(lo, x), hi = max(hi, x);
    }
    return largest_of(hi) - least_of(lo);
  }

  std::array<Vec3d, 3> axes_;
  std::array<double, 3> extent_;
  std::array<std::array<Quad, most_points / 4>, 3> where_;
  std::size_t quads_;
};

}  // namespace

Mat3d fit_axes(std::span<const Vec3d> corners) {
  if (corners.size() == 3) return triangle_axes(corners[0], corners[1], corners[2]);
  RotatedBox box(corners, principal_axes(corners));
  // Starts with large angles: the covariance of a thin or lopsided set can be far from the best
  // axes.
  for (double angle = 0.4; angle > 0.01; angle /= 2) {
    const double c = std::cos(angle), s = std::sin(angle);
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
      box.try_turn(i, j, c, s);
      box.try_turn(i, j, c, -s);
    }
  }
  return box.axes();
}

}  // namespace toccata
