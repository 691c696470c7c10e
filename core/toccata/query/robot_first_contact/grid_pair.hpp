// A pair of bodies at the times of a grid, for method="hca" of robots (Tang et al. 2013, section
// 5.3.2: precomputed transforms).
#pragma once

#include <vector>

#include "toccata/query/setting/robot_pair.hpp"
#include "toccata/robot/poses/grid_poses.hpp"

namespace toccata {

/// Cache of the relative states of a pair at grid times, for as long as the traversal stays with
/// the pair. Reuses its buffers.
class GridPair {
 public:
  /// Switches to another pair, or to the same pair in another motion.
  void switch_to(const RobotPair& bodies, GridPoses& poses);

  /// Returns the relative state at a grid time; `a_fills_lanes` tells which body is x.
  const RelativeState& relative(int slot, bool a_fills_lanes);

  /// Returns the axes of x at a grid time. `relative` must have been called for this time.
  const Mat3f& axes(int slot, bool a_fills_lanes) const {
    const PairState& state = slots_[slot].view.state();
    return (a_fills_lanes ? state.a : state.b).axes;
  }

 private:
  struct Seen {
    Count visit;
    PairView view;
  };
  void place(PairView& view, int slot);

  const RobotPair* live_ = nullptr;
  GridPoses* poses_ = nullptr;
  std::vector<Seen> slots_;
  Count visit_ = 0;
};

}  // namespace toccata
