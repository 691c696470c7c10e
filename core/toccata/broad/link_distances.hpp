// Lower bounds of the distances of links from each other and from the bodies of the world, during
// windows of a motion. They are the tests of all broad phases of robots.
//
// A link is bounded by the box of its sweep in world coordinates. Pairs of links are also compared
// in the frame of their carrier: first by balls that grow with the speed of their points in this
// frame, then by boxes. Neighbors in a long chain need this. They move little relative to each
// other, but their sweeps overlap in world coordinates.
#pragma once

#include <vector>

#include "toccata/broad/candidate.hpp"
#include "toccata/broad/pair_rules.hpp"
#include "toccata/motion/interval_pose.hpp"
#include "toccata/robot/poses/link_poses.hpp"

namespace toccata {

/// The pairs that a broad phase has to find.
struct BroadQuery {
  double distance;  ///< distance that counts as touching
  bool self_contact;
  const IgnoredPairs* ignored = nullptr;  ///< null: all links are tested against all bodies
  /// Separations of pairs. If not null, separation + `tolerance` replaces `distance`.
  const Separations* separations = nullptr;
  double tolerance = 0;

  /// Returns the length by which the box of a link is widened.
  double margin(Index link) const {
    return separations ? separations->margin(link) + tolerance : distance;
  }
  /// Returns the distance at which two links count as touching.
  double of(const LinkPair& pair) const {
    return separations ? separations->of({pair.a, pair.b}) + tolerance : distance;
  }
};

/// Returns the distance of a point from a box; 0 inside.
double distance_to(const Box& box, const Vec3d& p);

/// Returns the sweep of an oriented box over the whole motion, as a box in world coordinates,
/// widened by `margin`. The box moves with a frame, given in the middle of the motion. `radius` is
/// half of its diagonal.
Box swept_box(const ChainState& frame, const OrientedBox& box, double radius, double margin);

/// Bounds of links and their distances during one motion, computed on demand. Caches the last
/// results of each link.
class LinkDistances {
 public:
  /// Starts a motion. All arguments must outlive the calls of the other functions.
  void start(const Robot& robot, const BodySet& world, LinkPoses& poses, const BroadQuery& query);

  const BroadQuery& query() const { return query_; }
  /// Returns the largest margin of any link.
  double largest_margin() const;
  /// Returns whether a pair may touch during a window.
  bool meet(const Candidate& candidate, const Window& window);
  /// Bounds the distance of two bodies at a time from below, minus the distance that counts as
  /// touching. Uses balls around links and boxes of bodies.
  double gap(const Candidate& candidate, double time);
  /// Bounds the distance of two links during the whole motion from below, minus the distance that
  /// counts as touching. Returns 0 if they may touch.
  double gap_of_links(const LinkPair& pair);
  /// Does the same by boxes alone; not positive if the two may touch.
  double gap_of_boxes(const LinkPair& pair);
  /// Returns whether balls around two links may touch during a window.
  bool balls_meet(const LinkPair& pair, const Window& window) {
    return gap_of_balls(pair, window) <= 0;
  }
  /// Returns the box of a link's sweep over a window, in world coordinates, widened by its margin.
  const Box& in_world(Index link, const Window& window);
  /// Returns the center of a link's mesh at a time, in world coordinates.
  const Vec3d& center(Index link, double time);
  /// Appends the bodies whose boxes meet `box`, the box of a link.
  void list_bodies(const Boxf& box, Index link, bool skips_fixed,
                   std::vector<Candidate>& found) const;

 private:
  /// The last results for a link: its center at a time, and the boxes of its sweeps over windows,
  /// in world coordinates and in another frame.
  struct Known {
    Count motion = 0;  ///< motion of these results
    double time = -1;
    Vec3d center{0, 0, 0};
    Window window{-1, 0}, own_window{-1, 0};
    Index frame = -1;
    Box box, own_box;
  };
  Known& known(Index link) {
    Known& known = known_[link];
    if (known.motion != motion_)
      known.motion = motion_, known.time = -1, known.window = known.own_window = {-1, 0};
    return known;
  }
  const Box& in_frame(Index link, Index frame, const Window& window);
  Box swept(Index link, Index frame, const Window& window) const;
  double gap_of_balls(const LinkPair& pair, const Window& window);

  const Robot* robot_ = nullptr;
  const BodySet* world_ = nullptr;
  LinkPoses* poses_ = nullptr;
  BroadQuery query_{};
  Count motion_ = 0;
  std::vector<Known> known_;  // by link
};

}  // namespace toccata
