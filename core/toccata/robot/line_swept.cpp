// Fitting of line-swept spheres to meshes (Redon et al. 2004, section 4.2.1).
#include "toccata/robot/robot.hpp"

#include <algorithm>
#include <cmath>

namespace toccata {
namespace {

/// Returns the vertices in use; for a curved surface, the corners of the box around it.
std::vector<Vec3d> points_of(const Mesh& mesh) {
  std::vector<Vec3d> points;
  if (!mesh.surface()) {
    std::vector<bool> used(mesh.vertices().size());
    for (const Face& face : mesh.faces())
      for (const Index v : face) used[v] = true;
    for (std::size_t v = 0; v < used.size(); ++v)
      if (used[v]) points.push_back(mesh.vertices()[v]);
    return points;
  }
  const Volume box = volume<VolumeKind::box>(mesh.bvh().nodes[0], 0);
  const Vec3d x = to_double(box.axes.x) * box.half.x, y = to_double(box.axes.y) * box.half.y;
  const Vec3d z = to_double(box.axes.z) * box.half.z;
  for (int i = 0; i < 8; ++i)
    points.push_back(mesh.center() + to_double(box.center) + x * (i & 1 ? 1 : -1) +
                     y * (i & 2 ? 1 : -1) + z * (i & 4 ? 1 : -1));
  return points;
}

/// Returns a point close to the axis of the smallest cylinder with the given direction, by steps of
/// falling length towards the farthest point (Badoiu and Clarkson).
Vec3d middle_line(std::span<const Vec3d> points, const Vec3d& axis, Vec3d middle) {
  for (int k = 1; k <= 24; ++k) {
    Vec3d farthest{0, 0, 0};
    for (const Vec3d& p : points)
      if (const Vec3d arm = perpendicular(p - middle, axis); norm2(arm) > norm2(farthest))
        farthest = arm;
    middle = middle + farthest * (1.0 / (k + 1));
  }
  return middle;
}

double distance(const Vec3d& p, const Vec3d& start, const Vec3d& end) {
  const Vec3d line = end - start;
  const double length2 = norm2(line);
  const double s = length2 > 0 ? std::clamp(dot(p - start, line) / length2, 0.0, 1.0) : 0.0;
  return norm(p - (start + line * s));
}

LineSwept fitted(std::span<const Vec3d> points, const Vec3d& axis, const Vec3d& center) {
  const Vec3d middle = middle_line(points, axis, center);
  double radius2 = 0;
  for (const Vec3d& p : points) radius2 = std::max(radius2, norm2(perpendicular(p - middle, axis)));
  // Finds the shortest segment with caps that still contain all points.
  double lo = INFINITY, hi = -INFINITY;
  for (const Vec3d& p : points) {
    const double cap = std::sqrt(std::max(radius2 - norm2(perpendicular(p - middle, axis)), 0.0));
    const double along = dot(axis, p - middle);
    lo = std::min(lo, along + cap);
    hi = std::max(hi, along - cap);
  }
  if (lo > hi) lo = hi = (lo + hi) / 2;
  LineSwept swept{middle + axis * lo, middle + axis * hi, 0};
  // The radius is computed from the final segment, so it covers the rounding above.
  for (const Vec3d& p : points)
    swept.radius = std::max(swept.radius, distance(p, swept.start, swept.end));
  return swept;
}

double size(const LineSwept& s) {
  return s.radius * s.radius * (norm(s.end - s.start) + 4.0 / 3 * s.radius);
}

}  // namespace

LineSwept line_swept_around(const Mesh& mesh) {
  const std::vector<Vec3d> points = points_of(mesh);
  const Volume box = volume<VolumeKind::box>(mesh.bvh().nodes[0], 0);
  const Vec3d center = mesh.center() + to_double(box.center);
  LineSwept best{center, center, INFINITY};
  for (const Vec3f& direction : {box.axes.x, box.axes.y, box.axes.z}) {
    const Vec3d axis = to_double(direction);
    const LineSwept swept = fitted(points, unit(axis), center);
    if (size(swept) < size(best)) best = swept;
  }
  // Points of the segment and corners of a surface's box have a few rounding errors, each of a few
  // times the reach at most.
  best.radius = best.radius * (1 + 0x1p-40) + 0x1p-45 * mesh.reach();
  return best;
}

}  // namespace toccata
