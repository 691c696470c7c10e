// Entries of bodies and robots, by name and by rank; springs, sleep and tested pairs.
#include "toccata/dynamics/world/body_table.hpp"

#include <algorithm>
#include <numeric>

#include "toccata/query/check_options.hpp"

namespace toccata {
namespace {

void measure(SimulatedBody& body) {
  Box box;
  double area = 0;
  for (std::size_t i = 0; i < body.mesh->faces().size(); ++i) {
    const Triangle t = body.mesh->triangle(static_cast<Index>(i));
    area += norm(cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0])) / 2;
    for (const Vec3d& p : t.corner) {
      extend(box, p);
      body.radius = std::max(body.radius, norm(p - body.mass.center));
    }
  }
  body.grain = std::sqrt(area / static_cast<double>(body.mesh->faces().size()));
  body.middle = center(box);
  body.half = extent(box) * 0.5;
}

/// Makes the body of a link. Contacts use its pose and velocity only; its mass belongs to the
/// robot.
SimulatedBody link_body(const RobotLink& link, const Material& material) {
  const MassProperties mass{1, link.mesh->center(), identity3};
  SimulatedBody body = free_body(*link.mesh, link.offset, mass, material);
  if (link.joint < 0) body.kind = BodyKind::fixed;
  return body;
}

}  // namespace

Index BodyTable::index(const std::string& name) const {
  return static_cast<Index>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

const SimulatedRobot& BodyTable::robot(const std::string& name) const {
  return *std::find_if(robots.begin(), robots.end(),
                       [&](const SimulatedRobot& robot) { return robot.name == name; });
}

void BodyTable::add(const std::string& name, SimulatedBody body) {
  insert(name, std::move(body));
  renumber();
}

void BodyTable::insert(const std::string& name, SimulatedBody body) {
  check_triangles(*body.mesh, "mesh");
  if (body.is_free()) check(body.mass);
  measure(body);
  auto& ranks = ranks_[body.mesh];
  if (!ranks) ranks = std::make_shared<const FeatureRanks>(*body.mesh);
  body.ranks = ranks.get();
  names_.push_back(name);
  bodies.push_back(std::move(body));
}

void BodyTable::renumber() {
  by_name_.resize(bodies.size()), rank_.resize(bodies.size());
  std::iota(by_name_.begin(), by_name_.end(), 0);
  std::sort(by_name_.begin(), by_name_.end(),
            [&](Index i, Index j) { return names_[i] < names_[j]; });
  for (std::size_t k = 0; k < by_name_.size(); ++k) rank_[by_name_[k]] = static_cast<Index>(k);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].robot >= 0)
      robots[bodies[i].robot].bodies[bodies[i].link] = static_cast<Index>(i);
  unlinked_.clear();
  for (SimulatedRobot& robot : robots) robot.leader = -1, robot.moving_links = 0, robot.boxed = 0;
  for (const Index i : by_name_) {
    if (!bodies[i].is_link()) {
      unlinked_.push_back(rank_[i]);
      continue;
    }
    SimulatedRobot& robot = robots[bodies[i].robot];
    if (robot.moving_links++ == 0) robot.leader = i;
  }
}

void BodyTable::remove(Index index) {
  wake_all();  // others may have rested on it
  const Mesh* const mesh = bodies[index].mesh;
  names_.erase(names_.begin() + index);
  bodies.erase(bodies.begin() + index);
  // Another mesh may get the same address.
  const auto has_mesh = [&](const SimulatedBody& body) { return body.mesh == mesh; };
  if (std::none_of(bodies.begin(), bodies.end(), has_mesh)) ranks_.erase(mesh);
  renumber();
}

void BodyTable::add_robot(const RobotParts& parts, const Material& material) {
  const auto next = std::lower_bound(
      robots.begin(), robots.end(), parts.name,
      [](const SimulatedRobot& robot, const std::string& name) { return robot.name < name; });
  const auto index = static_cast<Index>(next - robots.begin());
  for (SimulatedBody& body : bodies) body.robot += body.robot >= index;
  std::vector<LinkSite> sites;
  for (std::size_t i = 0; i < parts.links.size(); ++i) {
    const RobotLink& link = parts.links[i];
    SimulatedBody body = link_body(link, material);
    body.robot = index, body.link = static_cast<Index>(i);
    insert(link.name, std::move(body));
    const SimulatedBody& added = bodies.back();
    sites.push_back({link.joint, link.offset, added.mass.center, added.radius});
  }
  const auto joints = parts.body->joints();
  robots.insert(robots.begin() + index, {parts.name,
                                         parts.body,
                                         parts.choice,
                                         LinkTree({joints.begin(), joints.end()}, std::move(sites)),
                                         parts.tested,
                                         parts.ignored,
                                         std::vector<Index>(parts.links.size()),
                                         {},
                                         {},
                                         {}});
  renumber();
  read_robots();
}

void BodyTable::remove_robot(const std::string& name) {
  const auto index = static_cast<Index>(&robot(name) - robots.data());
  robots.erase(robots.begin() + index);
  for (SimulatedBody& body : bodies) body.robot -= body.robot > index;
}

bool BodyTable::read_robots() {
  bool is_elsewhere = false;
  for (SimulatedRobot& robot : robots) {
    if (!robot.differs()) continue;
    const bool moved = robot.is_elsewhere();
    robot.q.assign(robot.body->q().begin(), robot.body->q().end());
    robot.v.assign(robot.body->v().begin(), robot.body->v().end());
    robot.tau = robot.body->tau;
    robot.lost = 0;
    robot.follow_joints(moved);
    place_links(robot);
    if (moved) wake_all();  // others may have rested on it
    for (const Index i : robot.bodies) {
      wake(i);
      if (moved) bodies[i].is_certified = false;
    }
    is_elsewhere |= moved;
  }
  return is_elsewhere;
}

/// Springs exchange energy, so robots that they connect are in one island.
void BodyTable::connect_robots() {
  for (std::size_t r = 0; r < robots.size(); ++r) robots[r].connected = static_cast<Index>(r);
  const auto join = [&](Index a, Index b) {
    for (SimulatedRobot& robot : robots)
      if (robot.connected == std::max(a, b)) robot.connected = std::min(a, b);
  };
  for (const SimulatedRobot& robot : robots)
    for (const Spring& spring : robot.body->springs)
      for (const SimulatedRobot& other : robots)
        if (other.body == spring.other) join(robot.connected, other.connected);
}

bool BodyTable::tests(Index i, Index j) const {
  const SimulatedBody &a = bodies[i], &b = bodies[j];
  if (a.robot >= 0 && a.robot == b.robot) return robots[a.robot].tests(a.link, b.link);
  const auto ignores = [&](const SimulatedBody& body, Index other) {
    return body.robot >= 0 && robots[body.robot].ignored.contains({body.link, names_[other]});
  };
  return !ignores(a, j) && !ignores(b, i);
}

bool BodyTable::is_asleep(const SimulatedRobot& robot) const {
  return bodies[robot.leader].is_asleep();
}

void BodyTable::put_to_sleep(const SimulatedRobot& robot, Index group) {
  for (const Index i : robot.bodies)
    if (bodies[i].is_link()) bodies[i].group = group;
}

void BodyTable::wake(Index i) {
  const Index group = bodies[i].group;
  for (SimulatedBody& body : bodies)
    if (&body == &bodies[i] || (group >= 0 && body.group == group)) body.group = -1, body.quiet = 0;
}

void BodyTable::wake_all() {
  for (SimulatedBody& body : bodies) body.quiet = 0, body.group = -1;
}

void BodyTable::wake_by_springs() {
  for (const SimulatedRobot& robot : robots)
    for (const Spring& spring : robot.body->springs)
      for (const SimulatedRobot& other : robots)
        if (other.body == spring.other && !is_asleep(robot) && is_asleep(other))
          for (const Index i : other.bodies) wake(i);
}

double BodyTable::energy(const Vec3d& gravity) const {
  double sum = 0;
  for (const Index i : by_name_) {
    const SimulatedBody& body = bodies[i];
    if (body.is_free() && !body.is_link())
      sum += kinetic_energy(body.state, body.mass) -
             body.mass.mass * dot(gravity, body.state.center);
  }
  for (const SimulatedRobot& robot : robots) sum += robot.with(robot.v).energy();
  return sum;
}

}  // namespace toccata
