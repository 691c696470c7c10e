// How fast a link can come nearer along a direction during a whole motion: the directional motion
// bound of Tang et al. 2013 (eq. 14) with its table of directions.
//
// A point of link i at a distance r from the origin of its frame moves along n at most by
//   sum over the joints j above it:  max n . v_j  +  max |n x w_j| (|L_j+1| + ... + |L_i| + r),
// where the rates v_j and w_j of a joint turn with the frame that it hangs on. That is a + b r,
// with a and b depending on the frame and the direction. Both are computed once per motion and
// frame for cells of directions, each as its parent's plus what one joint adds, so that a look-up
// costs the same for every link of a chain. In the paper the shifts v_j count in full except for
// the first joint; here they count along n.
#pragma once

#include <vector>

#include "toccata/math/pack.hpp"
#include "toccata/robot/poses/grid_poses.hpp"

namespace toccata {

class ChainBound {
 public:
  /// Forgets all and starts a new motion: that of `places`. Keeps its memory.
  void start(const Robot& robot, GridPoses& poses, double largest_turn);

  /// Bounds the speed of points within `distance` of the origin of a frame, along unit directions
  /// in the axes of the frame's root, for all of the motion. Infinite for a frame that has been
  /// asked for less often than it has joints. Frame -1 stays.
  Pack speed(Index frame, const Vec3p& direction, Pack distance);

 private:
  static constexpr int side = 4;  // cells along an edge of the cube onto which directions project
  static constexpr int packs = 6 * side * side / lanes;
  static_assert(packs * lanes == 6 * side * side);

  struct Cells {
    Vec3p middle[packs];
    Pack sine[packs], cosine[packs];  // of the angle between the middle and the farthest corner
    Cells();
  };
  struct Table {
    Pack a[packs], b[packs];
  };
  /// Directions near one; with `whole`, all of them.
  struct Cone {
    Vec3f middle;
    float sine, cosine;
    bool whole;
  };
  struct Angle {
    Pack sine, cosine;
  };

  static const Cells& cells();
  static Mask cell(const Vec3p& direction);
  bool is_worth_it(Index frame);
  Index table(Index frame);
  void add_joint(const Twist& joint, Index parent, Table& table);
  Cone cone(Index frame, int window, const Vec3d& vector);
  template <class Visit>
  void for_angles(const Vec3d& vector, Index parent, const Visit& visit);

  const Robot* robot_ = nullptr;
  GridPoses* poses_ = nullptr;
  int windows_ = 1;  // of time, during each of which a joint's axis stays within a cone
  std::vector<Index> tables_of_frames_, asked_;  // -1: not computed yet
  std::vector<Table> tables_;
};

}  // namespace toccata
