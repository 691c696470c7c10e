// Signs of volumes against integers, where they are zero and where one unit decides.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/geometry/predicates.hpp"

using namespace toccata;

namespace {

using Whole = __int128;
using Point = std::array<std::int64_t, 3>;

int exact_sign(const Point& p, const Point& a, const Point& b, const Point& c) {
  const auto d = [&p](const Point& q, int k) { return static_cast<Whole>(q[k] - p[k]); };
  Whole volume = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    volume += d(a, i) * (d(b, j) * d(c, k) - d(b, k) * d(c, j));
  }
  return volume == 0 ? 0 : volume > 0 ? 1 : -1;
}

Vec3d scaled(const Point& p, double scale) {
  return {static_cast<double>(p[0]) * scale, static_cast<double>(p[1]) * scale,
          static_cast<double>(p[2]) * scale};
}

}  // namespace

int main() {
  testing::Random random(31);
  int zero = 0, near = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::int64_t size = std::int64_t{1} << (2 + round % 33);
    const auto draw = [&] {
      const auto one = [&] {
        const double place = random.uniform(-1, 1) * static_cast<double>(size);
        return static_cast<std::int64_t>(std::floor(place));
      };
      return Point{one(), one(), one()};
    };
    const Point p = draw(), a = draw(), b = draw();
    // In the plane of the others, or one unit beside it.
    Point c;
    for (int k = 0; k < 3; ++k) c[k] = p[k] + 2 * (a[k] - p[k]) - 3 * (b[k] - p[k]);
    if (round % 3 != 0) c[round % 9 / 3] += round % 2 ? 1 : -1;
    const int truth = exact_sign(p, a, b, c);
    (truth == 0 ? zero : near) += 1;
    for (const int exponent : {0, 12, -60, -300, -900}) {
      const double scale = std::ldexp(1.0, exponent);
      const Vec3d o = scaled(p, scale), x = scaled(a, scale), y = scaled(b, scale),
                  z = scaled(c, scale);
      CHECK(orientation(o, x, y, z) == truth);
      CHECK(orientation(o, y, x, z) == -truth);
    }
  }
  CHECK(zero > 2'000 && near > 5'000);
  CHECK(orientation({1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}) == 0);
  CHECK(orientation({0, 0, 0}, {5e-324, 0, 0}, {0, 5e-324, 0}, {0, 0, 5e-324}) == 1);
}
