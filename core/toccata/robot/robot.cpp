// Robots: enumerates the pairs of links to test, and the frames relative to which they move.
#include "toccata/robot/robot.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "toccata/base/expects.hpp"
#include "toccata/math/scale.hpp"

namespace toccata {
namespace {

Count next_id() {
  static std::atomic<Count> last{0};
  return ++last;
}

Twist turn_from_zero(const Joint& joint) {
  return {joint.origin, {0, 0, 0}, {0, 0, 0}, joint.origin.rotation * joint.axes.z};
}

}  // namespace

Robot::Robot(std::vector<Joint> joints, std::vector<Link> links,
             const std::vector<std::pair<Index, Index>>& ignored)
    : joints_(std::move(joints)), links_(std::move(links)) {
  const auto joint_count = static_cast<Index>(joints_.size());
  for (Index j = 0; j < joint_count; ++j) {
    expects(joints_[j].parent >= -1 && joints_[j].parent < j, "joints",
            "expected each joint after its parent");
    coordinates_ =
        std::max(coordinates_, joints_[j].coordinate + coordinate_count(joints_[j].kind));
    depths_.push_back(depth(joints_[j].parent) + 1);
  }
  for (const Link& link : links_)
    expects(link.joint >= -1 && link.joint < joint_count, "links", "expected a joint of the robot");
  measure();
  find_pairs(ignored);
}

Robot Robot::ignoring(const std::vector<std::pair<Index, Index>>& ignored) const {
  Robot robot = *this;
  robot.find_pairs(ignored);
  return robot;
}

/// Lists the pairs of links, and their frames relative to their carriers.
void Robot::find_pairs(const std::vector<std::pair<Index, Index>>& ignored) {
  constexpr Index unwanted = -2;
  id_ = next_id();
  const auto link_count = static_cast<Index>(links_.size());
  pairs_.clear(), frames_.clear(), paths_.clear(), world_frames_.clear();
  frames_of_joint_.assign(joints_.size(), {});
  for (Index j = 0; j < static_cast<Index>(joints_.size()); ++j)
    world_frames_.push_back(frame(-1, j));
  pair_indices_.assign(links_.size() * links_.size(), -1);
  for (const auto& [a, b] : ignored) {
    expects(0 <= a && a < b && b < link_count, "ignored", "expected pairs of links in order");
    pair_indices_[a * links_.size() + b] = unwanted;
  }
  std::vector<Index> common;
  for (Index a = 0; a < link_count; ++a) {
    const Index i = links_[a].joint;
    find_common(i, common);
    for (Index b = a + 1; b < link_count; ++b) {
      Index& number = pair_indices_[a * links_.size() + b];
      const Index j = links_[b].joint, carrier = common[j + 1];
      const bool together = i == j && links_[a].base == links_[b].base;
      if (together || number == unwanted) continue;
      number = static_cast<Index>(pairs_.size());
      pairs_.push_back({a, b, carrier, frame(carrier, i), frame(carrier, j)});
    }
  }
}

/// Computes all data that depends on lengths.
void Robot::measure() {
  turns_.clear();
  line_swept_.clear();
  radii_ = {};
  extent_ = 0;
  id_ = next_id();
  assembly_ = std::make_shared<const Assembly>(joints_, links_, coordinates_);
  for (const Joint& joint : joints_) {
    turns_.push_back(turn_from_zero(joint));
    extent_ = std::max(extent_, largest(joint.origin.translation));
  }
  for (const Link& link : links_) {
    line_swept_.push_back(line_swept_around(*link.mesh));
    radii_.add(link.mesh->radius());
    extent_ = std::max(extent_, link.mesh->extent());
  }
}

Robot Robot::scaled(int exponent, std::deque<Mesh>& meshes) const {
  Robot robot = *this;
  for (Joint& joint : robot.joints_) {
    joint.origin = toccata::scaled(joint.origin, exponent);
    if (joint.kind == JointKind::revolute) continue;
    joint.factor = toccata::scaled(joint.factor, exponent);
    joint.offset = toccata::scaled(joint.offset, exponent);
  }
  for (Link& link : robot.links_) link.mesh = &meshes.emplace_back(link.mesh->scaled(exponent));
  robot.measure();
  return robot;
}

Twist Robot::motion(Index i, const double* start, const double* end) const {
  const Joint& joint = joints_[i];
  if (joint.kind != JointKind::revolute) return joint_motion(joint, start, end);
  const double a = start[joint.coordinate], b = end[joint.coordinate];
  return {turns_[i], joint.factor * a + joint.offset, joint.factor * (b - a)};
}

void Robot::motions(const double* start, const double* end, std::vector<Twist>& joints) const {
  joints.clear();
  for (Index i = 0; i < static_cast<Index>(joints_.size()); ++i)
    joints.push_back(motion(i, start, end));
}

std::span<const Index> Robot::path(Index frame) const {
  if (frame < 0) return {};
  const Frame& f = frames_[frame];
  return {paths_.data() + f.path_begin, paths_.data() + f.path_end};
}

Index Robot::frame(Index carrier, Index joint) {
  if (joint == carrier) return -1;
  std::vector<Index>& known = frames_of_joint_[joint];
  if (known.empty()) known.assign(depth(joint), -1);
  if (known[depth(carrier)] >= 0) return known[depth(carrier)];
  const Index parent = frame(carrier, joints_[joint].parent);
  if (carrier < 0) {
    // Continues the path of the previous joint if it is the parent: a serial chain needs one path
    // only.
    if (parent >= 0 && frames_[parent].path_end != static_cast<Index>(paths_.size()))
      for (Index k = frames_[parent].path_begin; k < frames_[parent].path_end; ++k) {
        const Index above = paths_[k];
        paths_.push_back(above);
      }
    paths_.push_back(joint);
  }
  // The path from any carrier is the end of the path from the world, which was made first.
  const Index end = carrier < 0 ? static_cast<Index>(paths_.size())
                                : frames_[world_frames_[joint]].path_end;
  const auto number = static_cast<Index>(frames_.size());
  frames_.push_back({carrier, parent, joint, end - (depth(joint) - depth(carrier)), end});
  return known[depth(carrier)] = number;
}

/// Computes, for each joint, the deepest joint (-1: the world) that carries both it and `joint`.
/// The result for a joint is at its index + 1.
void Robot::find_common(Index joint, std::vector<Index>& common) const {
  common.assign(joints_.size() + 1, -1);
  for (Index j = joint; j >= 0; j = joints_[j].parent) common[j + 1] = j;
  // Parents come first. A joint that does not carry `joint` has the same common carrier as its
  // parent.
  for (Index j = 0; j < static_cast<Index>(joints_.size()); ++j)
    if (common[j + 1] < 0) common[j + 1] = common[joints_[j].parent + 1];
}

void Robot::check(std::span<const double> q, const char* argument) const {
  for (const double value : q)
    expects(std::isfinite(value) && std::abs(value) < 1e15, argument,
            "expected finite numbers below 1e15", value);
  for (const Joint& joint : joints_) {
    if (joint.kind != JointKind::floating) continue;
    const double* xyzw = q.data() + joint.coordinate + 3;
    const double size = xyzw[0] * xyzw[0] + xyzw[1] * xyzw[1] + xyzw[2] * xyzw[2] +
                        xyzw[3] * xyzw[3];
    expects(size > 1e-200 && size < 1e200, argument,
            "expected a quaternion of a length that is neither zero nor huge");
  }
}

void Robot::check_polynomials(std::span<const double> rows, const char* argument) const {
  const std::size_t width = coordinates_;
  check(rows.first(width), argument);
  for (const double value : rows.subspan(width))
    expects(std::isfinite(value) && std::abs(value) < 1e15, argument,
            "expected coefficients below 1e15", value);
  for (const Joint& joint : joints_)
    for (std::size_t k = 1; k < rows.size() / width && joint.kind == JointKind::floating; ++k)
      for (std::size_t i = 3; i < 7; ++i)
        expects(rows[k * width + joint.coordinate + i] == 0, argument,
                "expected floating joints that do not turn");
}

}  // namespace toccata
