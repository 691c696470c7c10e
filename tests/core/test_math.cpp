// Intervals enclose, rotations agree with each other.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/math/interval.hpp"

using namespace toccata;

namespace {

/// Operations on points of intervals stay inside the interval result; long double is the judge.
void intervals_enclose() {
  testing::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double scale = std::exp(random.uniform(-30, 30));
    const auto interval = [&] {
      const double x = random.uniform(-scale, scale), y = random.uniform(-scale, scale);
      return Interval{std::min(x, y), std::max(x, y)};
    };
    const Interval a = interval(), b = interval();
    const long double x = random.uniform(a.lo, a.hi), y = random.uniform(b.lo, b.hi);
    const auto inside = [](Interval r, long double v) { return r.lo <= v && v <= r.hi; };
    CHECK(inside(a + b, x + y));
    CHECK(inside(a - b, x - y));
    CHECK(inside(a * b, x * y));
    CHECK(inside(square(a), x * x));
    CHECK(inside(abs(a), std::fabs(x)));
    CHECK(inside(sqrt(abs(a)), std::sqrt(std::fabs(x))));
    CHECK(inside(cos(a), std::cos(x)));
    CHECK(inside(sin(a), std::sin(x)));
  }
}

void trigonometry_is_tight() {
  const Interval c = cos(Interval{0.1, 0.2}), s = sin(Interval{1.5, 1.7});
  CHECK(width(c) < 0.0152 && s.hi >= 1 && s.lo > 0.99);
  CHECK(cos(Interval{3, 3.3}).lo == -1 && cos(Interval{6, 6.5}).hi == 1);
}

void rotations_round_trip() {
  testing::Random random(2);
  for (int i = 0; i < 2000; ++i) {
    Vec3d v = random.point(1);
    // Angles up to half a turn, tiny ones and those next to half a turn included.
    const double angles[] = {random.uniform(0, 3.14159), 1e-12, 3.14159265, 1e-5};
    v = v * (angles[i % 4] / norm(v));
    const Mat3d r = to_matrix(exp_rotation(v));
    CHECK(norm(log_rotation(to_quat(r)) - v) < 1e-8);
    CHECK(std::abs(norm2(r.x) - 1) < 1e-14 && std::abs(dot(r.x, r.y)) < 1e-14);
    const Mat3d back = to_matrix(to_quat(r));
    CHECK(norm(back.x - r.x) + norm(back.y - r.y) + norm(back.z - r.z) < 1e-14);
  }
}

}  // namespace

int main() {
  intervals_enclose();
  trigonometry_is_tight();
  rotations_round_trip();
}
