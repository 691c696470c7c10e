// One pair of bodies at the times of a grid.
#pragma once

#include <vector>

#include "toccata/query/setting/robot_pair.hpp"
#include "toccata/robot/poses/grid_poses.hpp"

namespace toccata {

/// What the volumes of a pair see of each other at grid times, remembered as long as the walk stays
/// with the pair. Keeps its memory.
class GridPair {
 public:
  /// Turns to another pair, or to the same pair in another motion.
  void look_at(const RobotPair& bodies, GridPoses& poses);

  /// The pair at a grid time: `a_fills_lanes` says which body is x.
  const RelativeState& relative(int slot, bool a_fills_lanes);

  /// The axes of x at a grid time for which `relative` has been asked.
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
