// Kinematics of single joints: pose and motions of the frame that a joint moves, and the rates of
// the joints of a robot in one vector.
#pragma once

#include <array>
#include <vector>

#include "toccata/dynamics/body/spatial.hpp"
#include "toccata/robot/joint.hpp"

namespace toccata {

/// Returns the number of rates of a joint. The rates of a floating joint are the velocity of its
/// frame's origin and the spin, in the axes of the frame at zero. All other rates are time
/// derivatives of coordinates.
constexpr Index freedom_count(JointKind kind) {
  return kind == JointKind::floating ? 6 : kind == JointKind::planar ? 3 : 1;
}

/// Returns the pose of the frame that a joint moves, relative to the frame at zero.
Pose joint_pose(const Joint& joint, const double* q);

/// Computes the motions per unit of each rate, in the axes of the moved frame, which has the
/// orientation `turned` relative to the frame at zero. For a mimic joint, the rates are those of
/// its own frame.
void joint_columns(const Joint& joint, const Mat3d& turned, Spatial* columns);

/// Moves the coordinates of a joint along its rates for `time` seconds, straight in joint space.
/// Quaternions keep length 1.
void advance_joint(const Joint& joint, const double* rates, double time, double* q);

/// Positions of the rates of joints in a vector of velocities, in the order of configurations. A
/// mimic joint has the rates of the joint that it follows.
struct FreedomTable {
  explicit FreedomTable(std::span<const Joint> joints);

  std::vector<Index> first;   ///< by joint: its first rate
  std::vector<Index> leader;  ///< by joint: the joint with its rates, itself unless it is a mimic
  Index freedoms = 0, coordinates = 0;
};

}  // namespace toccata
