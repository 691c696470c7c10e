// What a simulation saves, and goes on from.
#include <algorithm>

#include "toccata/base/expects.hpp"
#include "toccata/dynamics/simulation.hpp"

namespace toccata {
namespace {

template <class Visit>
void visit3(Vec3d& v, const Visit& visit) {
  visit(v.x), visit(v.y), visit(v.z);
}

/// Visits the numbers of a body that change, in one order: to write and to read them.
template <class Visit>
void visit_numbers(SimulatedBody& body, const Visit& visit) {
  Mat3d& rotation = body.state.rotation;
  for (Vec3d* const v : {&rotation.x, &rotation.y, &rotation.z, &body.state.center,
                         &body.state.velocity, &body.state.spin, &body.force, &body.torque})
    visit3(*v, visit);
  visit(body.clock), visit(body.quiet);
  double group = body.group;
  visit(group);
  body.group = static_cast<Index>(group);
}

template <class Visit>
void visit_numbers(Bearing& bearing, const Visit& visit) {
  const auto visit_whole = [&](auto& value) {
    double number = static_cast<double>(value);
    visit(number);
    value = static_cast<std::remove_reference_t<decltype(value)>>(number);
  };
  visit_whole(bearing.kind);
  for (Index& v : bearing.vertices_a) visit_whole(v);
  for (Index& v : bearing.vertices_b) visit_whole(v);
  visit3(bearing.point, visit), visit3(bearing.normal, visit), visit3(bearing.impulse, visit);
  visit(bearing.distance);
}

/// All joints are active until the next step chooses: which ones were is not part of a state. Those
/// that are given stay.
void choose_anew(SimulatedRobot& robot) {
  if (robot.choice.activity == Activity::chosen) robot.body->adapt({});
  robot.body->set(robot.q, robot.v);
}

}  // namespace

/// What is kept of pairs only saves time, but of two true answers it may lead to another one: who
/// goes on and who starts again from here know the same.
std::vector<double> Simulation::state() {
  for (SimulatedPair& pair : pairs_) pair.memory = {};
  std::vector<double> numbers{static_cast<double>(steps_), static_cast<double>(next_group_)};
  const auto write = [&](double& value) { numbers.push_back(value); };
  for (SimulatedBody body : bodies_) visit_numbers(body, write);
  for (SimulatedRobot& robot : robots_) {
    choose_anew(robot);
    numbers.insert(numbers.end(), robot.q.begin(), robot.q.end());
    numbers.insert(numbers.end(), robot.v.begin(), robot.v.end());
    numbers.push_back(robot.lost);
  }
  for (const SimulatedPair& pair : pairs_) {
    if (pair.bearings.empty()) continue;
    numbers.insert(numbers.end(), {static_cast<double>(pair.a), static_cast<double>(pair.b),
                                   pair.duration, static_cast<double>(pair.bearings.size())});
    for (Bearing bearing : pair.bearings) visit_numbers(bearing, write);
  }
  return numbers;
}

void Simulation::restore(std::span<const double> state) {
  std::size_t next = 0;
  const auto read = [&](double& value) {
    expects(next < state.size(), "state", "expected one of the same bodies");
    value = state[next++];
  };
  double steps = 0, group = 0;
  read(steps), read(group);
  std::vector<SimulatedBody> bodies = bodies_;  // a state that is refused changes nothing
  std::vector<SimulatedPair> pairs;
  for (SimulatedBody& body : bodies) visit_numbers(body, read);
  std::vector<std::vector<double>> robots;
  for (const SimulatedRobot& robot : robots_)
    for (const std::size_t count : {robot.q.size(), robot.v.size(), std::size_t{1}})
      for (double& number : robots.emplace_back(count)) read(number);
  while (next < state.size()) {
    SimulatedPair& pair = pairs.emplace_back();
    double a = 0, b = 0, count = 0;
    read(a), read(b), read(pair.duration), read(count);
    const auto known = static_cast<double>(size()), left = static_cast<double>(state.size() - next);
    expects(0 <= a && a < b && b < known && 0 <= count && count <= left, "state",
            "expected one of the same bodies");
    pair.a = static_cast<Index>(a), pair.b = static_cast<Index>(b);
    set_pair(pair);
    pair.bearings.resize(static_cast<std::size_t>(count));
    for (Bearing& bearing : pair.bearings) visit_numbers(bearing, read);
  }
  steps_ = static_cast<Count>(steps);
  next_group_ = static_cast<Index>(group);
  time_ = steps * options_.step;
  std::swap(bodies_, bodies), std::swap(pairs_, pairs);
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    robots_[r].q = robots[3 * r], robots_[r].v = robots[3 * r + 1];
    robots_[r].lost = robots[3 * r + 2][0];
    choose_anew(robots_[r]);
  }
  impacts_.clear();
}

}  // namespace toccata
