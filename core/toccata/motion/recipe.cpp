// Validation and reading of the numbers that define a motion or a pose.
#include "toccata/motion/recipe.hpp"

#include <algorithm>
#include <array>

#include "toccata/base/expects.hpp"
#include "toccata/math/pose.hpp"

namespace toccata {
namespace {

constexpr std::size_t matrix_size = 16;

void check_finite(std::span<const double> numbers, const char* argument) {
  for (const double x : numbers) expects(std::isfinite(x), argument, "expected finite numbers", x);
}

/// Reader of the arguments of a motion, in order.
class Reader {
 public:
  explicit Reader(std::span<const double> numbers) : left_(numbers) {}

  Pose pose(const char* argument, std::ptrdiff_t row = -1) {
    return read_pose(take(matrix_size).data(), argument, row);
  }

  Vec3d vector(const char* argument) {
    const std::span<const double> v = take(3);
    check_finite(v, argument);
    return {v[0], v[1], v[2]};
  }

  std::span<const double> take(std::size_t count) {
    expects(count <= left_.size(), "numbers", "expected more of them for a motion of this kind");
    const std::span<const double> taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }

 private:
  std::span<const double> left_;
};

Motion make_spline(SplineKind kind, Reader numbers, std::size_t count) {
  const std::span<const double> times = numbers.take(count);
  check_finite(times, "times");
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < count; ++i)
    poses.push_back(numbers.pose("poses", static_cast<std::ptrdiff_t>(i)));
  return Motion(std::make_shared<const Spline>(times, poses, kind));
}

/// Scales first, because squares of large or small components could overflow or underflow.
Quat unit(Quat q, const char* argument) {
  const double most = std::max({std::abs(q.w), std::abs(q.x), std::abs(q.y), std::abs(q.z)});
  expects(most > 0, argument, "expected a quaternion of length above 0, got zeros");
  return normalized({q.w / most, q.x / most, q.y / most, q.z / most});
}

}  // namespace

Motion make_motion(MotionKind kind, std::span<const double> numbers) {
  Reader next(numbers);
  switch (kind) {
    case MotionKind::fixed:
      return Motion::fixed(next.pose("pose"));
    case MotionKind::linear: {
      const Pose start = next.pose("start"), end = next.pose("end");
      return Twist::linear(start, end, next.vector("pivot"));
    }
    case MotionKind::screw: {
      const Pose start = next.pose("start");
      return Twist::screw(start, next.pose("end"));
    }
    case MotionKind::twist: {
      const Pose start = next.pose("start");
      const Vec3d linear = next.vector("linear");
      return Twist{start, {0, 0, 0}, linear, next.vector("angular")};
    }
    case MotionKind::smooth_spline:
    case MotionKind::linear_spline:
      break;
  }
  const bool smooth = kind == MotionKind::smooth_spline;
  return make_spline(smooth ? SplineKind::smooth : SplineKind::linear, next,
                     numbers.size() / (1 + matrix_size));
}

Pose make_pose(const Vec3d& translation, RotationKind kind, std::span<const double> rotation) {
  static constexpr std::array names{"", "rotvec", "quat_xyzw", "quat_wxyz"};
  const char* name = names[static_cast<std::size_t>(kind)];
  check_finite(std::array{translation.x, translation.y, translation.z}, "translation");
  check_finite(rotation, name);
  const std::span<const double> r = rotation;
  switch (kind) {
    case RotationKind::rotvec:
      return {to_matrix(exp_rotation({r[0], r[1], r[2]})), translation};
    case RotationKind::quat_xyzw:
      return {to_matrix(unit({r[3], r[0], r[1], r[2]}, name)), translation};
    case RotationKind::quat_wxyz:
      return {to_matrix(unit({r[0], r[1], r[2], r[3]}, name)), translation};
    case RotationKind::none:
      break;
  }
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, translation};
}

}  // namespace toccata
