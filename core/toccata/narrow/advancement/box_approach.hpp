// Conservative advancement of two boxes in double precision, for boxes with a gap that single
// precision cannot resolve.
#pragma once

#include "toccata/bvh/volume.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// A box of a hierarchy, and the motion of its body.
struct BodyBox {
  Volume box;    ///< relative to `origin`, in the body's axes
  float reach;   ///< largest distance of a point of the contents from the box's center
  Vec3d origin;  ///< origin of the hierarchy's coordinates, in body coordinates
  const MotionState& state;
};

/// Required distance of the boxes, the longest useful time, and a bound of the rounding error of a
/// distance.
struct Apart {
  double distance, window, error;
};

/// Returns a time for which the boxes are proven to stay apart along the best of their face axes; 0
/// without proof.
double free_time(const BodyBox& x, const BodyBox& y, const Apart& apart);

}  // namespace toccata
