// How soon two boxes can meet, in double precision: for boxes whose gap is below what single
// precision can tell.
#pragma once

#include "toccata/bvh/volume.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// A box of a hierarchy and the motion of its body.
struct BodyBox {
  Volume box;    ///< relative to `origin`, in the body's axes
  float reach;   ///< no point of the contents is farther from the box's center
  Vec3d origin;  ///< of the hierarchy, in body coordinates
  const MotionState& state;
};

/// How far apart the boxes have to stay, for how long at most, and what exceeds the rounding error
/// of a distance.
struct Apart {
  double distance, window, error;
};

/// For how long the boxes stay apart along the best of their face axes; 0 if there is no proof.
double free_time(const BodyBox& x, const BodyBox& y, const Apart& apart);

}  // namespace toccata
