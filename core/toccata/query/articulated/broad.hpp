// The broad phase: which pairs can touch at all, and from when on (Redon et al. 2004, stage 1: a
// dynamic hierarchy of boxes around the swept links).
//
// First the boxes of whole motions are compared, eight at a time. Then time is cut into windows,
// for large motions in two steps: a pair is looked at up to the first window in which it may touch.
// Two links are also seen from the last frame that carries both: by how far they can get there,
// then by boxes in it.
#pragma once

#include <vector>

#include "toccata/motion/window.hpp"
#include "toccata/query/articulated/assembly_walk.hpp"
#include "toccata/query/articulated/separations.hpp"
#include "toccata/query/articulated/untested.hpp"
#include "toccata/query/world.hpp"
#include "toccata/robot/poses/link_poses.hpp"

namespace toccata {

/// A pair that cannot touch before `earliest`.
struct Candidate {
  double earliest;
  Index link;
  Index other;      ///< body of the world; or, with `pair` not negative, unused
  Index pair = -1;  ///< of `Robot::pairs`
};

struct BroadQuestion {
  double distance;  ///< that counts as touching
  bool self_contact;
  const Untested* untested = nullptr;        ///< null: all links are tested against all bodies
  const Separations* separations = nullptr;  ///< not null: by pair, and `tolerance` beyond them
  double tolerance = 0;

  /// By how much the box of a link is widened.
  double margin(Index link) const {
    return separations ? separations->margin(link) + tolerance : distance;
  }
  double of(const LinkPair& pair) const {
    return separations ? separations->of_links(pair.a, pair.b) + tolerance : distance;
  }
};

/// Of a point from a box; 0 inside.
double distance_to(const Box& box, const Vec3d& p);

class BroadPhase {
 public:
  /// Pairs whose boxes meet, in no particular order. Keeps its memory.
  const std::vector<Candidate>& run(const Robot& robot, const World& world, LinkPoses& poses,
                                    const BroadQuestion& question) {
    start(robot, world, poses, question);
    return refine(robot, world, poses);
  }
  /// Its first step alone: the boxes of whole motions.
  const std::vector<Candidate>& start(const Robot& robot, const World& world, LinkPoses& poses,
                                      const BroadQuestion& question);
  /// The same by the assembly tree, for a robot of which only some joints move.
  const std::vector<Candidate>& start(const AssemblyWalk::Setting& setting,
                                      const BroadQuestion& question);
  /// Its second step: windows.
  const std::vector<Candidate>& refine(const Robot& robot, const World& world, LinkPoses& poses);

  /// How far apart the balls around the two are at least, at a time of the motion of the last
  /// `start`, beyond the distance that counts as touching. A body of the world has its box.
  double gap(const Robot& robot, const World& world, LinkPoses& poses, const Candidate& candidate,
             double time);

  // For the assembly tree, about the whole motion.

  const BroadQuestion& question() const { return question_; }
  /// By how much the box of any link is widened, at most.
  double largest_margin(const Robot& robot) const;
  /// Of a box in a frame, half of whose diagonal is `radius`, as the world sees it; the frame in
  /// the middle of the motion.
  static Box swept(const ChainState& frame, const OrientedBox& box, double radius, double margin);
  static bool meets_world(const World& world, const Box& box);
  /// Adds a pair of links whose boxes meet in the world, if they may meet. Returns by how much they
  /// stay farther apart than what counts as touching; 0 if they may meet.
  double add_links(const Robot& robot, LinkPoses& poses, Index pair);
  /// Adds the bodies that a link with this box may meet.
  void add_bodies(const World& world, const Boxf& box, Index link, bool skips_fixed);

 private:
  bool meet(const Robot& robot, const World& world, LinkPoses& poses, const Candidate& candidate,
            const Window& window);
  /// What has been seen of a link last: where its middle is at a time, and boxes of its path over
  /// windows, in the world and in another frame.
  struct Seen {
    Count motion = 0;  ///< to which all belongs
    double time = -1;
    Vec3d center{0, 0, 0};
    Window window{-1, 0}, own_window{-1, 0};
    Index frame = -1;
    Box box, own_box;
  };
  Seen& seen(Index link) {
    Seen& seen = seen_[link];
    if (seen.motion != motion_)
      seen.motion = motion_, seen.time = -1, seen.window = seen.own_window = {-1, 0};
    return seen;
  }
  void begin(const Robot& robot, const BroadQuestion& question);

  void against_world(const Robot& robot, const World& world);
  void against_itself(const Robot& robot, LinkPoses& poses, const Window& whole);
  void cut(const Robot& robot, const World& world, LinkPoses& poses, int count);
  bool reach_each_other(const Robot& robot, LinkPoses& poses, const LinkPair& pair,
                        const Window& window) {
    return gap_of_balls(robot, poses, pair, window) <= 0;
  }
  double gap_of_balls(const Robot& robot, LinkPoses& poses, const LinkPair& pair,
                      const Window& window);
  const Vec3d& center(const Robot& robot, LinkPoses& poses, Index link, double time);
  const Box& seen_by_world(const Robot& robot, LinkPoses& poses, Index link, const Window& window);
  const Box& seen_from(const Robot& robot, LinkPoses& poses, Index link, Index frame,
                       const Window& window);
  Box swept(const Robot& robot, LinkPoses& poses, Index link, Index frame,
            const Window& window) const;

  BroadQuestion question_{};
  Count motion_ = 0;
  bool by_tree_ = false;        // the assembly tree has found the candidates
  std::vector<Seen> seen_;      // by link
  std::vector<BoxPack> packs_;  // of the boxes for the whole motion
  std::vector<Candidate> found_, waiting_;
  AssemblyWalk walk_;
};

}  // namespace toccata
