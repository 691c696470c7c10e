// First contact of random robots, held against all pairs of their bodies asked one by one as rigid
// bodies on chains that start from the world.
#include <cstdlib>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/rigid/first_contact.hpp"

using namespace toccata;

namespace {

Vec3d unit(const Vec3d& v) { return v * (1 / norm(v)); }

/// The least mesh there is.
Mesh point(const Vec3d& at) {
  return Mesh(std::vector<Vec3d>{at}, std::vector<Face>{{0, 0, 0}}, false);
}

struct Case {
  std::vector<Joint> joints;
  std::vector<double> start, end;
  std::vector<Mesh> meshes;
  std::vector<Link> links;
  std::vector<Mesh> obstacles;
  std::vector<Motion> motions;

  explicit Case(testing::Random& random) {
    const int count = 1 + random.below(6);
    meshes.reserve(count + 1);
    for (int i = 0; i < count; ++i) add_joint(random);
    const double speed = random.below(2) ? 0.2 : 2;
    for (const double q : start) end.push_back(q + random.uniform(-speed, speed));
    if (random.below(3) == 0) end[0] = start[0];
    for (Index i = -1; i < count; ++i) {
      meshes.push_back(random.below(10) ? random.soup(1 + random.below(random.below(8) ? 12 : 120), 0.3)
                                        : point(random.point(0.3)));
      links.push_back({&meshes.back(), i});
    }
    for (int i = random.below(3); i >= 0; --i) {
      obstacles.push_back(random.below(10) ? random.soup(1 + random.below(random.below(8) ? 20 : 300), 0.5)
                                           : point(random.point(0.5)));
      motions.push_back(random.below(2) ? random.motion(3) : Motion::fixed(random.pose(3)));
    }
  }

  void add_joint(testing::Random& random) {
    Joint joint;
    joint.parent = static_cast<Index>(random.below(static_cast<int>(joints.size()) + 1)) - 1;
    joint.kind = static_cast<JointKind>(random.below(4));
    joint.place = random.pose(1);
    const Vec3d z = unit(random.point(1)), x = unit(cross(z, random.point(1)));
    joint.axes = {x, cross(z, x), z};
    joint.coordinate = static_cast<Index>(start.size());
    const bool mimics = coordinate_count(joint.kind) == 1 && !start.empty() && random.below(4) == 0;
    if (mimics) joint.coordinate = 0, joint.factor = random.uniform(-2, 2), joint.offset = 0.3;
    if (!mimics)
      for (Index k = coordinate_count(joint.kind); k > 0; --k) start.push_back(random.uniform(-1, 1));
    joints.push_back(joint);
  }

  Motion motion(const Robot& robot, Index joint) const {
    std::vector<Twist> twists;
    for (const Index j : robot.path(robot.world_frame(joint)))
      twists.push_back(joint_motion(joints[j], start.data(), end.data()));
    return Motion(Chain::make(std::move(twists), {0, 0, 0}));
  }
};

/// Some pairs have a separation of their own.
std::shared_ptr<const Separations> random_separations(testing::Random& random, const Case& c) {
  const auto links = static_cast<Index>(c.links.size());
  const auto bodies = static_cast<Index>(c.obstacles.size());
  Separations table(links, bodies, random.below(2) ? 0 : 0.02);
  for (Index a = 0; a < links; ++a) {
    for (Index b = a + 1; b < links; ++b)
      if (random.below(2)) table.set_links(b, a, random.uniform(0, 0.1));
    for (Index body = 0; body < bodies; ++body)
      if (random.below(2)) table.set_body(a, body, random.uniform(0, 0.4));
  }
  return std::make_shared<const Separations>(table);
}

/// The earliest of all pairs, by another method; all separations are `more` than what is asked.
/// Pairs without a separation have no smaller one to be asked for.
double earliest(const Case& c, const Robot& robot, const RobotOptions& asked, double more) {
  Options other = asked.options;
  other.method = Method::hca;
  double best = std::numeric_limits<double>::infinity();
  const Separations* table = asked.separations.get();
  const auto offer = [&](const Body& a, const Body& b, double own) {
    other.separation = (table ? own : asked.options.separation) + more;
    if (other.separation < 0) return;
    best = std::min(best, first_contact(a, b, other).toc);
  };
  const auto of_links = [&](auto i, auto j) {
    return table ? table->of_links(static_cast<Index>(i), static_cast<Index>(j)) : 0;
  };
  const auto of_body = [&](auto i, auto j) {
    return table ? table->of_body(static_cast<Index>(i), static_cast<Index>(j)) : 0;
  };
  std::vector<Motion> motions;
  for (const Link& link : c.links) motions.push_back(c.motion(robot, link.joint));
  for (std::size_t i = 0; i < c.links.size(); ++i) {
    for (std::size_t j = i + 1; j < c.links.size(); ++j)
      if (i != 0 || j != 1)
        offer({*c.links[i].mesh, motions[i]}, {*c.links[j].mesh, motions[j]}, of_links(i, j));
    for (std::size_t j = 0; j < c.obstacles.size(); ++j)
      if (c.links[i].joint >= 0 || !c.motions[j].is_fixed())
        offer({*c.links[i].mesh, motions[i]}, {c.obstacles[j], c.motions[j]}, of_body(i, j));
  }
  return best;
}

struct Asked {
  const Case& c;
  const Robot& robot;
  const World& world;
  double none_before, some_by;  ///< a contact is due between these
};

/// A contact may be reported up to the tolerance early, so that times differ by what the distance
/// takes from separation + tolerance to separation: the answer with the other one's time must hold
/// for a larger separation.
bool keeps_contract(const Asked& asked, const RobotOptions& options) {
  const double *start = asked.c.start.data(), *end = asked.c.end.data();
  const RobotContact found = first_contact(asked.robot, asked.world, start, end, options);
  CHECK(found.contact.status != Status::undecided);
  CHECK(asked.none_before <= found.contact.toc);
  CHECK(found.contact.toc <= asked.some_by);
  CHECK(found.stages.pairs_after_culling <= found.stages.pairs_after_hierarchy);
  RobotOptions any_of = options;
  any_of.any = true;
  const RobotContact any = first_contact(asked.robot, asked.world, start, end, any_of);
  CHECK(any.contact.status != Status::undecided);
  CHECK(asked.none_before <= any.contact.toc);
  if (asked.some_by <= 1) CHECK(any.contact.status != Status::free);
  return found.contact.status != Status::free;
}

bool agree(const Case& c, const Robot& robot, const World& world, RobotOptions options) {
  const double more = 2 * options.options.tolerance;
  const Asked asked{c, robot, world, earliest(c, robot, options, more),
                    earliest(c, robot, options, -more)};
  const bool touches = keeps_contract(asked, options);
  options.options.method = Method::hca;
  for (const bool temporal : {true, false}) {
    options.temporal = temporal;
    keeps_contract(asked, options);
  }
  options.options.method = Method::interval;
  for (const bool hierarchy : {true, false})
    for (const bool swept : {true, false}) {
      options.hierarchy = hierarchy, options.swept = swept;
      keeps_contract(asked, options);
    }
  return touches;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 600;
  testing::Random random(argc > 2 ? std::atoi(argv[2]) : 11);
  int touching = 0;
  for (int i = 0; i < count; ++i) {
    const Case c(random);
    const Robot robot(c.joints, c.links, {{0, 1}});
    std::vector<const Mesh*> meshes;
    for (const Mesh& mesh : c.obstacles) meshes.push_back(&mesh);
    const World world(meshes, c.motions);
    RobotOptions options;
    options.options.tolerance = 1e-5;
    options.options.separation = random.below(2) ? 1e-4 : 0.05;
    if (random.below(3) == 0) {
      options.separations = random_separations(random, c);
      options.options.separation = options.separations->most();
    }
    touching += agree(c, robot, world, options);
  }
  std::printf("%d of %d touch\n", touching, count);
  CHECK(count < 600 || (touching > 0.1 * count && touching < 0.95 * count));
}
