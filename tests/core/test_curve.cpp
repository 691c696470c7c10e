// Motions along polynomials: derivatives, their bounds over windows, and what chains make of them.
#include "check.hpp"
#include "random_bodies.hpp"

using namespace toccata;

namespace {

constexpr int count = Polynomial<double>::count;

/// Of all degrees, from slow to fast, some with roots of derivatives within [0, 1].
Polynomial<double> polynomial(testing::Random& random) {
  Polynomial<double> p;
  const double speed = std::pow(10.0, random.uniform(-3, 1));
  const int degree = random.below(count);
  for (int k = 1; k <= degree; ++k)
    if (random.below(5)) p.term[k] = random.uniform(-speed, speed);
  if (random.below(6) == 0)  // from rest to rest
    p.term = {0, 0, 0, 10 * speed, -15 * speed, 6 * speed};
  return p;
}

Polynomial<Vec3d> vector_polynomial(testing::Random& random) {
  const Polynomial<double> x = polynomial(random), y = polynomial(random), z = polynomial(random);
  Polynomial<Vec3d> p;
  for (int k = 0; k < count; ++k) p.term[k] = {x.term[k], y.term[k], z.term[k]};
  return p;
}

/// In extended precision: the derivative of some order.
long double exact(const Polynomial<double>& p, int order, double t) {
  long double value = 0;
  for (int k = count - 1; k >= order; --k)
    value = value * t + static_cast<long double>(falling_factorial(k, order)) * p.term[k];
  return value;
}

Interval part_of_unit(testing::Random& random) {
  const double lo = random.uniform(0, 1), hi = random.uniform(lo, 1);
  return random.below(8) ? Interval{lo, hi} : Interval{0, 1};
}

void derivatives_stay_within_their_bounds() {
  testing::Random random(31);
  double tightest = 1;
  for (int i = 0; i < 4000; ++i) {
    const Polynomial<double> p = polynomial(random);
    const Interval window = part_of_unit(random);
    const DerivativeBounds most(p, window);
    for (int order = 1; order <= 3; ++order) {
      long double largest = 0;
      for (int k = 0; k <= 30; ++k) {
        const double t = window.lo + (window.hi - window.lo) * k / 30;
        largest = std::max(largest, std::abs(exact(p, order, t)));
      }
      CHECK(largest <= most[order]);
      CHECK(most[order] <= term_sum(p, order));
      if (most[order] > 0)
        tightest = std::min(tightest, 1 - static_cast<double>(largest / most[order]));
    }
  }
  CHECK(tightest < 1e-9);  // bounds that are never reached would prove little
}

void expansions_are_the_same_polynomial() {
  testing::Random random(32);
  for (int i = 0; i < 1000; ++i) {
    const Polynomial<double> p = polynomial(random);
    const double at = random.uniform(0, 1), t = random.uniform(0, 1);
    CHECK(std::abs(p.about(at)(t - at) - p(t)) <= 1e-13 * term_sum(p, 0));
    for (int order = 0; order < 3; ++order)
      CHECK(std::abs(p.about(at).term[order] * falling_factorial(order, order) -
                     exact(p, order, at)) <= 1e-13 * term_sum(p, order));
  }
}

std::vector<Curve> curves(testing::Random& random) {
  std::vector<Curve> joints;
  for (int i = random.below(5); i >= 0; --i) {
    const Vec3d axis = random.point(1);
    const Vec3d spin = random.below(4) ? axis * (1 / norm(axis)) : Vec3d{0, 0, 0};
    const Polynomial<Vec3d> shift = random.below(2) ? vector_polynomial(random)
                                                    : Polynomial<Vec3d>{};
    const Polynomial<double> angle = norm(spin) > 0 ? polynomial(random) : Polynomial<double>{};
    joints.emplace_back(Twist{random.pose(1), {0, 0, 0}, {0, 0, 0}, spin}, angle, shift);
  }
  return joints;
}

ChainState frame(const std::vector<Curve>& joints, double t, double reach) {
  ChainState state;
  for (const Curve& joint : joints)
    state = follow(state, joint.rates(t, reach), joint.pose(t), reach);
  return state;
}

/// Every vector of a frame is the derivative of the one before, and stays within its bound.
void frames_follow_their_derivatives() {
  testing::Random random(33);
  for (int i = 0; i < 3000; ++i) {
    const std::vector<Curve> joints = curves(random);
    const double t = random.uniform(0, 1), reach = random.uniform(0, random.below(3) ? 0.1 : 1);
    const ChainState now = frame(joints, t, reach);
    const double lo = std::max(t - reach, 0.0), hi = std::min(t + reach, 1.0);
    const double up = 1 + 1e-12;
    ChainState before = frame(joints, lo, 0);
    for (int k = 1; k <= 8; ++k) {
      const double h = (hi - lo) / 8;
      const ChainState next = frame(joints, lo + k * h, 0);
      CHECK(norm(next.spin) <= now.most_spin * up);
      CHECK(norm(next.spin_rate) <= now.most_spin_rate * up);
      CHECK(norm(next.acceleration) <= now.most_acceleration * up);
      const double slack = 1e-12;
      CHECK(norm(next.spin_rate - before.spin_rate) <=
            now.spin_jerk * h + slack * now.spin_rate_sum);
      CHECK(norm(next.acceleration - before.acceleration) <=
            now.jerk * h + slack * now.acceleration_sum);
      before = next;
    }
  }
}

void velocities_are_derivatives() {
  testing::Random random(34);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<Curve> joints = curves(random);
    const double t = random.uniform(0.01, 0.99), h = 1e-4;
    const ChainState s = frame(joints, t, h);
    // Five points: the error is of fourth order.
    const auto slope = [&](const auto& at) {
      return (at(t + h) - at(t - h)) * (2 / (3 * h)) -
             (at(t + 2 * h) - at(t - 2 * h)) * (1 / (12 * h));
    };
    const Vec3d velocity = slope([&](double u) { return frame(joints, u, 0).pose.translation; });
    const Vec3d acceleration = slope([&](double u) { return frame(joints, u, 0).velocity; });
    const Vec3d turning = slope([&](double u) { return frame(joints, u, 0).spin; });
    const Vec3d x = random.point(1);
    const Vec3d swing = slope([&](double u) { return frame(joints, u, 0).pose.rotation * x; });
    const double fast = 1 + s.spin_sum + s.spin_rate_sum + s.acceleration_sum + s.jerk;
    CHECK(norm(velocity - s.velocity) < 1e-7 * fast);
    CHECK(norm(acceleration - s.acceleration) < 1e-6 * fast);
    CHECK(norm(turning - s.spin_rate) < 1e-6 * fast);
    CHECK(norm(swing - cross(s.spin, s.pose.rotation * x)) < 1e-7 * fast);
  }
}

/// As motion/state.hpp promises, and boxes of paths.
void paths_stay_within_their_expansion() {
  testing::Random random(35);
  for (int i = 0; i < 3000; ++i) {
    const Motion motion(Chain::make(curves(random), random.point(1)));
    const Vec3d x = random.point(1);
    const double t = random.uniform(0, 1), end = random.uniform(t, 1), u = random.uniform(t, end);
    const MotionState s = motion.state(t, end);
    const Vec3d arm = s.pose.rotation * (x - s.pivot);
    const Vec3d line = s.pose * x + (s.velocity + cross(s.spin, arm)) * (u - t);
    const double bound = s.acceleration + s.turning * norm(arm), error = motion.error(norm(x));
    CHECK(norm(motion.pose(u) * x - line) <= 0.5 * bound * (u - t) * (u - t) + 4 * error);
    const Box box = swept_box(motion, x, 0, {t, end});
    const Vec3d p = motion.pose(u) * x;
    CHECK(box.lo.x <= p.x && p.x <= box.hi.x && box.lo.y <= p.y && p.y <= box.hi.y &&
          box.lo.z <= p.z && p.z <= box.hi.z);
  }
}

/// Without higher powers a curve is a twist.
void straight_curves_are_twists() {
  testing::Random random(36);
  for (int i = 0; i < 500; ++i) {
    const Pose start = random.pose(1);
    const Vec3d axis = random.point(1), unit = axis * (1 / norm(axis)), velocity = random.point(2);
    const double rate = random.uniform(-4, 4);
    Polynomial<double> angle;
    Polynomial<Vec3d> shift;
    angle.term[1] = rate;
    shift.term[1] = velocity;
    const Curve curve({start, {0, 0, 0}, {0, 0, 0}, unit}, angle, shift);
    const Twist twist(start, {0, 0, 0}, velocity, unit * rate);
    const double t = random.uniform(0, 1);
    const Vec3d x = random.point(1);
    CHECK(norm(curve.pose(t) * x - twist.pose(t) * x) < 1e-13);
    const MotionState s = Chain::make(std::vector{curve}, x)->state(t, 1);
    const MotionState r = Chain::make(std::vector{twist}, x)->state(t, 1);
    CHECK(norm(s.velocity - r.velocity) < 1e-12 && norm(s.spin - r.spin) < 1e-12);
    CHECK(std::abs(s.acceleration - r.acceleration) < 1e-9 * (1 + r.acceleration));
    CHECK(std::abs(s.turning - r.turning) < 1e-9 * (1 + r.turning));
  }
}

}  // namespace

int main() {
  derivatives_stay_within_their_bounds();
  expansions_are_the_same_polynomial();
  frames_follow_their_derivatives();
  velocities_are_derivatives();
  paths_stay_within_their_expansion();
  straight_curves_are_twists();
}
