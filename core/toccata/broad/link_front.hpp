// The front of a sequence of motions, link by link: for each pair of links, and of a link and a
// fixed body, how far the two may travel before they can touch.
//
// The front serves robots with few links, and bodies that are entangled, for which a tree of boxes
// saves nothing. A row of eight pairs costs one comparison. A pair is tested again only when the
// travel of both bodies exceeds its limit. Travel is measured in the frame of a joint that carries
// both, so it counts only the joints between the two: a motion invalidates the pairs across the
// joints that moved, not all together. Links that become rigid keep their limits, and pairs of
// links at rest relative to each other are tested once.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "toccata/broad/link_distances.hpp"

namespace toccata {

/// The limits of one robot in one world, kept from motion to motion. For one thread at a time.
class LinkFront {
 public:
  /// A motion with few active joints. `groups` and `poses` have been started for it.
  struct Step {
    const Robot& robot;
    const BodySet& world;
    const RobotMotion& motion;
    LinkPoses& poses;
    RigidGroups& groups;
    bool is_same;  ///< robot, fixed bodies and options are those of the last step
  };

  /// Returns whether there are few enough links and bodies.
  static bool fits(const Robot& robot, const BodySet& world) {
    return robot.links().size() + world.size() <= most_columns;
  }

  /// Appends the pairs that may touch during a motion to `found`. `boxes` have been started.
  void run(const Step& step, LinkDistances& boxes, std::vector<Candidate>& found);

  /// Tells that a pair of the last step was at least this far apart at some time of the motion. The
  /// next step returns pairs without a distance beyond the margin, and does not test their boxes.
  void learn(const Candidate& pair, double distance);
  /// Tells that the query of the last step has proven all pairs at rest free.
  void confirm();
  void forget() { is_known_ = false; }

 private:
  static constexpr std::size_t most_columns = 128;
  static constexpr float infinite = INFINITY;

  /// A frame in which travel is measured: the frame of an active joint, or the world (-1).
  struct Base {
    Index carrier;
    std::vector<Index> links;  // links that it carries
  };
  /// Eight pairs of a link and eight others: links, then bodies.
  struct Cell {
    Pack limit;            // pairs are tested when their travel exceeds it; infinite for others
    Pack left;             // for pairs at rest: distance beyond the margin, at least
    Mask rests;            // lanes of pairs at rest
    unsigned tested = 0;   // lanes of pairs that are tested at all
    unsigned certain = 0;  // lanes of pairs that the next step returns without a test
  };
  /// A link relative to its carrier.
  struct Seated {
    Index group;               // index of the carrier in `distinct_`
    double far;                // largest distance of a point from the carrier, along the joints
    Vec3d center, start, end;  // center of the mesh, and ends of its line-swept sphere
    double ball, line;         // radii
  };
  /// Eight bodies at the start of the motion: centers and radii of balls, and line-swept spheres.
  struct alignas(32) Placed {
    float center[3][lanes], start[3][lanes], end[3][lanes];
    float ball[lanes], line[lanes];
  };

  Cell& cell(Index row, std::size_t pack) { return cells_[row * packs_ + pack]; }
  static std::size_t first_pack(Index row) { return static_cast<std::size_t>(row) / lanes; }
  Index links() const { return static_cast<Index>(at_->robot.links().size()); }
  Candidate pair_of(Index row, std::size_t pack, int lane) const;
  double margin(const Candidate& pair) const;

  void restart();
  void go_on();
  void add_jump();
  void add_jump_of_all(const double* from, const double* to);
  void add_step();
  template <class BoundOf>
  void add_up(std::vector<Pack>& travel, const BoundOf& bound_of);
  void regroup();
  void list_seats();
  void list_bases();
  Index list_base(Index group, Index shared);
  void place();
  Pack ball_gaps(Index row, std::size_t pack) const;
  Pack line_gaps(Index row, std::size_t pack) const;
  void scan();
  void test(Index row, std::size_t pack, Index base);
  double gap(const Candidate& pair);
  void list(Index row, std::size_t pack, int lane);

  std::optional<Step> at_;
  LinkDistances* boxes_ = nullptr;
  std::vector<Candidate>* found_ = nullptr;
  bool is_known_ = false;
  Count version_ = 0;              // version of the groups
  std::size_t packs_ = 0;          // of a row
  std::vector<double> reference_;  // configuration at the start of the last motion
  std::vector<Cell> cells_;
  std::vector<Index> base_of_cell_;
  std::vector<Index> distinct_;  // distinct carriers
  std::vector<Index> group_of_;  // by carrier + 1: index in `distinct_`
  std::vector<Seated> seats_;    // by link
  std::vector<Mask> groups_;     // by pack: groups of columns
  std::vector<Base> bases_;
  std::vector<Index> base_of_;  // by carrier + 1; -1: none
  // By base and pack: travel between the starts of motions since the last `regroup`; the last
  // addition to it; travel in this motion.
  std::vector<Pack> sums_, jumps_, steps_;
  std::vector<Pack> spent_;  // travel up to the end of this motion
  int motions_ = 0;          // since the last `regroup`
  double most_far_ = 0;      // largest distance of any link from its carrier, along the joints
  Index most_joints_ = 0;
  struct Start {
    Pose pose;
    double error;
  };
  std::vector<Start> starts_;       // by distinct carrier
  std::vector<Placed> placed_;      // by pack
  float coarse_ = 0;                // the margin, and the rounding errors of all positions
  std::vector<SpeedBound> bounds_;  // by distinct carrier
  std::vector<ChainSums> jump_;     // by joint + 1: the motion from the reference to the start
  std::vector<char> was_active_;    // by joint, at the last `list_bases`
  // Tells by joint + 1, and by pack of links, that an inactive joint between the carrier and the
  // frame has another coordinate.
  std::vector<char> joint_shifts_;
  std::vector<Mask> shifts_;
  bool has_shifts_ = false;
  std::vector<std::pair<Index, Index>> resting_;  // pairs at rest that this query tests
};

}  // namespace toccata
