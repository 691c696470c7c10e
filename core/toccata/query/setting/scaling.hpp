// Scaled copies of settings, for queries with lengths that are too small or too large for the
// arithmetic of the methods.
//
// All lengths are multiplied by a power of two, which is exact (math/scale.hpp). The lengths of the
// answer are divided by it. `in_ordinary_lengths` does this for any query.
#pragma once

#include <array>
#include <deque>

#include "toccata/base/of_thread.hpp"
#include "toccata/query/setting/many_bodies.hpp"
#include "toccata/query/setting/robot_in_world.hpp"
#include "toccata/query/setting/two_bodies.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {

/// Copies of the bodies of a scene with all lengths scaled.
class ScaledBodies {
 public:
  ScaledBodies(const ManyBodies& setting, int exponent);
  ManyBodies setting() const { return {world_, broad_, query_}; }

 private:
  std::deque<Mesh> meshes_;
  BodySet world_;
  SceneBroadPhase broad_;
  SceneQuery query_;
};

/// Copies of a robot and its world with all lengths scaled. Configurations are the same, because
/// the joints scale them.
class ScaledRobot {
 public:
  ScaledRobot(const Robot& robot, const BodySet& world, int exponent);
  const Robot& robot() const { return robot_; }
  const BodySet& world() const { return world_; }

 private:
  std::deque<Mesh> meshes_;
  Robot robot_;
  BodySet world_;
};

/// Returns the exponent for all motions that are not longer than the robot and the world; 0 for
/// ordinary lengths.
int scaling_of(const Robot& robot, const BodySet& world);
/// Returns the exponent for one motion of any length.
int scaling_of(const Robot& robot, const BodySet& world, const RobotMotion& motion);

RobotOptions scaled(const RobotOptions& options, int exponent);

/// Converts an answer back to the lengths of the query. `options` are the options before scaling.
inline SceneContact scaled_back(SceneContact found, const Options& options, int exponent) {
  found.contact = scaled_back(found.contact, options, exponent);
  return found;
}
inline RobotContact scaled_back(RobotContact found, const Options& options, int exponent) {
  found.contact = scaled_back(found.contact, options, exponent);
  return found;
}
inline Distance scaled_back(const Distance& found, const Options&, int exponent) {
  return scaled_back(found, exponent);
}
inline Proximity scaled_back(Proximity found, const Options&, int exponent) {
  scale_back(found, exponent);
  return found;
}
/// Returns times and indices unchanged.
inline Interval scaled_back(const Interval& found, const Options&, int) { return found; }
inline Candidate scaled_back(const Candidate& found, const Options&, int) { return found; }
template <class T>
std::vector<T> scaled_back(std::vector<T> found, const Options& options, int exponent) {
  for (T& one : found) one = scaled_back(std::move(one), options, exponent);
  return found;
}

/// Answers a query about a setting in ordinary lengths. `query` takes a setting and the exponent of
/// its scale.
template <class Query>
auto in_ordinary_lengths(const TwoBodies& setting, const Query& query) {
  const int exponent = scaling_of(std::array{setting.a, setting.b});
  if (exponent == 0) [[likely]]
    return query(setting, 0);
  const ScaledBody a(setting.a, exponent), b(setting.b, exponent);
  const TwoBodies copy{a, b, scaled(setting.options, exponent)};
  return scaled_back(query(copy, exponent), setting.options, exponent);
}

template <class Query>
auto in_ordinary_lengths(const ManyBodies& setting, const Query& query) {
  const int exponent = scaling_for(setting.world.extent());
  if (exponent == 0) [[likely]]
    return query(setting, 0);
  const ScaledBodies copy(setting, exponent);
  return scaled_back(query(copy.setting(), exponent), setting.query.options, exponent);
}

/// Answers a query about a robot on one motion in ordinary lengths. `query` takes the robot in its
/// world as a setting, and the exponent of its scale.
template <class Query>
auto in_ordinary_lengths(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                         const RobotOptions& options, const Query& query) {
  const auto answer = [&](const Robot& r, const BodySet& w, const RobotOptions& own, int exponent) {
    LinkPoses& poses = of_thread<LinkPoses>();
    poses.start(r, motion);
    RobotInWorld setting(r, w, poses, of_thread<BroadPhase>(), own, own.options);
    return query(setting, exponent);
  };
  const int exponent = scaling_of(robot, world, motion);
  if (exponent == 0) [[likely]]
    return answer(robot, world, options, 0);
  const ScaledRobot copy(robot, world, exponent);
  return scaled_back(answer(copy.robot(), copy.world(), scaled(options, exponent), exponent),
                     options.options, exponent);
}

}  // namespace toccata
