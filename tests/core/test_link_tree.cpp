// Poses and motions of links on joints, and bounds of these motions, against samples.
#include <algorithm>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/dynamics/articulated/link_tree.hpp"
#include "toccata/dynamics/body/symmetric.hpp"

using namespace toccata;

namespace {

using testing::Random;

struct Case {
  LinkTree tree;
  std::vector<double> q, rates;
};

Joint some_joint(Random& random, Index j, Index coordinate) {
  constexpr JointKind kinds[] = {JointKind::revolute, JointKind::revolute, JointKind::prismatic,
                                 JointKind::planar, JointKind::floating};
  const Mat3d axes = to_matrix(exp_rotation(random.point(2)));
  Joint joint;
  joint.parent = random.below(4) == 0 ? random.below(j + 1) - 1 : j - 1;
  joint.kind = j == 0 && random.below(2) ? JointKind::floating : kinds[random.below(4)];
  joint.origin = random.pose(0.5);
  joint.axes = axes;
  joint.coordinate = coordinate;
  return joint;
}

Case some_case(Random& random, double speed) {
  std::vector<Joint> joints;
  std::vector<LinkSite> links;
  std::vector<double> q;
  for (Index j = 0; j < 1 + random.below(7); ++j) {
    joints.push_back(some_joint(random, j, static_cast<Index>(q.size())));
    for (Index k = 0; k < coordinate_count(joints.back().kind); ++k)
      q.push_back(random.uniform(-2, 2));
    if (random.below(5) > 0) links.push_back({j, random.pose(0.3), random.point(0.2), 0.3});
  }
  if (joints.back().kind == JointKind::revolute && random.below(3) == 0) {  // a mimic of it
    Joint mimic = some_joint(random, static_cast<Index>(joints.size()), joints.back().coordinate);
    mimic.kind = JointKind::revolute, mimic.factor = -0.5, mimic.offset = 0.3;
    joints.push_back(mimic);
  }
  links.push_back(
      {static_cast<Index>(joints.size()) - 1, random.pose(0.3), random.point(0.2), 0.2});
  if (random.below(3) == 0) links.push_back({-1, random.pose(0.3), random.point(0.2), 0.2});
  const FreedomTable table(joints);
  std::vector<double> rates;
  for (Index i = 0; i < table.freedoms; ++i) rates.push_back(random.uniform(-speed, speed));
  return {LinkTree(std::move(joints), std::move(links)), std::move(q), std::move(rates)};
}

double apart(const Pose& a, const Pose& b) {
  const Mat3d d = a.rotation + b.rotation * -1.0;
  return norm(a.translation - b.translation) + norm(d.x) + norm(d.y) + norm(d.z);
}

Pose link_at(const Case& c, Index i, double t) {
  std::vector<double> q(c.q.size());
  std::vector<MovingFrame> frames;
  c.tree.advance(c.q.data(), c.rates.data(), t, q.data());
  c.tree.frames(q.data(), c.rates.data(), frames);
  return c.tree.link(i, frames).pose;
}

/// Motions agree with configurations, and velocities with differences of poses.
void check_poses(const Case& c, const LinkMotions& motions, double duration) {
  std::vector<MovingFrame> frames;
  c.tree.frames(c.q.data(), c.rates.data(), frames);
  for (Index i = 0; i < static_cast<Index>(c.tree.links().size()); ++i) {
    for (const double t : {0.0, 0.3, 1.0}) {
      CHECK(apart(motions.pose(i, t), link_at(c, i, t * duration)) < 1e-11);
      CHECK(apart(motions.motion(i).pose(t), motions.pose(i, t)) < 1e-12);
    }
    const double h = 1e-6;
    const Vec3d center = c.tree.links()[i].center;
    const Vec3d travel = link_at(c, i, h) * center - link_at(c, i, -h) * center;
    const MovingFrame link = c.tree.link(i, frames);
    CHECK(norm(travel * (0.5 / h) - link.velocity) < 1e-6 * (1 + norm(link.velocity)));
    const Vec3d turn = rotation_between(link_at(c, i, -h).rotation, link_at(c, i, h).rotation);
    CHECK(norm(turn * (0.5 / h) - link.spin) < 1e-6 * (1 + norm(link.spin)));
  }
}

/// In the last frame that carries both links, their distance is the same as in the world.
void check_common(const Case& c, const LinkMotions& motions, Index i, Index j, double t) {
  const std::size_t from = c.tree.common_joints(i, j);
  const Pose a = motions.pose(i, t), b = motions.pose(j, t);
  const Pose own_a = motions.motion(i, from).pose(t), own_b = motions.motion(j, from).pose(t);
  for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, 0}})
    for (const Vec3d& q : {Vec3d{0, 0, 0}, Vec3d{0, 0, 1}})
      CHECK(std::abs(norm(a * p - b * q) - norm(own_a * p - own_b * q)) < 1e-11);
}

/// Counts of bounds, and of those close to the samples.
struct Tally {
  int tight = 0, all = 0;
};

void check_bounds(Random& random, const Case& c, const LinkMotions& motions, Tally& tally) {
  const auto count = static_cast<Index>(c.tree.links().size());
  const auto point = [&](Index i) {
    const LinkSite& site = c.tree.links()[i];
    return site.center + unit(random.point(1)) * site.radius;
  };
  for (Index i = 0; i < count; ++i) {
    const Vec3d p = point(i), start = motions.pose(i, 0) * p;
    for (double t = 0.1; t < 1.05; t += 0.1) {
      CHECK(norm(motions.pose(i, t) * p - start) <= motions.travel(i, t));
      tally.tight += norm(motions.pose(i, t) * p - start) > 0.3 * motions.travel(i, t);
      ++tally.all;
    }
    for (Index j = 0; j < i; ++j) {
      const Vec3d q = point(j);
      const auto distance = [&](double t) {
        return norm(motions.pose(i, t) * p - motions.pose(j, t) * q);
      };
      for (double t = 0.1; t < 1.05; t += 0.1) {
        const double change = std::abs(distance(t) - distance(0));
        CHECK(change <= motions.relative_travel(i, j));
        CHECK(change <= LinkMotions::relative_travel(motions.mover(i), motions.mover(j)));
        check_common(c, motions, i, j, t);
      }
    }
  }
}

/// The tree of active joints has the same links, and the bounds of its groups hold for their links.
void check_reduced(Random& random, const Case& c, double duration, Tally& tally) {
  std::vector<std::uint8_t> active(c.tree.joints().size());
  std::vector<double> rates(c.rates.size(), 0);
  for (std::size_t j = 0; j < active.size(); ++j) {
    // A mimic joint moves with the joint that it follows, which is the one before it.
    const Joint& joint = c.tree.joints()[j];
    const bool follows = j > 0 && joint.coordinate == c.tree.joints()[j - 1].coordinate;
    active[j] = follows ? active[j - 1] : random.below(2) > 0;
    const auto first = static_cast<std::size_t>(c.tree.first_rate(static_cast<Index>(j)));
    for (int k = 0; k < freedom_count(joint.kind) && active[j]; ++k)
      rates[first + k] = c.rates[first + k];
  }
  const Case few{c.tree.reduced(active, c.q.data()), c.q, rates}, all{c.tree, c.q, rates};
  LinkMotions motions;
  motions.start(few.tree, few.q.data(), few.rates.data(), duration);
  check_poses(few, motions, duration);
  check_bounds(random, few, motions, tally);
  for (Index i = 0; i < static_cast<Index>(c.tree.links().size()); ++i) {
    const double moved = apart(link_at(few, i, duration), link_at(all, i, duration));
    CHECK(moved <= motions.bound(i).rounding + 0x1p-50);
    const LinkTree::Group& group = few.tree.groups()[few.tree.links()[i].joint + 1];
    const Vec3d p = few.tree.links()[i].center + unit(random.point(1)) * few.tree.links()[i].radius;
    for (const double t : {0.2, 1.0})
      CHECK(norm(motions.pose(i, t) * p - motions.pose(i, 0) * p) <= motions.travel(group.site, t));
  }
}

/// Rounded sums of coordinates move links by less than the bound.
void check_rounding() {
  Joint joint;
  const LinkTree tree({joint}, {{0, {}, {0, 0, 0}, 1.0}});
  const double q = 1e8 + 0.3, rate = 0.123456789;
  LinkMotions motions;
  motions.start(tree, &q, &rate, 1);
  double end;
  tree.advance(&q, &rate, 1, &end);
  LinkMotions after;
  after.start(tree, &end, &rate, 0);
  const double moved =
      norm(motions.pose(0, 1) * Vec3d{1, 0, 0} - after.pose(0, 0) * Vec3d{1, 0, 0});
  CHECK(moved > 0);
  CHECK(moved < motions.bound(0).rounding);
  CHECK(motions.bound(0).rounding < 1e-4);
}

}  // namespace

int main(int argc, char** argv) {
  Random random(static_cast<unsigned>(testing::seed(argc, argv, 1)));
  Tally slow, fast;
  for (int n = testing::cases(argc, argv, 300); n > 0; --n) {
    const bool is_fast = n % 2;
    const Case c = some_case(random, is_fast ? 30 : 2);
    LinkMotions motions;
    const double duration = 1.0 / 60;
    motions.start(c.tree, c.q.data(), c.rates.data(), duration);
    check_poses(c, motions, duration);
    check_bounds(random, c, motions, is_fast ? fast : slow);
    check_reduced(random, c, duration, is_fast ? fast : slow);
  }
  CHECK(slow.tight > slow.all / 3);
  check_rounding();
}
