// Active joints and rigid groups of a robot: links connected by inactive joints form a rigid group
// (Kim, Redon, Kim 2008, section 3).
//
// Transforms inside groups are kept in the assembly tree from motion to motion. A new motion
// updates only the nodes above joints that become active or inactive, or that have a new fixed
// pose.
#pragma once

#include <vector>

#include "toccata/robot/robot.hpp"

namespace toccata {

/// A frame relative to its carrier, with respect to which it does not move.
struct Seat {
  Index carrier = -1;  ///< the deepest active joint that carries the frame; -1: start of the path
  Pose pose;           ///< in the carrier's frame
  double length = 0;   ///< sum of the lengths of the joints' offsets in between
  Index joints = 0;    ///< number of joints in between; if 0, the pose is the identity
};

/// Counters of work.
struct AssemblyWork {
  Count nodes_updated = 0;  ///< nodes with new transforms or volumes
  Count products = 0;       ///< products of two transforms
  Count bodies_placed = 0;  ///< links transformed to another frame than their own
};

inline AssemblyWork& operator+=(AssemblyWork& a, const AssemblyWork& b) {
  a.nodes_updated += b.nodes_updated;
  a.products += b.products;
  a.bodies_placed += b.bodies_placed;
  return a;
}

/// Rigid groups of a robot, updated from motion to motion. For one thread at a time.
class RigidGroups {
 public:
  /// Determines the active joints of a motion and updates the groups.
  void start(const Robot& robot, const RobotMotion& motion, AssemblyWork& work);

  bool is_active(Index joint) const { return active_[joint]; }
  /// Returns the joints that move, parents first.
  const std::vector<Index>& active() const { return active_joints_; }
  bool is_rigid(Index node) const { return active_inside_[node] == 0; }

  /// Returns the seat of the frame that a joint moves, -1 for the ground. Valid until the next
  /// call.
  const Seat& seat(Index joint, AssemblyWork& work);
  /// Returns the seat of the frame of a node's joint, relative to the node's principal handle.
  const Seat& joint_seat(Index node) const { return known_[node].joint; }
  /// Returns the seat of a handle of a node, by its slot.
  const Seat& handle(Index node, Index slot) const {
    return slot < 0 ? own_ : known_[node].handles[slot];
  }
  /// Returns a box around the links of a rigid node, in the frame of its principal handle.
  const Box& box(Index node) const { return boxes_[node]; }
  /// Bounds the distance of points of a rigid node from its principal handle, along the joints.
  double reach(Index node) const { return reaches_[node]; }
  /// Returns a number that changes if the set of active joints or the pose of an inactive joint
  /// changes. It is unique among all robots and contents.
  Count version() const { return version_; }
  /// Returns the time of the last change inside a rigid node.
  Count changed(Index node) const { return changed_[node]; }

 private:
  /// Transforms of a node, from its principal handle to the frame of its joint, and to its
  /// secondary handles.
  struct Known {
    Seat joint;
    std::array<Seat, 2> handles;
  };

  void reset(const Robot& robot);
  void find_changes(const RobotMotion& motion);
  void detect_change(Index coordinate, const RobotMotion& motion);
  void detect_joint_change(Index joint, const RobotMotion& motion);
  void mark(Index joint);
  void update(Index node, const double* q, AssemblyWork& work);
  void find_moving();

  const Robot* robot_ = nullptr;
  const AssemblyTree* tree_ = nullptr;
  Count id_ = 0;                // id of the robot
  Count epoch_ = 0;             // index of the last motion
  Count version_ = 0;           // version of all seats
  std::vector<double> values_;  // coordinates of the configuration; NaN if moving or unknown
  std::vector<char> active_;    // by joint
  std::vector<Index> active_joints_;
  std::vector<Index> active_inside_;  // by node: number of active joints
  std::vector<Count> seen_;           // by joint: last motion for which it was examined
  std::vector<Count> changed_;        // by node
  std::vector<Index> stale_;          // nodes to update
  bool toggled_ = false;              // a joint has become active or inactive
  std::vector<Known> known_;
  std::vector<Box> boxes_;
  std::vector<double> reaches_;
  struct Kept {
    Count version = 0;
    Seat seat;
  };
  std::vector<Kept> seats_;  // by frame
  Seat own_;                 // seat of a principal handle
};

/// Composes two seats. `second` begins where `first` ends.
Seat joined(const Seat& first, const Seat& second, AssemblyWork& work);

}  // namespace toccata
