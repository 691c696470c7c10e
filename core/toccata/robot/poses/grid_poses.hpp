// Poses of the links of a robot at the times of a grid: the precomputed transforms of Tang et al.
// 2013 (section 5.3.2). They are computed for the first pair of links that needs them, and looked
// up by all others.
#pragma once

#include <vector>

#include "toccata/motion/chain.hpp"
#include "toccata/robot/robot.hpp"

namespace toccata {

/// Cache of frames by grid time.
class GridPoses {
 public:
  /// Number of intervals from 0 to 1. A power of two, so times are exact.
  static constexpr int count = 128;

  /// Returns the last grid time at or before `time`, which is not negative.
  static int slot(double time) { return static_cast<int>(time * count); }
  static double time(int slot) { return static_cast<double>(slot) / count; }

  /// Starts a new motion. Bounds hold from a grid time for `window`, at most until the end of the
  /// motion. Reuses its buffers.
  void start(const Robot& robot, const double* q_0, const double* q_1, double window);

  /// Returns the end of the window of the bounds at a grid time.
  double end(int slot) const { return std::min(1.0, time(slot) + window_); }

  const Twist& joint(Index joint) const { return joints_[joint]; }

  /// Returns a frame at a grid time. Frame -1 does not move. Valid until the next call.
  const ChainState& at(Index frame, int slot);

 private:
  // The table has a fixed size, because the number of frames grows with the square of the number of
  // joints. Frames that collide in the table are computed again.
  static constexpr int size = 2048;
  struct Known {
    Count motion = 0;
    Index frame = -1;
    int slot = -1;
    ChainState state;
  };

  const Robot* robot_ = nullptr;
  std::vector<Twist> joints_;
  std::vector<Known> known_;
  double window_ = 1;
  Count motion_ = 0;
  ChainState fixed_;
};

}  // namespace toccata
