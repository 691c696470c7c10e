// Which joints of a robot move, and what stays as it is between those that do: links joined by
// joints that do not move form a rigid group (Kim, Redon, Kim 2008, section 3).
//
// Transforms inside of groups are kept in the assembly tree from motion to motion. Only nodes above
// a joint that starts or stops to move, or that stands elsewhere than before, are computed again.
#pragma once

#include <vector>

#include "toccata/robot/robot.hpp"

namespace toccata {

/// A frame as seen from what carries it without moving relative to it.
struct Seat {
  Index carrier = -1;  ///< the last active joint up to the frame; -1: where the path begins
  Pose pose;           ///< in the carrier's frame
  double length = 0;   ///< of the places of the joints in between
  Index joints = 0;    ///< in between; if there is none, the pose is the identity
};

/// Counts what is computed.
struct AssemblyWork {
  Count nodes_updated = 0;  ///< whose transforms or volumes are computed
  Count products = 0;       ///< of two transforms
  Count bodies_placed = 0;  ///< links that are seen from elsewhere than their frame
};

inline AssemblyWork& operator+=(AssemblyWork& a, const AssemblyWork& b) {
  a.nodes_updated += b.nodes_updated;
  a.products += b.products;
  a.bodies_placed += b.bodies_placed;
  return a;
}

/// Keeps what it knows while it is asked about the same robot; one thread at a time.
class RigidGroups {
 public:
  /// Finds out what moves from now on.
  void start(const Robot& robot, const RobotMotion& motion, AssemblyWork& work);

  bool is_active(Index joint) const { return active_[joint]; }
  /// Joints that move, parents first.
  const std::vector<Index>& active() const { return active_joints_; }
  bool is_rigid(Index node) const { return active_inside_[node] == 0; }

  /// Of the frame that a joint moves, -1 for the ground. Valid until the next call.
  const Seat& seat(Index joint, AssemblyWork& work);
  /// Of the frame of a node's joint, as seen from the node's principal handle.
  const Seat& place(Index node) const { return known_[node].place; }
  /// Of a handle of a node, by its slot.
  const Seat& handle(Index node, Index slot) const {
    return slot < 0 ? own_ : known_[node].handles[slot];
  }
  /// Around the links of a rigid node, in the frame of its principal handle.
  const Box& box(Index node) const { return boxes_[node]; }
  /// No joint inside of a rigid node has a longer way from the principal handle, links included.
  double reach(Index node) const { return reaches_[node]; }
  /// Changes whenever anything does: which joints move, or where others are. No two groups of
  /// different robots or contents have the same.
  Count version() const { return version_; }
  /// When anything inside of a rigid node changed last.
  Count changed(Index node) const { return changed_[node]; }

 private:
  /// Transforms of a node, from its principal handle: to the frame of its joint, and to its
  /// secondary handles.
  struct Known {
    Seat place;
    std::array<Seat, 2> handles;
  };

  void reset(const Robot& robot);
  void find_changes(const RobotMotion& motion);
  void look_at(Index coordinate, const RobotMotion& motion);
  void look_at_joint(Index joint, const RobotMotion& motion);
  void mark(Index joint);
  void update(Index node, const double* q, AssemblyWork& work);
  void find_moving();

  const Robot* robot_ = nullptr;
  const AssemblyTree* tree_ = nullptr;
  Count id_ = 0;                // of the robot
  Count epoch_ = 0;             // of the last motion
  Count version_ = 0;           // of all seats
  std::vector<double> values_;  // of the configuration; NaN where it moves or is not known
  std::vector<char> active_;    // by joint
  std::vector<Index> active_joints_;
  std::vector<Index> active_inside_;  // by node: how many joints
  std::vector<Count> seen_;           // by joint: when it was looked at
  std::vector<Count> changed_;        // by node
  std::vector<Index> stale_;          // nodes
  bool toggled_ = false;              // a joint has started or stopped to move
  std::vector<Known> known_;
  std::vector<Box> boxes_;
  std::vector<double> reaches_;
  struct Kept {
    Count version = 0;
    Seat seat;
  };
  std::vector<Kept> seats_;  // by frame
  Seat own_;                 // of a principal handle
};

/// `second` begins where `first` ends.
Seat joined(const Seat& first, const Seat& second, AssemblyWork& work);

}  // namespace toccata
