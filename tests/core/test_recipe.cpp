// Motions by the numbers that make them, and options as callers give them: what is refused, and in
// which words.
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "toccata/math/pose.hpp"
#include "toccata/motion/recipe.hpp"
#include "toccata/query/check_options.hpp"

using namespace toccata;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::vector<double> numbers_of(std::initializer_list<Pose> poses,
                               std::initializer_list<double> rest) {
  std::vector<double> numbers(16 * poses.size());
  double* to = numbers.data();
  for (const Pose& pose : poses) write_pose(pose, std::exchange(to, to + 16));
  numbers.insert(numbers.end(), rest);
  return numbers;
}

bool are_same(const Motion& a, const Motion& b) {
  for (const double t : {0.0, 0.3, 1.0}) {
    std::array<double, 16> x, y;
    write_pose(a.pose(t), x.data());
    write_pose(b.pose(t), y.data());
    if (std::memcmp(x.data(), y.data(), sizeof x) != 0) return false;
  }
  return true;
}

void test_motions() {
  const double turn[3] = {0.3, -0.2, 0.5};
  const Pose start = make_pose({1, 2, 3}, RotationKind::rotvec, turn);
  const Pose end = make_pose({-1, 0, 2}, RotationKind::none, {});
  const auto numbers = numbers_of({start, end}, {0.1, 0.2, 0.3});
  const Pose a = read_pose(numbers.data(), "start"), b = read_pose(numbers.data() + 16, "end");
  CHECK(are_same(make_motion(MotionKind::linear, numbers), Twist::linear(a, b, {0.1, 0.2, 0.3})));
  CHECK(are_same(make_motion(MotionKind::screw, numbers), Twist::screw(a, b)));
  CHECK(are_same(make_motion(MotionKind::fixed, numbers), Motion::fixed(a)));
  const auto twist = numbers_of({start}, {1, 2, 3, 9, 8, 7});
  CHECK(are_same(make_motion(MotionKind::twist, twist), Twist(a, {}, {1, 2, 3}, {9, 8, 7})));
}

void test_bad_motions() {
  const Pose start = make_pose({1, 2, 3}, RotationKind::none, {});
  const auto made = [](MotionKind kind, const std::vector<double>& numbers) {
    return refusal([&] { make_motion(kind, numbers); });
  };
  CHECK(made(MotionKind::twist, numbers_of({start}, {1, nan, 3, 0, 0, 0})).starts_with("linear: "));
  CHECK(made(MotionKind::twist, numbers_of({start}, {1, 2})).starts_with("numbers: "));
  CHECK(made(MotionKind::screw, numbers_of({start}, {})).starts_with("numbers: "));
  auto bad = numbers_of({start}, {});
  bad[6] = nan;
  CHECK(made(MotionKind::fixed, bad) == "pose: expected finite numbers, got nan (row 1 is not)");
  const double zeros[4] = {0, 0, 0, 0};
  CHECK(refusal([&] { make_pose({}, RotationKind::quat_xyzw, zeros); }).starts_with("quat_xyzw: "));
}

void test_options() {
  CHECK(checked_separation(0) == 0 && checked_tolerance(1e-300) == 1e-300);
  CHECK(checked_budget(1) == 1 && checked_budget(1e30) == Count{1} << 62);
  CHECK(checked_control(1, Method::c2a) == 1);
  CHECK(refusal([] { checked_separation(-1); }) ==
        "separation: expected a finite number of at least 0, got -1");
  CHECK(refusal([] { checked_tolerance(0); }) ==
        "tolerance: expected a finite number of more than 0, got 0");
  CHECK(refusal([] { checked_tolerance(nan); }).ends_with("got nan"));
  CHECK(refusal([] { checked_budget(1.5); }) == "budget: expected a whole number, got 1.5");
  CHECK(refusal([] { checked_budget(0); }).starts_with("budget: expected a finite number"));
  CHECK(refusal([] { checked_limit(-1); }).starts_with("limit: "));
  CHECK(refusal([] { checked_control(0.5, Method::automatic); }).starts_with("w: expected None"));
  CHECK(refusal([] { checked_control(2, Method::c2a); }) ==
        "w: expected a number in (0, 1], got 2");
}

}  // namespace

int main() {
  test_motions();
  test_bad_motions();
  test_options();
}
