#include "toccata/bvh/volume.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "toccata/geometry/box.hpp"

namespace toccata {
namespace {

float round_up(double x) {
  return static_cast<float>(x) * (1 + 0x1p-22f) + std::numeric_limits<float>::min();
}

// Not inlined: GCC 12's vectorizer folds a conversion to float and back into nothing, which would
// fit volumes to axes and centers that are not the stored ones (and differ from build to build).
[[gnu::noinline]] Vec3f rounded(const Vec3d& v) { return to_float(v); }

/// Symmetric 3 x 3 matrix.
struct Moments {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  void add(const Vec3d& v, double weight) {
    xx += weight * v.x * v.x, yy += weight * v.y * v.y, zz += weight * v.z * v.z;
    xy += weight * v.x * v.y, xz += weight * v.x * v.z, yz += weight * v.y * v.z;
  }
};

/// Eigenvectors by Jacobi rotations: exact orthogonality matters more here than speed.
Mat3d eigenvectors(const Moments& m) {
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

/// Axes of one triangle: its longest edge, and its normal last.
Mat3d triangle_axes(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  Vec3d x = b - a;
  for (const Vec3d& edge : {c - b, a - c})
    if (norm2(edge) > norm2(x)) x = edge;
  if (!(norm2(x) > 0)) return identity3;
  x = x * (1 / norm(x));
  Vec3d z = cross(b - a, c - a);
  if (!(norm2(z) > 0)) z = cross(x, std::abs(x.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
  z = z - x * dot(x, z);
  z = z * (1 / norm(z));
  return {x, cross(z, x), z};
}

/// The ranges of the points along the axes.
Box local_box(std::span<const Vec3d> points, const Mat3d& axes) {
  Box box;
  for (const Vec3d& p : points) extend(box, transposed_times(axes, p));
  return box;
}

double distance_to_rectangle(const Vec3d& p, double half_x, double half_y) {
  const double x = std::max(std::abs(p.x) - half_x, 0.0), y = std::max(std::abs(p.y) - half_y, 0.0);
  return std::sqrt(x * x + y * y + p.z * p.z);
}

/// Volume of the sphere swept over a rectangle of the given half sizes.
double swept_size(double x, double y, double r) {
  constexpr double pi = 3.14159265358979323846;
  return 8 * x * y * r + 2 * pi * (x + y) * r * r + 4.0 / 3 * pi * r * r * r;
}

}  // namespace

Mat3d fit_axes(std::span<const Vec3d> corners) {
  if (corners.size() == 3) return triangle_axes(corners[0], corners[1], corners[2]);
  Vec3d mean{0, 0, 0};
  double area = 0;
  // Degenerate triangles have no area but must count: a little of the edges' squared length.
  const auto weight = [](const Vec3d* c) {
    return norm(cross(c[1] - c[0], c[2] - c[0])) +
           1e-6 * (norm2(c[1] - c[0]) + norm2(c[2] - c[0])) + std::numeric_limits<double>::min();
  };
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    const Vec3d* c = &corners[i];
    const double w = weight(c);
    mean = mean + (c[0] + c[1] + c[2]) * (w / 3);
    area += w;
  }
  mean = mean * (1 / area);
  Moments moments;
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    const Vec3d* c = &corners[i];
    // Second moments of a triangle: 9/12 of its centroid's and 1/12 of each corner's.
    const double w = weight(c) / 12;
    moments.add((c[0] + c[1] + c[2]) * (1.0 / 3) - mean, 9 * w);
    for (int k = 0; k < 3; ++k) moments.add(c[k] - mean, w);
  }
  return eigenvectors(moments);
}

FittedVolumes fit_volumes(std::span<const Vec3d> points, const Mat3d& given) {
  // Longest axis first, shortest last: the rectangle of a swept sphere lies across the last.
  Vec3d axis[3] = {given.x, given.y, given.z};
  Box box = local_box(points, given);
  double range[3] = {box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z};
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 1}})
    if (range[i] < range[j]) std::swap(range[i], range[j]), std::swap(axis[i], axis[j]);
  const Mat3f axes{rounded(axis[0]), rounded(axis[1]), rounded(axis[2])};

  // From here on the rounded axes and center are the exact ones.
  const Mat3d frame{to_double(axes.x), to_double(axes.y), to_double(axes.z)};
  box = local_box(points, frame);
  const Vec3f mid = rounded(frame * center(box));
  const Vec3d origin = to_double(mid);
  double reach2 = 0, ball2 = 0;
  Vec3d half{0, 0, 0};
  for (const Vec3d& p : points) {
    const Vec3d q = transposed_times(frame, p - origin);
    half = {std::max(half.x, std::abs(q.x)), std::max(half.y, std::abs(q.y)),
            std::max(half.z, std::abs(q.z))};
    reach2 = std::max(reach2, norm2(p - origin));
    ball2 = std::max(ball2, q.y * q.y + q.z * q.z);
  }
  const double reach = std::sqrt(reach2);
  // Float axes are orthonormal to 2^-22: a point differs from the sum of its projections by at most
  // 2^-21 of its distance. Points computed in double err far less.
  const double margin = 0x1p-20 * reach;

  // A rectangle within which the thickest part reaches `half.z`; what sticks out widens the radius.
  double x_lo = 0, x_hi = 0, y_lo = 0, y_hi = 0;
  for (const Vec3d& p : points) {
    const Vec3d q = transposed_times(frame, p - origin);
    const double cap = std::sqrt(std::max(0.0, half.z * half.z - q.z * q.z));
    x_lo = std::min(x_lo, q.x + cap), x_hi = std::max(x_hi, q.x - cap);
    y_lo = std::min(y_lo, q.y + cap), y_hi = std::max(y_hi, q.y - cap);
  }
  const double rect_x = std::max(-x_lo, x_hi), rect_y = std::max(-y_lo, y_hi);
  const double line_radius = std::sqrt(ball2);
  double line_x = 0;
  for (const Vec3d& p : points) {
    const Vec3d q = transposed_times(frame, p - origin);
    const double cap = std::sqrt(std::max(0.0, ball2 - q.y * q.y - q.z * q.z));
    line_x = std::max(line_x, std::abs(q.x) - cap);
  }
  double rect_radius = 0;
  for (const Vec3d& p : points)
    rect_radius = std::max(rect_radius, distance_to_rectangle(
                                            transposed_times(frame, p - origin), rect_x, rect_y));

  struct Candidate {
    double x, y, radius;
  };
  Candidate best{rect_x, rect_y, rect_radius};
  for (const Candidate& c : {Candidate{line_x, 0, line_radius}, Candidate{0, 0, reach}})
    if (swept_size(c.x, c.y, c.radius) < swept_size(best.x, best.y, best.radius)) best = c;

  FittedVolumes fitted;
  fitted.box = {axes, mid,
                {round_up(half.x + margin), round_up(half.y + margin), round_up(half.z + margin)},
                0};
  fitted.swept = {axes,
                  mid,
                  {static_cast<float>(best.x), static_cast<float>(best.y), 0},
                  round_up(best.radius + 2 * margin)};
  fitted.reach = round_up(reach);
  return fitted;
}

void widen(FittedVolumes& volumes, double margin) {
  // Float axes are orthonormal to 2^-22 only, as above.
  const float by = round_up(margin * (1 + 0x1p-20));
  Vec3f& half = volumes.box.half;
  half = {round_up(half.x + by), round_up(half.y + by), round_up(half.z + by)};
  volumes.swept.radius = round_up(volumes.swept.radius + by);
  volumes.reach = round_up(volumes.reach + by);
}

}  // namespace toccata
