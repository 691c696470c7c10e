// Bounds of the speed of links along a direction during a whole motion: the directional motion
// bound of Tang et al. 2013 (eq. 14) with its table of directions.
//
// Let a point of link i have the distance r from the origin of its frame. Its speed along n is at
// most
//   sum over the joints j above it:  max n . v_j  +  max |n x w_j| (|L_j+1| + ... + |L_i| + r),
// where v_j and w_j are the velocity and the spin of a joint, which rotate with its parent frame.
// This is a + b r, with a and b depending on the frame and the direction. Both are computed once
// per motion and frame for cells of directions. Each table is the sum of the parent's table and the
// contribution of one joint, so a look-up costs the same for every link of a chain. In the paper,
// all velocities v_j except the first count with their full length; here only their components
// along n count.
#pragma once

#include <vector>

#include "toccata/math/pack.hpp"
#include "toccata/robot/poses/grid_poses.hpp"

namespace toccata {

/// Speed bounds of the frames of a robot during one motion.
class ChainSpeed {
 public:
  /// Starts a new motion, the motion of `poses`. Reuses its buffers.
  void start(const Robot& robot, GridPoses& poses, double largest_turn);

  /// Bounds the speed of points within `distance` of the origin of a frame along unit directions,
  /// in the axes of the frame's carrier, for the whole motion. Infinite until a frame has been
  /// requested more often than it has joints. Frame -1 does not move.
  Pack speed(Index frame, const Vec3p& direction, Pack distance);

 private:
  static constexpr int side = 4;  // cells along an edge of the cube of directions
  static constexpr int packs = 6 * side * side / lanes;
  static_assert(packs * lanes == 6 * side * side);

  struct Cells {
    Vec3p middle[packs];
    Pack sine[packs], cosine[packs];  // angle between the middle and the farthest corner
    Cells();
  };
  struct Table {
    Pack a[packs], b[packs];
  };
  /// A cone of directions about `middle`; with `whole`, all directions.
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
  int windows_ = 1;  // in each window, a joint's axis stays within a cone
  std::vector<Index> tables_of_frames_, requests_;  // -1: not computed yet
  std::vector<Table> tables_;
};

}  // namespace toccata
