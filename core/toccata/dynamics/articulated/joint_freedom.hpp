// What a joint lets its frame do: where it puts it, along which motions, and how its numbers
// change.
#pragma once

#include <array>
#include <vector>

#include "toccata/dynamics/body/spatial.hpp"
#include "toccata/robot/joint.hpp"

namespace toccata {

/// How many rates belong to a joint. Those of a floating one are the velocity of its origin and the
/// spin, in the axes of its place; all others are rates of its numbers.
constexpr Index freedom_count(JointKind kind) {
  return kind == JointKind::floating ? 6 : kind == JointKind::planar ? 3 : 1;
}

/// The frame that a joint moves, relative to the joint's own at zero.
Pose joint_pose(const Joint& joint, const double* q);

/// The motions of a joint's rates, in the axes of its frame, which is at `turned` relative to the
/// joint's own; as many as it has rates. Of a mimic, rates are those of the frame.
void joint_columns(const Joint& joint, const Mat3d& turned, Spatial* columns);

/// Moves the numbers of a joint along its rates, straight, for some time. A quaternion stays one of
/// length 1.
void advance_joint(const Joint& joint, const double* rates, double time, double* q);

/// Where the rates of joints are in a vector of velocities: in the order of configurations. Mimics
/// have those of the joint they follow.
struct FreedomTable {
  explicit FreedomTable(std::span<const Joint> joints);

  std::vector<Index> first;   ///< by joint: its first rate
  std::vector<Index> leader;  ///< by joint: the one whose rates it has, itself for most
  Index freedoms = 0, coordinates = 0;
};

}  // namespace toccata
