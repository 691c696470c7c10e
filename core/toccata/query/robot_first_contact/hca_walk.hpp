// The pairs of bodies of a robot for the depth-first traversal of method="hca": volumes at the
// times of a grid, with bounds of whole chains beyond a window (Tang et al. 2013, section 5).
#pragma once

#include "toccata/query/robot_first_contact/grid_pair.hpp"
#include "toccata/robot/chain_speed.hpp"
#include "toccata/walk/depth_first.hpp"

namespace toccata {

/// The current pair of bodies, as a `DepthSource`. Reuses its buffers across motions.
class HcaPairs {
 public:
  using Pair = RobotPair;
  static constexpr int most_steps = 32;
  static constexpr bool stops_short = false;

  /// Starts the motion from q_0 to q_1. The poses of the setting have been started for it.
  void start(const RobotInWorld& setting, const double* q_0, const double* q_1);
  /// Switches to another pair of bodies.
  void switch_to(RobotPair& bodies);

  const RobotPair* key() const { return live_; }
  const MovingPair& pair() const { return live_->pair(); }
  bool is_at_rest() const { return live_->is_at_rest(); }
  Span window(double time, double cutoff) const {
    return {time, std::min({cutoff, 1.0, time + longest_window_})};
  }
  const PairState& at(Span window) { return live_->at(window); }
  void advance(const Expansion<VolumeKind::swept>& expansion, double time, double cutoff,
               TimedSiblings& siblings, Stats& stats);

 private:
  Pack chain_step(const Expansion<VolumeKind::swept>& expansion, int slot, const Approach& bounds,
                  unsigned pending);

  GridPoses grid_;
  GridPair seen_;
  ChainSpeed chains_;
  Count chain_tried_ = 0, chain_helped_ = 0;
  double longest_window_ = 1;
  float separation_ = 0;
  RobotPair* live_ = nullptr;
};

}  // namespace toccata
