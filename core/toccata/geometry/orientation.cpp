#include "toccata/geometry/orientation.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "toccata/math/twofold.hpp"

namespace toccata {
namespace {

/// A number as a sum of doubles, exactly (Shewchuk 1997): each is smaller than the last digit of
/// the next one, so that the last has the sign of the sum.
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
  // As many as are added: six products of three differences with two terms each, in four terms.
  std::array<double, 6 * 8 * 4> terms_;
  std::size_t count_ = 0;
};

/// A value, and what rounding took from it.
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

double largest_coordinate(const Vec3d& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

}  // namespace

int orientation(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double size =
      std::max({largest_coordinate(a - p), largest_coordinate(b - p), largest_coordinate(c - p)});
  if (size == 0) return 0;
  // A power of two, so that nothing is rounded. At size 1, volumes neither vanish nor overflow.
  const double scale = std::ldexp(1.0, std::min(-std::ilogb(size), 1000));
  const Vec3d o = p * scale, x = a * scale, y = b * scale, z = c * scale;
  const Vec3d u = x - o, v = y - o, w = z - o;
  const double volume = dot(u, cross(v, w));
  // A determinant of rounded differences errs by less than 2^-47 of the product of the lengths.
  if (std::abs(volume) > 0x1p-47 * norm(u) * norm(v) * norm(w)) return volume > 0 ? 1 : -1;
  return exact_sign(differences(x, o), differences(y, o), differences(z, o));
}

}  // namespace toccata
