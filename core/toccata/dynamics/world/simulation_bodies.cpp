// Bookkeeping of the bodies in a simulation, in the order of their names.
#include <algorithm>

#include "toccata/dynamics/world/simulation.hpp"
#include "toccata/query/check_triangles.hpp"

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
  SimulatedBody body{};
  body.mesh = link.mesh;
  body.kind = link.joint < 0 ? BodyKind::fixed : BodyKind::free;
  body.mass = {1, link.mesh->center(), identity3};
  body.material = material;
  body.state = state_at(link.offset, body.mass);
  return body;
}

}  // namespace

void Simulation::add(const std::string& name, SimulatedBody body) {
  insert(name, std::move(body));
  number_links();
}

SimulatedBody& Simulation::insert(const std::string& name, SimulatedBody body) {
  check_triangles(*body.mesh, "mesh");
  if (body.is_free()) check(body.mass);
  measure(body);
  auto& ranks = ranks_[body.mesh];
  if (!ranks) ranks = std::make_shared<const FeatureRanks>(*body.mesh);
  body.ranks = ranks.get();
  const auto found = std::lower_bound(names_.begin(), names_.end(), name);
  const auto index = static_cast<Index>(found - names_.begin());
  names_.insert(found, name);
  bodies_.insert(bodies_.begin() + index, std::move(body));
  for (SimulatedPair& pair : pairs_) {
    pair.a += pair.a >= index;
    pair.b += pair.b >= index;
  }
  return bodies_[index];
}

void Simulation::remove(const std::string& name) {
  erase(name);
  number_links();
}

void Simulation::erase(const std::string& name) {
  const auto found = std::lower_bound(names_.begin(), names_.end(), name);
  const auto index = static_cast<Index>(found - names_.begin());
  wake_all();  // others may have rested on it
  const Mesh* const mesh = bodies_[index].mesh;
  names_.erase(found);
  bodies_.erase(bodies_.begin() + index);
  before_.clear();
  // Another mesh may get the same address.
  const auto has_mesh = [&](const SimulatedBody& body) { return body.mesh == mesh; };
  if (std::none_of(bodies_.begin(), bodies_.end(), has_mesh)) ranks_.erase(mesh);
  old_pairs_.clear();
  std::erase_if(pairs_, [&](const SimulatedPair& p) { return p.a == index || p.b == index; });
  for (SimulatedPair& pair : pairs_) {
    pair.a -= pair.a > index;
    pair.b -= pair.b > index;
  }
}

void Simulation::add_robot(const RobotParts& parts, const Material& material) {
  const auto found = std::lower_bound(
      robots_.begin(), robots_.end(), parts.name,
      [](const SimulatedRobot& robot, const std::string& name) { return robot.name < name; });
  const auto index = static_cast<Index>(found - robots_.begin());
  for (SimulatedBody& body : bodies_) body.robot += body.robot >= index;
  std::vector<LinkSite> sites;
  for (std::size_t i = 0; i < parts.links.size(); ++i) {
    const RobotLink& link = parts.links[i];
    SimulatedBody body = link_body(link, material);
    body.robot = index, body.link = static_cast<Index>(i);
    const SimulatedBody& added = insert(link.name, std::move(body));
    sites.push_back({link.joint, link.offset, added.mass.center, added.radius});
  }
  const auto joints = parts.body->joints();
  robots_.insert(robots_.begin() + index,
                 {parts.name,
                  parts.body,
                  parts.choice,
                  LinkTree({joints.begin(), joints.end()}, std::move(sites)),
                  parts.tested,
                  parts.ignored,
                  std::vector<Index>(parts.links.size()),
                  {},
                  {},
                  {}});
  number_links();
  read_robots();
}

void Simulation::remove_robot(const std::string& name) {
  const auto found = std::find_if(robots_.begin(), robots_.end(),
                                  [&](const SimulatedRobot& robot) { return robot.name == name; });
  const auto index = static_cast<Index>(found - robots_.begin());
  std::vector<std::string> links;
  for (const Index i : found->bodies) links.push_back(names_[i]);
  robots_.erase(found);
  for (const std::string& link : links) erase(link);
  for (SimulatedBody& body : bodies_) body.robot -= body.robot > index;
  number_links();
}

void Simulation::number_links() {
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (bodies_[i].robot >= 0)
      robots_[bodies_[i].robot].bodies[bodies_[i].link] = static_cast<Index>(i);
}

}  // namespace toccata
