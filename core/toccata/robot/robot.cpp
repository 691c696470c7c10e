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
  return {joint.place, {0, 0, 0}, {0, 0, 0}, joint.place.rotation * joint.axes.z};
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

/// Pairs, and the frames that they are seen from.
void Robot::find_pairs(const std::vector<std::pair<Index, Index>>& ignored) {
  constexpr Index unwanted = -2;
  id_ = next_id();
  const auto link_count = static_cast<Index>(links_.size());
  pairs_.clear(), frames_.clear(), paths_.clear(), world_frames_.clear();
  frames_of_joint_.assign(joints_.size(), {});
  for (Index j = 0; j < static_cast<Index>(joints_.size()); ++j)
    world_frames_.push_back(frame(-1, j));
  pair_numbers_.assign(links_.size() * links_.size(), -1);
  for (const auto& [a, b] : ignored) {
    expects(0 <= a && a < b && b < link_count, "ignored", "expected pairs of links in order");
    pair_numbers_[a * links_.size() + b] = unwanted;
  }
  std::vector<Index> common;
  for (Index a = 0; a < link_count; ++a) {
    const Index i = links_[a].joint;
    find_common(i, common);
    for (Index b = a + 1; b < link_count; ++b) {
      Index& number = pair_numbers_[a * links_.size() + b];
      const Index j = links_[b].joint, root = common[j + 1];
      const bool together = i == j && links_[a].base == links_[b].base;
      if (together || number == unwanted) continue;
      number = static_cast<Index>(pairs_.size());
      pairs_.push_back({a, b, root, frame(root, i), frame(root, j)});
    }
  }
}

/// All that lengths tell.
void Robot::measure() {
  turns_.clear();
  covers_.clear();
  radii_ = {};
  extent_ = 0;
  id_ = next_id();
  assembly_ = std::make_shared<const Assembly>(joints_, links_, coordinates_);
  for (const Joint& joint : joints_) {
    turns_.push_back(turn_from_zero(joint));
    extent_ = std::max(extent_, largest(joint.place.translation));
  }
  for (const Link& link : links_) {
    covers_.push_back(line_swept_around(*link.mesh));
    radii_.add(link.mesh->radius());
    extent_ = std::max(extent_, link.mesh->extent());
  }
}

Robot Robot::scaled(int exponent, std::deque<Mesh>& meshes) const {
  Robot robot = *this;
  for (Joint& joint : robot.joints_) {
    joint.place = toccata::scaled(joint.place, exponent);
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

Index Robot::frame(Index root, Index joint) {
  if (joint == root) return -1;
  std::vector<Index>& known = frames_of_joint_[joint];
  if (known.empty()) known.assign(depth(joint), -1);
  if (known[depth(root)] >= 0) return known[depth(root)];
  const Index parent = frame(root, joints_[joint].parent);
  if (root < 0) {
    // The path of the joint before, if it is the parent's, goes on: a chain has one for all.
    if (parent >= 0 && frames_[parent].path_end != static_cast<Index>(paths_.size()))
      for (Index k = frames_[parent].path_begin; k < frames_[parent].path_end; ++k) {
        const Index above = paths_[k];
        paths_.push_back(above);
      }
    paths_.push_back(joint);
  }
  // The path from any root is the end of the path from the world, which came first.
  const Index end = root < 0 ? static_cast<Index>(paths_.size())
                             : frames_[world_frames_[joint]].path_end;
  const auto number = static_cast<Index>(frames_.size());
  frames_.push_back({root, parent, joint, end - (depth(joint) - depth(root)), end});
  return known[depth(root)] = number;
}

/// By number + 1, the last joint (-1: the world) that carries both `joint` and that one.
void Robot::find_common(Index joint, std::vector<Index>& common) const {
  common.assign(joints_.size() + 1, -1);
  for (Index j = joint; j >= 0; j = joints_[j].parent) common[j + 1] = j;
  // Parents come first. What does not carry the joint has it in common as far as its parent has.
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

void Robot::check_way(std::span<const double> rows, const char* argument) const {
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
