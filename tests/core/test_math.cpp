// Intervals enclose, rotations agree with each other, twofold numbers have twice the digits, gaps
// last as long as is promised, and lanes do what numbers do.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/math/interval.hpp"
#include "toccata/math/parabola.hpp"
#include "toccata/math/rotation.hpp"
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

/// What is left of a room after some time, as a share of the terms; long double is the judge.
long double left(double room, double rate, double bend, double time) {
  const long double t = time, used = rate * t, bent = bend * t * t;
  return (room - used - bent) / (room + std::fabs(used) + std::fabs(bent));
}

/// No time is longer than the room lasts, but for rounding, nor much shorter: then a little more
/// time uses it up.
void rooms_last_as_long_as_promised() {
  testing::Random random(4);
  int forever = 0, ends = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto any = [&] { return random.uniform(-1, 1) * std::exp(random.uniform(-20, 20)); };
    const double room = std::abs(any()), rate = any(), bend = any(), up = std::abs(bend);
    const double time = time_to_use_up(room, rate, up);
    CHECK(time >= 0 && std::abs(left(room, rate, up, time)) < 0x1p-48L);
    CHECK(time_to_use_up(quad(room), quad(rate), quad(up))[i % 4] == time);
    const auto r = static_cast<float>(room), v = static_cast<float>(rate),
               b = static_cast<float>(up);
    const float low = time_to_use_up(broadcast(r), broadcast(v), broadcast(b))[i % 8];
    const double exact = time_to_use_up(double{r}, double{v}, double{b});
    CHECK(low <= exact && (low >= 0.999 * exact || exact > 1e30 || exact < 1e-30));
    const double last = time_to_use_up_if_ever(room, rate, bend);
    if (last == infinity) {
      const double top = -rate / (2 * bend);  // where most of the room is used up, if there is one
      CHECK(rate <= 0 || left(room, rate, bend, top) > 0);
    } else {
      CHECK(left(room, rate, bend, last * (1 - 0x1p-40)) > -0x1p-48L);
      CHECK(left(room, rate, bend, last) < 0x1p-19L);
    }
    (last == infinity ? forever : ends) += 1;
  }
  CHECK(forever > 4000 && ends > 4000);
  CHECK(time_to_use_up(0.0, -1, 1) == 0 && time_to_use_up_if_ever(-1, -1, -1) == 0);
  CHECK(time_to_use_up(broadcast(0), broadcast(-1), broadcast(1))[3] == 0);
}

void lanes_do_what_numbers_do() {
  const double odd[] = {-1, -0.0, 0.25, 1, 2, infinity, -infinity, not_a_number};
  Pack floats{};
  for (int k = 0; k < 8; ++k) {
    floats.set(k, static_cast<float>(odd[k]));
    CHECK(clamp01(quad(odd[k]))[k % 4] == clamp01(odd[k]));
  }
  for (int k = 0; k < 8; ++k) CHECK(clamp01(floats)[k] == static_cast<float>(clamp01(odd[k])));
  unsigned seen = 0;
  for_lanes(0b10110001, [&](int lane) {
    CHECK(1u << lane > seen);  // the lowest first
    seen |= 1u << lane;
  });
  CHECK(seen == 0b10110001);
}

void directions_are_what_they_are_called() {
  testing::Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const Vec3d n = unit(random.point(1)), v = random.point(1);
    CHECK(std::abs(norm(n) - 1) < 1e-15 && norm(unit_or_zero(v) - unit(v)) == 0);
    CHECK(std::abs(dot(n, far_axis(n))) <= 0.57736);
    CHECK(std::abs(dot(perpendicular(v, n), n)) < 1e-15);
    CHECK(norm(cross(v - perpendicular(v, n), n)) < 1e-15);
  }
  CHECK(norm(unit_or_zero({0, 0, 0})) == 0);
}

}  // namespace

int main() {
  rooms_last_as_long_as_promised();
  lanes_do_what_numbers_do();
  directions_are_what_they_are_called();
  twofold_numbers_have_twice_the_digits();
  scaling_is_exact_and_takes_all_sizes();
  intervals_enclose();
  trigonometry_is_tight();
  rotations_round_trip();
}
