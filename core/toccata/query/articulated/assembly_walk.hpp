// The broad phase by the assembly tree: two parts are compared by boxes around them, and split where
// the boxes meet. A rigid group is one body until it is split, and its own links are not compared
// while they are known to be apart.
#pragma once

#include "toccata/query/articulated/group_proofs.hpp"
#include "toccata/query/articulated/link_poses.hpp"
#include "toccata/query/world.hpp"

namespace toccata {

class BroadPhase;

/// A box in a frame: its middle, and its three half edges.
struct OrientedBox {
  Vec3d middle{0, 0, 0};
  Vec3d half[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
};

/// A robot whose joints move in part. Keeps its memory from motion to motion.
class AssemblyWalk {
 public:
  /// What has been started for the motion; `proofs` may be null.
  struct Setting {
    const Robot& robot;
    const World& world;
    LinkPoses& poses;
    RigidGroups& groups;
    GroupProofs* proofs;
  };

  /// Pairs that may meet go to `broad`.
  void run(const Setting& setting, BroadPhase& broad);

 private:
  struct Boxed {
    Count motion = 0;
    Box box;
  };

  /// A rigid node, as long as nothing changes.
  struct Carried {
    Count robot = 0, version = 0;
    bool is_empty = true;
    Index carrier = -1;
    OrientedBox box;    ///< in the carrier's frame
    double radius = 0;  ///< half of its diagonal
    double length = 0;  ///< of the joints' places from the carrier on, links included
    Index joints = 0;   ///< from the carrier on, at most
  };

  const Box& box(Index node);
  const Carried& carried(Index node);
  Box rigid_box(Index node);
  bool is_known(Index a, Index b);
  void compare(Index node);
  void compare(Index a, Index b, bool is_resting);
  void compare_links(Index frame_a, Index frame_b);
  void compare_with_world(Index node, bool skips_fixed);

  const Setting* at_ = nullptr;
  BroadPhase* broad_ = nullptr;
  const AssemblyTree* tree_ = nullptr;
  double margin_ = 0;
  Count motion_ = 0;
  std::vector<Boxed> boxes_;  // by node, as the world sees them
  std::vector<Carried> carried_;
};

}  // namespace toccata
