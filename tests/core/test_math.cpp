// Intervals enclose, rotations agree with each other, twofold numbers have twice the digits.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/math/interval.hpp"
#include "toccata/math/twofold.hpp"

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

/// a b - c d for whole numbers, most of them such that nearly all of it cancels; integers of 128
/// bits are the judge.
void twofold_numbers_have_twice_the_digits() {
  using Exact = __int128;
  testing::Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const auto whole = [&] { return std::trunc(random.uniform(-0x1p52, 0x1p52)); };
    const double a = whole(), b = whole(),
                 near = i % 4 ? std::ldexp(1.0, random.below(50)) : 0x1p52;
    const double c = a + std::trunc(random.uniform(-near, near));
    const double d = b + std::trunc(random.uniform(-near, near));
    const Exact ab = Exact(a) * Exact(b), cd = Exact(c) * Exact(d);
    const Twofold ab2 = exact_product(a, b);
    CHECK(Exact(ab2.value) + Exact(ab2.rest) == ab);
    const auto with_rest = [](double x) { return exact_sum(x * 0x1p20, 0.5); };
    const Twofold r = Twofold{a, 0} * Twofold{b, 0} - Twofold{c, 0} * Twofold{d, 0};
    const Exact error = Exact(r.value) + Exact(r.rest) - (ab - cd);
    CHECK((error < 0 ? -error : error) <= (ab < cd ? cd - ab : ab - cd) >> 104);
    CHECK(r.value + r.rest == r.value);
    const Twofold s = with_rest(a) + with_rest(b);
    CHECK(Exact(s.value) + Exact(s.rest) == Exact(a + b) * (1 << 20) + 1);
  }
}

void scaling_is_exact_and_takes_all_sizes() {
  const Vec3t usual{{1.5, 0x1p-60}, {-0.25, 0}, {0, 0}};
  for (const int power : {-1070, -1000, -300, 0, 300, 1000, 1020}) {
    const Vec3d v{std::ldexp(3.0, power), std::ldexp(-0.5, power), 0};
    const Vec3t s = scaled(exact_difference(v, {0, 0, 0}));
    CHECK(s.x.value >= 0x1p-75 && s.x.value < 2 && s.y.value == s.x.value / -6 && s.z.value == 0);
  }
  CHECK(scaled(usual).x.rest == 0x1p-60);
  const Vec3d huge{1e308, 0, 0};
  CHECK(norm(rounded(scaled(exact_difference(huge, -huge)))) == 0);
  CHECK(norm(rounded(scaled(exact_difference(huge, huge)))) == 0);
}

}  // namespace

int main() {
  twofold_numbers_have_twice_the_digits();
  scaling_is_exact_and_takes_all_sizes();
  intervals_enclose();
  trigonometry_is_tight();
  rotations_round_trip();
}
