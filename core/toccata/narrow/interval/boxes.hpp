// Continuous overlap test of moving oriented boxes (Redon, Kheddar, Coquillart 2002, section 4.1),
// for eight pairs of boxes at once.
//
// Both sides of the separating axis inequality are enclosed over a window. Instead of an interval,
// the bound of each side is a line in time plus a remainder. Terms that cancel between the sides
// then really cancel. The test also gives more than a yes or no: an axis that separates only at the
// start or the end of the window excludes that portion of it.
//
// Single precision suffices, because `BoxWindow::slack` and the relative slacks exceed all rounding
// errors here. A weak bound costs time but never correctness.
#pragma once

#include "toccata/bvh/bvh.hpp"
#include "toccata/narrow/interval/motion.hpp"

namespace toccata {

/// Eight boxes of one body, in its own coordinates.
struct BoxLanes {
  Mat3p axes;
  Vec3p center, half;
  Pack reach;
};

/// Returns the boxes of all children of a node.
inline BoxLanes all_lanes(const WideNode& node) {
  return {node.axes, node.center, node.box_half, node.reach};
}
/// Returns one box in all lanes.
BoxLanes one_lane(const WideNode& node, int lane);

/// A window around the time of an expansion, and the distance that counts as overlap.
struct BoxWindow {
  float half;   ///< half the length of the window
  float slack;  ///< exceeds the rounding error of positions and of their changes by the motion
  float separation;
};

/// Makes a window with its slack. `error` exceeds the rounding error of positions in double
/// precision. All points are within `radius_x` and `radius_y` of the centers of the meshes.
BoxWindow box_window(const RelativeTaylor<double>& motion, double half, double separation,
                     double error, double radius_x, double radius_y);

/// Result of an overlap test. Times are in units of half the window's length: -1 is its start, 1
/// its end.
struct BoxMeeting {
  Pack from, to;  ///< the boxes are apart before and after; throughout the window if from > to
  Pack share;     ///< length of the path in the window, in units of the boxes' extent along it
  Pack path;      ///< displacement of the boxes relative to each other in the window
  Pack smaller, larger;  ///< largest distances of the boxes' points from their centers
  Pack distance;         ///< between the centers, in the middle of the window
};

/// Tests boxes during a window. `motion` is expanded at its middle.
BoxMeeting meet(const BoxLanes& x, const BoxLanes& y, const RelativeTaylor<float>& motion,
                const BoxWindow& window);

}  // namespace toccata
