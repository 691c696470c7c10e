// Validation of rows of motions, and conversion of a row to a motion.
#include "toccata/motion/rows.hpp"

#include "toccata/base/expects.hpp"
#include "toccata/math/pose.hpp"

namespace toccata {
namespace {

template <class Row>
void check_count(std::span<const Row> rows, const MotionRows& motions, const std::string& name) {
  if (rows.empty() || rows.size() == motions.size()) return;
  throw std::invalid_argument(name + ": expected " + std::to_string(motions.size()) +
                              " rows like start, got " + std::to_string(rows.size()));
}

void check_vectors(std::span<const Vec3d> vectors, const std::string& name) {
  for (std::size_t i = 0; i < vectors.size(); ++i)
    for (const double x : {vectors[i].x, vectors[i].y, vectors[i].z})
      if (!std::isfinite(x)) reject_not_finite(name.c_str(), x, i);
}

}  // namespace

void check_poses(std::span<const Matrix4> poses, const std::string& argument) {
  for (std::size_t i = 0; i < poses.size(); ++i)
    check_pose(poses[i].data(), argument.c_str(), static_cast<std::ptrdiff_t>(i));
}

void MotionRows::check(const char* suffix) const {
  const std::string end_of_name = suffix;
  check_count(end, *this, "end" + end_of_name);
  check_count(linear, *this, "linear" + end_of_name);
  check_count(angular, *this, "angular" + end_of_name);
  check_poses(start, "start" + end_of_name);
  check_poses(end, "end" + end_of_name);
  check_vectors(linear, "linear" + end_of_name);
  check_vectors(angular, "angular" + end_of_name);
}

Motion MotionRows::operator[](std::size_t row) const {
  const Pose from = pose_of(start[row].data());
  if (!end.empty()) {
    const Pose to = pose_of(end[row].data());
    return kind == PathKind::screw ? Twist::screw(from, to) : Twist::linear(from, to, {0, 0, 0});
  }
  const Vec3d none{0, 0, 0};
  return Twist(from, none, linear.empty() ? none : linear[row],
               angular.empty() ? none : angular[row]);
}

}  // namespace toccata
