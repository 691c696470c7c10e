#include "toccata/geometry/crossing.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/geometry/orientation.hpp"

namespace toccata {
namespace {

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// Whether p + e is strictly between the least and the largest of three coordinates, for an
/// arbitrarily small e > 0.
bool between(double p, double a, double b, double c) {
  return std::min({a, b, c}) <= p && p < std::max({a, b, c});
}

/// In the plane of y and z: 1 if the way from a to b turns against the clock about p, -1 if with
/// it. If p is on their line, the same for p + (e, e^2) with an arbitrarily small e > 0: the first
/// derivative of the determinant that is not zero decides. The two tests of one edge by its two
/// faces agree.
int turn(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const double size = std::max(
      {std::abs(a.y - p.y), std::abs(a.z - p.z), std::abs(b.y - p.y), std::abs(b.z - p.z)});
  // A vector along the x axis, as long as the others, makes a volume of the area.
  const int side = orientation({0, p.y, p.z}, {0, a.y, a.z}, {0, b.y, b.z}, {size, p.y, p.z});
  if (side != 0) return side;
  return a.z != b.z ? sign(a.z - b.z) : sign(b.y - a.y);
}

double largest(const Vec3d& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

}  // namespace

int crossing(const Triangle& triangle, const Vec3d& p) {
  const auto& [a, b, c] = triangle.corner;
  if (!between(p.y, a.y, b.y, c.y) || !between(p.z, a.z, b.z, c.z)) return 0;
  if (std::max({a.x, b.x, c.x}) <= p.x) return 0;
  const int side = turn(p, a, b);
  if (side != turn(p, b, c) || side != turn(p, c, a)) return 0;
  // The point of the triangle at p + s (1, 0, 0) is a mean of its corners, with weights w >= 0.
  // Hence w_a det(a - p, b - p, c - p) = s det((1, 0, 0), b - p, c - p), and so on: the volume has
  // the sign of s times `side`. It is zero only if p is on the triangle.
  return orientation(p, a, b, c) == side ? side : 0;
}

bool is_near(const Triangle& triangle, const Vec3d& p, double distance) {
  const auto& [a, b, c] = triangle.corner;
  const Vec3d u = a - p, v = b - p, w = c - p;
  const double size = std::max({largest(u), largest(v), largest(w)});
  if (size == 0) return true;
  // A power of two: squares of lengths neither vanish nor overflow.
  const double scale = std::ldexp(1.0, std::min(-std::ilogb(size), 1000));
  return norm(closest_point({{u * scale, v * scale, w * scale}}, {0, 0, 0})) <= distance * scale;
}

}  // namespace toccata
