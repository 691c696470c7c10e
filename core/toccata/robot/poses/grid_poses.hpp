// Where the links of a robot are at the times of a grid: the precomputed transformations of Tang et
// al. 2013 (section 5.3.2), computed when a pair of bodies first asks, and looked up by all others.
#pragma once

#include <vector>

#include "toccata/motion/chain.hpp"
#include "toccata/robot/robot.hpp"

namespace toccata {

class GridPoses {
 public:
  static constexpr int count =
      128;  ///< of steps from 0 to 1; a power of two, so that times are exact

  /// The last grid time that is not after `time`, which is not negative.
  static int slot(double time) { return static_cast<int>(time * count); }
  static double time(int slot) { return static_cast<double>(slot) / count; }

  /// Forgets all and starts a new motion. Bounds will hold for `window` from a grid time on, at
  /// most until the end of the motion. Keeps its memory.
  void start(const Robot& robot, const double* q_0, const double* q_1, double window);

  /// Until when bounds at a grid time hold.
  double end(int slot) const { return std::min(1.0, time(slot) + window_); }

  const Twist& joint(Index joint) const { return joints_[joint]; }

  /// A frame at a grid time; -1 is a frame that stays. Valid until the next call.
  const ChainState& at(Index frame, int slot);

 private:
  // A table of fixed size, so that memory does not grow with the number of frames, of which there
  // are up to the square of the number of joints. What falls on the same place is computed again.
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
  ChainState root_;
};

}  // namespace toccata
