// Robots and worlds with all lengths multiplied by a power of two: see math/scale.hpp.
#pragma once

#include <deque>

#include "toccata/query/articulated/clearance.hpp"

namespace toccata {

/// The exponent for all queries of a robot in a world whose ways are no longer than the two are
/// large; 0, mostly: leave them as they are.
int scaling_of(const Robot& robot, const World& world);
/// The same for one way, of any length.
int scaling_of(const Robot& robot, const World& world, const RobotMotion& motion);

/// Copies of a robot and its world, and of the meshes that they point to. Configurations stay what
/// they are: the joints scale them.
class ScaledSetting {
 public:
  ScaledSetting(const Robot& robot, const World& world, int exponent);
  const Robot& robot() const { return robot_; }
  const World& world() const { return world_; }

 private:
  std::deque<Mesh> meshes_;
  Robot robot_;
  World world_;
};

RobotOptions scaled(const RobotOptions& options, int exponent);
ClearanceOptions scaled(const ClearanceOptions& options, int exponent);
RobotContact scaled_back(RobotContact found, const RobotOptions& asked, int exponent);
RobotClearance scaled_back(RobotClearance found, const ClearanceOptions& asked, int exponent);

}  // namespace toccata
