// Scaled copies of scenes and robots.
#include "toccata/query/setting/scaling.hpp"

#include "toccata/math/scale.hpp"

namespace toccata {
namespace {

BodySet scaled(const BodySet& world, int exponent, std::deque<Mesh>& meshes) {
  std::vector<const Mesh*> copies;
  std::vector<Motion> motions;
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i) {
    copies.push_back(&meshes.emplace_back(world.body(i).mesh.scaled(exponent)));
    motions.push_back(world.body(i).motion.scaled(exponent));
  }
  return {std::move(copies), std::move(motions)};
}

double extent_of(const Robot& robot, const RobotMotion& motion) {
  double extent = 0;
  for (const Joint& joint : robot.joints())
    extent = std::max(extent, motion.powers
                                  ? joint_curve(joint, motion, robot.coordinates()).extent()
                                  : joint_motion(joint, motion.start, motion.end).extent());
  return extent;
}

}  // namespace

ScaledBodies::ScaledBodies(const ManyBodies& setting, int exponent)
    : world_(scaled(setting.world, exponent, meshes_)),
      broad_(world_, setting.broad.ignored()),
      query_(setting.query.scaled(exponent)) {}

ScaledRobot::ScaledRobot(const Robot& robot, const BodySet& world, int exponent)
    : robot_(robot.scaled(exponent, meshes_)), world_(scaled(world, exponent, meshes_)) {}

int scaling_of(const Robot& robot, const BodySet& world) {
  return scaling_for(std::max(robot.extent(), world.extent()));
}

int scaling_of(const Robot& robot, const BodySet& world, const RobotMotion& motion) {
  const double extent = std::max(robot.extent(), world.extent());
  if (scaling_for(extent) == 0 && extent > 0) [[likely]]
    return 0;
  return scaling_for(std::max(extent, extent_of(robot, motion)));
}

RobotOptions scaled(const RobotOptions& options, int exponent) {
  RobotOptions result = options;
  result.options = scaled(options.options, exponent);
  if (options.separations)
    result.separations = std::make_shared<const Separations>(options.separations->scaled(exponent));
  if (options.starts)
    result.starts = std::make_shared<const PathStarts>(options.starts->scaled(exponent));
  return result;
}

}  // namespace toccata
