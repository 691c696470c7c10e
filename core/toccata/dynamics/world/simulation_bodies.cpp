// Which bodies a simulation has, in the order of their names.
#include <algorithm>

#include "toccata/dynamics/world/simulation.hpp"
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

/// Contacts see only where a link is and how it moves: its mass is that of its robot.
SimulatedBody link_body(const RobotLink& link, const Material& material) {
  SimulatedBody body{};
  body.mesh = link.mesh;
  body.kind = link.joint < 0 ? BodyKind::fixed : BodyKind::free;
  body.mass = {1, link.mesh->center(), identity3};
  body.material = material;
  body.state = state_at(link.place, body.mass);
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
  const auto place = std::lower_bound(names_.begin(), names_.end(), name);
  const auto index = static_cast<Index>(place - names_.begin());
  names_.insert(place, name);
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
  const auto place = std::lower_bound(names_.begin(), names_.end(), name);
  const auto index = static_cast<Index>(place - names_.begin());
  wake_all();  // it may have borne others
  const Mesh* const mesh = bodies_[index].mesh;
  names_.erase(place);
  bodies_.erase(bodies_.begin() + index);
  before_.clear();
  // The mesh may end now, and another one take its place.
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
  const auto place = std::lower_bound(
      robots_.begin(), robots_.end(), parts.name,
      [](const SimulatedRobot& robot, const std::string& name) { return robot.name < name; });
  const auto index = static_cast<Index>(place - robots_.begin());
  for (SimulatedBody& body : bodies_) body.robot += body.robot >= index;
  std::vector<LinkSite> sites;
  for (std::size_t i = 0; i < parts.links.size(); ++i) {
    const RobotLink& link = parts.links[i];
    SimulatedBody body = link_body(link, material);
    body.robot = index, body.link = static_cast<Index>(i);
    const SimulatedBody& added = insert(link.name, std::move(body));
    sites.push_back({link.joint, link.place, added.mass.center, added.radius});
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
  const auto place = std::find_if(robots_.begin(), robots_.end(),
                                  [&](const SimulatedRobot& robot) { return robot.name == name; });
  const auto index = static_cast<Index>(place - robots_.begin());
  std::vector<std::string> links;
  for (const Index i : place->bodies) links.push_back(names_[i]);
  robots_.erase(place);
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
