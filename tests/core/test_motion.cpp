// The services of a motion hold: velocities, bounds on accelerations, boxes of paths.
#include "check.hpp"
#include "random_bodies.hpp"

using namespace toccata;

namespace {

void ends_are_met() {
  testing::Random random(3);
  for (int i = 0; i < 500; ++i) {
    const Pose start = random.pose(5), end = random.pose(5);
    for (const Motion& motion :
         {Motion(Twist::linear(start, end, random.point(2))), Motion(Twist::screw(start, end))}) {
      const Vec3d x = random.point(1);
      CHECK(norm(motion.pose(0) * x - start * x) < 1e-13);
      CHECK(norm(motion.pose(1) * x - end * x) < 1e-12);
    }
  }
}

/// Nearly straight screws must not lose digits.
void screws_with_tiny_angles() {
  for (double angle = 1; angle > 1e-200; angle *= 1e-3) {
    const Pose start, end{to_matrix(exp_rotation({0, 0, angle})), {1, 2, 3}};
    const Motion motion = Twist::screw(start, end);
    CHECK(norm(motion.pose(1).translation - end.translation) < 1e-13);
    CHECK(norm(motion.pose(0.5).translation - end.translation * 0.5) < 1.0 * angle + 1e-13);
  }
}

/// |x(u) - x(t) - (u - t) x'(t)| <= bound (u - t)^2 / 2, as motion/state.hpp promises.
void taylor_remainder_is_bounded() {
  testing::Random random(4);
  for (int i = 0; i < 3000; ++i) {
    const Motion motion = random.motion(3);
    const Vec3d x = random.point(2);
    const double t = random.uniform(0, 1), u = random.uniform(t, 1), h = u - t;
    const MotionState s = motion.state(t, u);
    const Vec3d arm = s.pose.rotation * (x - s.pivot), swing = cross(s.spin, arm);
    const Vec3d line = s.pose * x + (s.velocity + swing) * h;
    const double bound = s.acceleration + s.turning * norm(arm) + s.spin_speed * norm(swing);
    const double slack = 4 * motion.error(norm(x));
    CHECK(norm(motion.pose(u) * x - line) <= 0.5 * bound * h * h + slack);
  }
}

void velocity_is_the_derivative() {
  testing::Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const Motion motion = random.motion(3);
    const Vec3d x = random.point(2);
    const double t = random.uniform(0.01, 0.99), h = 1e-6;
    const MotionState s = motion.state(t, 1);
    const Vec3d velocity = s.velocity + cross(s.spin, s.pose.rotation * (x - s.pivot));
    // Not across a jump of velocity, for which there is room in the bounds of the state.
    const MotionState before = motion.state(t - h, t + h);
    if (motion.has_kinks() && before.acceleration + before.turning > 1e3) continue;
    const Vec3d difference = (motion.pose(t + h) * x - motion.pose(t - h) * x) * (0.5 / h);
    CHECK(norm(velocity - difference) < 1e-3 * (1 + norm(velocity)));
  }
}

void swept_boxes_contain_paths() {
  testing::Random random(6);
  for (int i = 0; i < 1000; ++i) {
    const Motion motion = random.motion(3);
    const Vec3d c = random.point(1);
    const double lo = random.uniform(0, 1), hi = random.uniform(lo, 1);
    const Box box = swept_box(motion, c, 0.5, {lo, hi});
    for (int k = 0; k < 20; ++k) {
      const Vec3d offset = random.point(0.28);  // norm at most 0.5
      const Vec3d p = motion.pose(random.uniform(lo, hi)) * (c + offset);
      CHECK(box.lo.x <= p.x && p.x <= box.hi.x && box.lo.y <= p.y && p.y <= box.hi.y &&
            box.lo.z <= p.z && p.z <= box.hi.z);
    }
  }
}

/// A part of a motion is the motion at other times, and keeps its promises.
void parts_are_motions() {
  testing::Random random(8);
  for (int i = 0; i < 1000; ++i) {
    const Motion whole = random.motion(3);
    const double lo = random.uniform(0, 1), hi = random.uniform(lo, 1);
    const Motion motion = whole.part({lo, hi});
    const Vec3d x = random.point(2);
    const double t = random.uniform(0, 1), u = random.uniform(t, 1), h = u - t;
    CHECK(norm(motion.pose(t) * x - whole.pose(lo + t * (hi - lo)) * x) < 1e-12);
    const MotionState s = motion.state(t, u);
    const Vec3d arm = s.pose.rotation * (x - s.pivot), swing = cross(s.spin, arm);
    const double bound = s.acceleration + s.turning * norm(arm) + s.spin_speed * norm(swing);
    CHECK(norm(motion.pose(u) * x - s.pose * x - (s.velocity + swing) * h) <=
          0.5 * bound * h * h + 4 * motion.error(norm(x)));
  }
}

/// Bounds over a window hold for an expansion about its middle too, wherever velocities jump.
void windows_around_kinks() {
  testing::Random random(9);
  for (int i = 0; i < 2000; ++i) {
    const double knot = random.uniform(0.1, 0.9), half = std::pow(10.0, -random.uniform(0.5, 9));
    const double lo = std::max(0.0, knot - half * random.uniform(0, 2));
    const double hi = std::min(1.0, lo + 2 * half), mid = (lo + hi) / 2;
    const double times[] = {0, knot, 1};
    const Pose poses[] = {random.pose(3), random.pose(3), random.pose(3)};
    const Motion motion(std::make_shared<const Spline>(times, poses, SplineKind::linear));
    CHECK(motion.has_kinks());
    const MotionState whole = motion.state(lo, hi), s = motion.state(mid, hi);
    const Vec3d x = random.point(2), arm = s.pose.rotation * x;
    const double bound = whole.acceleration + whole.turning * norm(arm), h = hi - mid;
    const double slack = 4 * motion.error(norm(x));
    for (int k = 0; k < 10; ++k) {
      const double u = random.uniform(lo, hi);
      const Vec3d line = s.pose * x + (s.velocity + cross(s.spin, arm)) * (u - mid);
      CHECK(norm(motion.pose(u) * x - line) <= 0.5 * bound * h * h + slack);
      const MotionState now = motion.state(u, hi);
      const double change = norm(velocity_at(now, now.pose * x) - velocity_at(s, s.pose * x));
      CHECK(change <= bound * h + slack * (1 + 4 / h));
    }
  }
}

/// C1: no jump of velocity at the knots.
void splines_are_smooth() {
  testing::Random random(7);
  for (int i = 0; i < 200; ++i) {
    const double times[] = {0, 0.3, 0.45, 1};
    Pose poses[] = {random.pose(3), random.pose(3), random.pose(3), random.pose(3)};
    const Vec3d axis = random.point(0.3);  // every other one turns about it only
    for (int k = 1; k < 4 && i % 2; ++k)
      poses[k].rotation = to_matrix(exp_rotation(axis * (0.9 * k * k))) * poses[0].rotation;
    const Motion motion(std::make_shared<const Spline>(times, poses));
    CHECK(i % 2 == 0 || norm(motion.state(times[1], 1).spin) > 0.1 * norm(axis));
    for (int k = 0; k < 4; ++k) {
      const Vec3d x = random.point(1);
      CHECK(norm(motion.pose(times[k]) * x - poses[k] * x) < 1e-12);
      if (k == 0 || k == 3) continue;
      const MotionState before = motion.state(times[k] - 1e-9, 1),
                        after = motion.state(times[k], 1);
      CHECK(norm(before.velocity - after.velocity) < 1e-5);
      CHECK(norm(before.spin - after.spin) < 1e-5);
    }
  }
}

}  // namespace

int main() {
  ends_are_met();
  screws_with_tiny_angles();
  taylor_remainder_is_bounded();
  velocity_is_the_derivative();
  swept_boxes_contain_paths();
  windows_around_kinks();
  splines_are_smooth();
  parts_are_motions();
}
