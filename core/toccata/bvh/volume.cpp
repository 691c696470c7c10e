// Fitting of boxes and swept spheres to points, with certified containment.
#include "toccata/bvh/volume.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "toccata/geometry/box.hpp"

namespace toccata {
namespace {

float round_up(double x) {
  return static_cast<float>(x) * (1 + 0x1p-22f) + std::numeric_limits<float>::min();
}

// Not inlined: the vectorizer of GCC 12 removes a conversion to float and back. Volumes would then
// be fitted to axes and centers that differ from the stored ones, and from build to build.
[[gnu::noinline]] Vec3f rounded(const Vec3d& v) { return to_float(v); }

double distance_to_rectangle(const Vec3d& p, double half_x, double half_y) {
  const double x = std::max(std::abs(p.x) - half_x, 0.0), y = std::max(std::abs(p.y) - half_y, 0.0);
  return std::sqrt(x * x + y * y + p.z * p.z);
}

/// Returns the volume of a sphere swept over a rectangle with the given half sizes.
double swept_size(double x, double y, double r) {
  constexpr double pi = std::numbers::pi;
  return 8 * x * y * r + 2 * pi * (x + y) * r * r + 4.0 / 3 * pi * r * r * r;
}

}  // namespace

FittedVolumes fit_volumes(std::span<const Vec3d> points, const Mat3d& given) {
  // Sorts the axes from longest to shortest. The rectangle of a swept sphere is perpendicular to
  // the last.
  Vec3d axis[3] = {given.x, given.y, given.z};
  Box box = local_box(points, given);
  double range[3] = {box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z};
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 1}})
    if (range[i] < range[j]) std::swap(range[i], range[j]), std::swap(axis[i], axis[j]);
  const Mat3f axes{rounded(axis[0]), rounded(axis[1]), rounded(axis[2])};

  // From here on, the rounded axes and center are exact by definition.
  const Mat3d frame{to_double(axes.x), to_double(axes.y), to_double(axes.z)};
  box = local_box(points, frame);
  const Vec3f mid = rounded(frame * center(box));
  const Vec3d origin = to_double(mid);
  double reach2 = 0, ball2 = 0;
  Vec3d half{0, 0, 0};
  for (const Vec3d& p : points) {
    const Vec3d q = transposed_times(frame, p - origin);
    half = max(half, abs(q));
    reach2 = std::max(reach2, norm2(p - origin));
    ball2 = std::max(ball2, q.y * q.y + q.z * q.z);
  }
  const double reach = std::sqrt(reach2);
  // Float axes are orthonormal to 2^-22: a point differs from the sum of its projections by at most
  // 2^-21 of its distance. Points computed in double have far smaller errors.
  const double margin = 0x1p-20 * reach;

  // Fits a rectangle for a sphere of radius `half.z`. Points outside this volume widen the radius.
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
    rect_radius = std::max(
        rect_radius, distance_to_rectangle(transposed_times(frame, p - origin), rect_x, rect_y));

  struct Candidate {
    double x, y, radius;
  };
  Candidate best{rect_x, rect_y, rect_radius};
  for (const Candidate& c : {Candidate{line_x, 0, line_radius}, Candidate{0, 0, reach}})
    if (swept_size(c.x, c.y, c.radius) < swept_size(best.x, best.y, best.radius)) best = c;

  FittedVolumes fitted;
  fitted.box = {axes,
                mid,
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
  // As above, float axes are orthonormal only to 2^-22.
  const float by = round_up(margin * (1 + 0x1p-20));
  Vec3f& half = volumes.box.half;
  half = {round_up(half.x + by), round_up(half.y + by), round_up(half.z + by)};
  volumes.swept.radius = round_up(volumes.swept.radius + by);
  volumes.reach = round_up(volumes.reach + by);
}

}  // namespace toccata
