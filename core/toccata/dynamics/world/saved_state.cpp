// Writer and reader of the numbers of a state, with checks of untrusted numbers.
#include "toccata/dynamics/world/saved_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

constexpr const char* of_same_bodies = "expected one of the same bodies";
constexpr double most_whole = 0x1p53;
constexpr double least_quaternion = 1e-100;

std::string state_of(const std::string& name) { return "state of '" + name + "'"; }

/// Writer of the numbers of a state.
class StateWriter {
 public:
  void operator()(double value) { numbers.push_back(value); }
  template <class Whole>
  void whole(Whole value, double, double) {
    numbers.push_back(static_cast<double>(value));
  }

  std::vector<double> numbers;
};

/// Reader of the numbers of a state, with checks of untrusted ones.
class StateReader {
 public:
  StateReader(std::span<const double> numbers, bool is_trusted)
      : numbers_(numbers), is_trusted_(is_trusted) {}

  std::size_t left() const { return numbers_.size() - next_; }
  /// Names the body of the next numbers, for messages.
  void of(const std::string& name) { name_ = name; }

  void operator()(double& value) {
    expects(left() > 0, "state", of_same_bodies);
    value = numbers_[next_++];
    if (is_trusted_ || std::isfinite(value)) return;
    const char* got = std::isnan(value) ? "nan" : "inf";
    throw std::invalid_argument((name_.empty() ? "state" : state_of(name_)) +
                                ": expected finite numbers, got " + got);
  }
  /// Reads a whole number between two bounds, such as an index.
  template <class Whole>
  void whole(Whole& value, double least, double most) {
    double number = 0;
    (*this)(number);
    expects(number >= least && number <= most && number == std::floor(number), "state",
            of_same_bodies);
    value = static_cast<Whole>(number);
  }

 private:
  std::span<const double> numbers_;
  bool is_trusted_;
  std::size_t next_ = 0;
  std::string name_;
};

template <class Vector, class Visitor>
void visit3(Vector& v, Visitor& visit) {
  visit(v.x), visit(v.y), visit(v.z);
}

/// Visits the variable numbers of a body in a fixed order, to write or to read them.
template <class Visitor>
void visit_numbers(SimulatedBody& body, Visitor& visit) {
  Mat3d& rotation = body.state.rotation;
  for (Vec3d* const v : {&rotation.x, &rotation.y, &rotation.z, &body.state.center,
                         &body.state.velocity, &body.state.spin, &body.force, &body.torque})
    visit3(*v, visit);
  visit(body.clock), visit(body.quiet);
  visit.whole(body.group, -1, std::numeric_limits<Index>::max());
  visit.whole(body.is_certified, 0, 1);
}

template <class Visitor>
void visit_numbers(Bearing& bearing, Visitor& visit) {
  visit.whole(bearing.kind, 0, static_cast<double>(Feature::surface));
  for (Face* const vertices : {&bearing.vertices_a, &bearing.vertices_b})
    for (Index& v : *vertices) visit.whole(v, -1, std::numeric_limits<Index>::max());
  visit3(bearing.point, visit), visit3(bearing.normal, visit), visit3(bearing.impulse, visit);
  visit(bearing.distance);
}

/// State of a robot with its articulated body.
struct RobotState {
  std::vector<double> q, v, tau, seen;
  double lost = 0;
  std::vector<std::uint8_t> active;
  ArticulatedBody::Schedule schedule;
  bool is_chosen = false;  ///< the active joints follow the choice of the simulation
  std::vector<FramePull> pulls;
};

template <class Visitor>
void visit_numbers(RobotState& robot, Visitor& visit) {
  for (std::vector<double>* const numbers : {&robot.q, &robot.v, &robot.tau, &robot.seen})
    for (double& number : *numbers) visit(number);
  visit(robot.lost);
  for (std::uint8_t& active : robot.active) visit.whole(active, 0, 1);
  visit.whole(robot.schedule.since_refresh, 0, std::numeric_limits<int>::max());
  visit(robot.schedule.rigid_metric);
  visit.whole(robot.is_chosen, 0, 1);
  std::size_t count = robot.pulls.size();
  visit.whole(count, 0, most_whole);
  if constexpr (std::is_same_v<Visitor, StateReader>)
    expects(count <= visit.left(), "state", of_same_bodies);
  robot.pulls.resize(count);
  for (FramePull& pull : robot.pulls) {
    visit.whole(pull.joint, -1, static_cast<double>(robot.active.size()) - 1);
    visit3(pull.point, visit), visit3(pull.force, visit), visit3(pull.torque, visit);
  }
}

RobotState state_of(const SimulatedRobot& robot) {
  const ArticulatedBody& body = *robot.body;
  RobotState state;
  state.q = robot.q, state.v = robot.v, state.tau = body.tau, state.seen = robot.tau;
  state.lost = robot.lost;
  state.active.assign(body.active().begin(), body.active().end());
  state.schedule = body.schedule();
  state.is_chosen = state.schedule.choice == robot.choice;
  state.pulls = body.pulls;
  return state;
}

/// Normalizes an untrusted pose as for a new start.
void check_state(SimulatedBody& body, const std::string& name) {
  double matrix[16];
  write_pose(body.pose(), matrix);
  const RigidState start = state_at(read_pose(matrix, state_of(name).c_str()), body.mass);
  body.state.rotation = start.rotation, body.state.center = start.center;
  body.is_certified = false;
}

void check_state(const RobotState& state, const SimulatedRobot& robot) {
  for (const Joint& joint : robot.body->joints()) {
    if (joint.kind != JointKind::floating) continue;
    const auto first = state.q.begin() + joint.coordinate + 3;
    if (std::none_of(first, first + 4, [](double x) { return std::abs(x) > least_quaternion; }))
      throw std::invalid_argument(state_of(robot.name) +
                                  ": expected quaternions of some length, got zeros");
  }
}

/// Restores a robot. Inactive joints with untrusted rates lose them, and momentum is conserved.
void resume(SimulatedRobot& robot, RobotState state) {
  ArticulatedBody& body = *robot.body;
  body.set(state.q, std::vector<double>(state.v.size(), 0.0));
  body.set_active(state.active);
  body.set(state.q, state.v);
  state.schedule.choice = state.is_chosen ? robot.choice : ActiveChoice{};
  body.set_schedule(state.schedule);
  body.tau = state.tau;
  body.pulls = state.pulls;
  robot.q = state.q;
  robot.v.assign(body.v().begin(), body.v().end());
  robot.tau = state.seen, robot.lost = state.lost;
  robot.follow_joints(true);
}

}  // namespace

std::vector<double> save_state(const StepCounters& counters, BodyTable& table,
                               std::vector<SimulatedPair>& pairs) {
  StateWriter write;
  write(static_cast<double>(counters.steps)), write(static_cast<double>(counters.next_group));
  for (const Index i : table.by_name()) visit_numbers(table.bodies[i], write);
  for (const SimulatedRobot& robot : table.robots) {
    RobotState state = state_of(robot);
    visit_numbers(state, write);
  }
  for (SimulatedPair& pair : pairs) {
    if (pair.bearings.empty()) continue;
    write(table.rank(pair.a)), write(table.rank(pair.b)), write(pair.duration);
    write(static_cast<double>(pair.bearings.size()));
    for (Bearing& bearing : pair.bearings) visit_numbers(bearing, write);
  }
  return std::move(write.numbers);
}

StepCounters restore_state(std::span<const double> state, bool is_trusted, BodyTable& table,
                           std::vector<SimulatedPair>& pairs) {
  StateReader read(state, is_trusted);
  StepCounters counters;
  read.whole(counters.steps, 0, most_whole);
  read.whole(counters.next_group, 0, std::numeric_limits<Index>::max());
  std::vector<SimulatedBody> bodies = table.bodies;  // a rejected state changes nothing
  for (const Index i : table.by_name()) {
    read.of(table.names()[i]);
    visit_numbers(bodies[i], read);
    if (!is_trusted) check_state(bodies[i], table.names()[i]);
  }
  std::vector<RobotState> robots;
  for (const SimulatedRobot& robot : table.robots) {
    read.of(robot.name);
    RobotState& next = robots.emplace_back(state_of(robot));
    visit_numbers(next, read);
    if (!is_trusted) check_state(next, robot);
  }
  std::vector<SimulatedPair> found;
  while (read.left() > 0) {
    SimulatedPair& pair = found.emplace_back();
    const double last = static_cast<double>(table.size()) - 1;
    std::size_t count = 0;
    read.of("");
    read.whole(pair.a, 0, last), read.whole(pair.b, pair.a + 1.0, last);
    pair.a = table.by_name()[pair.a], pair.b = table.by_name()[pair.b];
    read.of(table.names()[pair.a]);
    read(pair.duration), read.whole(count, 0, static_cast<double>(read.left()));
    pair.bearings.resize(count);
    for (Bearing& bearing : pair.bearings) visit_numbers(bearing, read);
  }
  std::swap(table.bodies, bodies), std::swap(pairs, found);
  for (std::size_t r = 0; r < robots.size(); ++r) {
    SimulatedRobot& robot = table.robots[r];
    resume(robot, std::move(robots[r]));
    // The links of a robot sleep together.
    table.put_to_sleep(robot, table.bodies[robot.leader].group);
    robot.is_pushed = true;
    robot.is_placed = is_trusted;
    if (!is_trusted) table.place_links(robot);
  }
  return counters;
}

}  // namespace toccata
