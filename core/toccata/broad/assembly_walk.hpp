// The broad phase by the assembly tree, for motions of some of a robot's joints (body-level culling
// of Kim et al. 2008).
//
// Nodes of the tree are compared by the boxes around their swept links, and split where the boxes
// meet. A rigid group is a single body until it is split. Its own links are not compared while they
// are proven to be apart. In a sequence of motions, the traversal resumes from its last front. If
// most boxes meet, as for entangled bodies, or if there are few links, the tree does not help, and
// a front of pairs of links is kept instead.
#pragma once

#include "toccata/broad/group_proofs.hpp"
#include "toccata/broad/link_front.hpp"
#include "toccata/robot/assembly_transforms.hpp"
#include "toccata/robot/poses/link_poses.hpp"

namespace toccata {

/// Two nodes, or a node and the fixed bodies of the world.
struct FrontPair {
  Index a, b;     ///< nodes; b is -1 for the world
  Index carrier;  ///< deepest active joint above both nodes; -1 for the world
  double slack;   ///< lower bound of the distance beyond the margins; 0 if they may touch
};

/// The front of a traversal of the assembly tree, kept for the next motion. Nodes stay apart until
/// they have moved by their slack.
struct AssemblyFront {
  Count version = 0;              ///< version of the rigid groups; 0 for an invalid front
  std::vector<double> reference;  ///< configuration for which the slacks hold
  std::vector<FrontPair> pairs;
  std::size_t coarse = 0;  ///< number of pairs after the last start from the root
  int flat = 0;            ///< number of further motions for which `links` is used
  LinkFront links;
  bool by_links = false;  ///< the last motion used `links`
};

/// The traversal of the assembly tree of one robot. Reuses its buffers across motions.
class AssemblyWalk {
 public:
  /// The input of a traversal, started for the motion.
  struct Setting {
    const Robot& robot;
    const BodySet& world;
    const RobotMotion& motion;
    LinkPoses& poses;
    RigidGroups& groups;
    Enclosures enclosures;
    GroupProofs* proofs;   ///< null without coherence; `front` is null then, too
    AssemblyFront* front;  ///< null outside of sequences
  };

  /// Appends the pairs of links and bodies that may meet to `found`. `boxes` have been started for
  /// the motion.
  void run(const Setting& setting, LinkDistances& boxes, std::vector<Candidate>& found);

 private:
  /// Box of a node's links during a motion, in world coordinates.
  struct Boxed {
    Count motion = 0;
    Box box;
  };
  /// Box of a rigid node in the frame of its carrier. Valid for one version of the rigid groups.
  struct Carried {
    Count version = 0;
    bool is_empty = true;
    Index carrier = -1;
    OrientedBox box;    ///< box in the carrier's frame
    double radius = 0;  ///< half of the box's diagonal
    double length = 0;  ///< bound of the distance of the links' points from the carrier's origin
    Index joints = 0;   ///< bound of the number of joints from the carrier to any link
  };

  const Box& box(Index node);
  const Carried& carried(Index node);
  Box rigid_box(Index node);
  void start_transforms();
  bool is_known(Index a, Index b);
  void compare(Index node);
  void compare(Index a, Index b, bool is_resting);
  void compare_links(Index frame_a, Index frame_b, bool is_resting);
  void compare_with_world(Index node, bool is_resting = false, bool skips_fixed = false);
  void keep(Index a, Index b, double slack);

  /// Bounds of the travel of a node's points: during the motion, and between the configuration of
  /// the front and the start of the motion.
  struct Travel {
    Count motion = 0;
    bool is_empty = true;
    std::array<SpeedBound, 2> part;
  };

  bool is_flat() const;
  bool can_go_on() const;
  void go_on();
  void find_jump();
  const Travel& travel(Index node);
  double travel(const FrontPair& pair);
  const ChainSums& sums(int part, Index joint);

  const Setting* at_ = nullptr;
  LinkDistances* links_ = nullptr;
  std::vector<Candidate>* found_ = nullptr;
  const AssemblyTree* tree_ = nullptr;
  double margin_ = 0;
  Enclosures enclosures_ = Enclosures::chains;
  Count motion_ = 0;
  AssemblyTransforms<BoundedFrame> bounded_;
  AssemblyTransforms<EnclosedFrame> enclosed_;
  std::vector<Boxed> boxes_;  // by node
  std::vector<Carried> carried_;
  std::vector<Travel> travels_;  // by node
  std::vector<ChainSums> jump_;  // by joint + 1: the motion from the front's configuration
  int parts_ = 1;
  std::vector<FrontPair> old_;
  std::size_t visited_ = 0;  // visited pairs of nodes
};

}  // namespace toccata
