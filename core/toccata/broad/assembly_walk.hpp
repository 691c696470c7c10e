// The broad phase by the assembly tree: two parts are compared by boxes around them, and split
// where the boxes meet. A rigid group is one body until it is split, and its own links are not
// compared while they are known to be apart. In a sequence, a walk goes on where the one before has
// stopped. Where most boxes meet, as in two bodies that are entangled, a tree is of no use: all
// boxes of links are compared, eight at a time.
#pragma once

#include "toccata/broad/group_proofs.hpp"
#include "toccata/broad/link_boxes.hpp"
#include "toccata/robot/assembly_transforms.hpp"
#include "toccata/robot/poses/link_poses.hpp"

namespace toccata {

/// Two nodes, or a node and the bodies of the world that stay.
struct FrontPair {
  Index a, b;     ///< b: -1 for the world
  Index carrier;  ///< the last active joint that carries both; -1: the world
  double slack;   ///< they are farther apart than what counts as touching, by so much; 0: near
};

/// Where the walk of an assembly tree stopped, kept for the next motion: parts that were far apart
/// stay apart until they have moved far enough.
struct AssemblyFront {
  Count version = 0;              ///< of the rigid groups; 0: nothing is known
  std::vector<double> reference;  ///< the configuration for which slacks hold
  std::vector<FrontPair> pairs;
  std::size_t coarse = 0;  ///< how many there were when the walk last started from the root
  int flat = 0;            ///< so many motions more are compared link by link
};

/// A robot whose joints move in part. Keeps its memory from motion to motion.
class AssemblyWalk {
 public:
  /// What has been started for the motion.
  struct Setting {
    const Robot& robot;
    const World& world;
    const RobotMotion& motion;
    LinkPoses& poses;
    RigidGroups& groups;
    Enclosures enclosures;
    GroupProofs* proofs;   ///< null: there are none, and no front either
    AssemblyFront* front;  ///< null: no walk before
  };

  /// Appends the pairs that may meet to `found`; `boxes` have been started for the motion.
  void run(const Setting& setting, LinkBoxes& boxes, std::vector<Candidate>& found);

 private:
  struct Boxed {
    Count motion = 0;
    Box box;
  };
  /// A rigid node, as long as nothing changes.
  struct Carried {
    Count version = 0;
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
  void start_transforms();
  bool is_known(Index a, Index b);
  void compare(Index node);
  void compare(Index a, Index b, bool is_resting);
  void compare_links(Index frame_a, Index frame_b, bool is_resting);
  void compare_with_world(Index node, bool is_resting = false, bool skips_fixed = false);
  void keep(Index a, Index b, double slack);

  /// How far a node gets: during the motion, and from the front's configuration to where it starts.
  struct Travel {
    Count motion = 0;
    bool is_empty = true;
    std::array<SpeedBound, 2> part;
  };

  void compare_flat();
  bool can_go_on() const;
  void go_on();
  void find_jump();
  const Travel& travel(Index node);
  double travel(const FrontPair& pair);
  const ChainSums& sums(int part, Index joint);

  const Setting* at_ = nullptr;
  LinkBoxes* links_ = nullptr;
  std::vector<Candidate>* found_ = nullptr;
  const AssemblyTree* tree_ = nullptr;
  double margin_ = 0;
  Enclosures enclosures_ = Enclosures::chains;
  Count motion_ = 0;
  AssemblyTransforms<BoundedFrame> bounded_;
  AssemblyTransforms<EnclosedFrame> enclosed_;
  std::vector<Boxed> boxes_;  // by node, as the world sees them
  std::vector<Carried> carried_;
  std::vector<Travel> travels_;  // by node
  std::vector<ChainSums> jump_;  // up to joint i - 1
  int parts_ = 1;
  std::vector<FrontPair> old_;
  std::vector<BoxPack> packs_;  // of frames that have links
  std::size_t visited_ = 0;     // pairs of nodes
};

}  // namespace toccata
