// When moving oriented boxes can overlap: the continuous overlap test of Redon, Kheddar, Coquillart
// 2002 (section 4.1) for eight pairs of boxes at once.
//
// Both sides of the separating axis inequality are enclosed over a window of time. In place of
// plain intervals, each side is bounded by a straight line in time plus a remainder. This keeps
// what cancels between the sides, and it tells more than yes or no: an axis that separates only in
// the first or the last part of the window cuts that part off.
//
// Single precision suffices: `BoxWindow::slack` and the relative slacks exceed what rounding can do
// here, so that a weak bound costs time but never an answer.
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

/// The boxes of all children of a node.
inline BoxLanes all_lanes(const WideNode& node) {
  return {node.axes, node.center, node.box_half, node.reach};
}
/// One box, eight times.
BoxLanes one_lane(const WideNode& node, int lane);

/// A window of time around the time of an expansion, and the distance that counts as overlap.
struct BoxWindow {
  float half;   ///< the window reaches this far to both sides
  float slack;  ///< exceeds the rounding error of positions and of what motion adds to them
  float separation;
};

/// `error` exceeds the rounding error of positions in double; no point is farther than `radius_x`
/// and `radius_y` from the centers of the meshes.
BoxWindow box_window(const RelativeTaylor<double>& motion, double half, double separation,
                     double error, double radius_x, double radius_y);

/// Times are in units of the window's half length: -1 is its start, 1 its end.
struct BoxMeeting {
  Pack from, to;  ///< the boxes stay apart before and after; for the whole window if from > to
  Pack share;     ///< the window's path, in units of the boxes' extent along it
  Pack path;      ///< how far the boxes move along each other in the window
  Pack smaller, larger;  ///< how far the boxes reach from their centers
  Pack distance;         ///< of the centers, in the middle of the window
};

/// `motion` is expanded in the middle of the window.
BoxMeeting meet(const BoxLanes& x, const BoxLanes& y, const RelativeTaylor<float>& motion,
                const BoxWindow& window);

}  // namespace toccata
