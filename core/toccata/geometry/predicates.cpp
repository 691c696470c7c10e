// Exact predicates by floating-point filters and expansions of doubles (Shewchuk 1997).
#include "toccata/geometry/predicates.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "toccata/math/twofold.hpp"

namespace toccata {
namespace {

/// A number as an exact sum of doubles, called an expansion. Each term is smaller than the last
/// digit of the next term, so the last term has the sign of the sum.
class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const double y = terms_[i], sum = x + y, part = sum - x;
      const double rest = (x - (sum - part)) + (y - part);
      if (rest != 0) terms_[kept++] = rest;
      x = sum;
    }
    assert(kept < terms_.size());
    if (x != 0) terms_[kept++] = x;
    count_ = kept;
  }

  int sign() const { return count_ == 0 ? 0 : terms_[count_ - 1] > 0 ? 1 : -1; }

 private:
  // The capacity is the number of added terms: six products of three differences with two terms
  // each, in four terms.
  std::array<double, 6 * 8 * 4> terms_;
  std::size_t count_ = 0;
};

/// A value and its rounding error.
using Two = std::array<double, 2>;

Two difference(double a, double b) {
  const auto [value, rest] = exact_sum(a, -b);
  return {value, rest};
}
Two product(double a, double b) {
  const auto [value, rest] = exact_product(a, b);
  return {value, rest};
}

void add_product(ExactSum& sum, const Two& a, const Two& b, const Two& c, double sign) {
  for (const double x : a)
    for (const double y : b)
      for (const double z : c)
        for (const double xy : product(x, y))
          for (const double xyz : product(xy, sign * z)) sum.add(xyz);
}

using Differences = std::array<Two, 3>;

Differences differences(const Vec3d& to, const Vec3d& from) {
  return {difference(to.x, from.x), difference(to.y, from.y), difference(to.z, from.z)};
}

int exact_sign(const Differences& a, const Differences& b, const Differences& c) {
  ExactSum volume;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    add_product(volume, a[i], b[j], c[k], 1);
    add_product(volume, a[i], b[k], c[j], -1);
  }
  return volume.sign();
}

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// Returns whether p + e is strictly between the smallest and the largest of three coordinates, for
/// an arbitrarily small e > 0.
bool between(double p, double a, double b, double c) {
  return std::min({a, b, c}) <= p && p < std::max({a, b, c});
}

/// Returns 1 if the path from a to b is counterclockwise about p in the plane of y and z, -1 if
/// clockwise. If p is on their line, decides for p + (e, e^2) with an arbitrarily small e > 0, by
/// the first derivative of the determinant that is not zero. The two tests of an edge, for its two
/// faces, agree.
int turn(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const double size = std::max(
      {std::abs(a.y - p.y), std::abs(a.z - p.z), std::abs(b.y - p.y), std::abs(b.z - p.z)});
  // With a vector along the x axis, as long as the others, the volume has the sign of the area.
  const int side = orientation({0, p.y, p.z}, {0, a.y, a.z}, {0, b.y, b.z}, {size, p.y, p.z});
  if (side != 0) return side;
  return a.z != b.z ? sign(a.z - b.z) : sign(b.y - a.y);
}

}  // namespace

int orientation(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double size = std::max({largest(a - p), largest(b - p), largest(c - p)});
  if (size == 0) return 0;
  // Scales by a power of two, which does not round. At size 1, volumes neither underflow nor
  // overflow.
  const double scale = scale_for(size);
  const Vec3d o = p * scale, x = a * scale, y = b * scale, z = c * scale;
  const Vec3d u = x - o, v = y - o, w = z - o;
  const double volume = dot(u, cross(v, w));
  // A determinant of rounded differences errs by less than 2^-47 times the product of the lengths.
  if (std::abs(volume) > 0x1p-47 * norm(u) * norm(v) * norm(w)) return volume > 0 ? 1 : -1;
  return exact_sign(differences(x, o), differences(y, o), differences(z, o));
}

int crossing(const Triangle& triangle, const Vec3d& p) {
  const auto& [a, b, c] = triangle.corner;
  if (!between(p.y, a.y, b.y, c.y) || !between(p.z, a.z, b.z, c.z)) return 0;
  if (std::max({a.x, b.x, c.x}) <= p.x) return 0;
  const int side = turn(p, a, b);
  if (side != turn(p, b, c) || side != turn(p, c, a)) return 0;
  // Proves that the sign of the volume decides. The point of the triangle at p + s (1, 0, 0) is a
  // weighted mean of its corners with weights w >= 0. Hence w_a det(a - p, b - p, c - p) = s
  // det((1, 0, 0), b - p, c - p), and likewise for b and c: the volume has the sign of s times
  // `side`. It is zero only if p is on the triangle.
  return orientation(p, a, b, c) == side ? side : 0;
}

bool is_near(const Triangle& triangle, const Vec3d& p, double distance) {
  const auto& [a, b, c] = triangle.corner;
  const Vec3d u = a - p, v = b - p, w = c - p;
  const double size = std::max({largest(u), largest(v), largest(w)});
  if (size == 0) return true;
  // Scales by a power of two. Squares of scaled lengths neither underflow nor overflow.
  const double scale = scale_for(size);
  return norm(closest_point({{u * scale, v * scale, w * scale}}, {0, 0, 0})) <= distance * scale;
}

}  // namespace toccata
