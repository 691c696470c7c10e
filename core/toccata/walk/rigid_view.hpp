// A pair of bodies, each with its own motion, for the best-first traversal. Pairs of a robot's
// links share poses instead (query/setting/robot_pair.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "toccata/walk/expand.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {

/// The view of a pair of bodies with their own motions.
class RigidView {
 public:
  explicit RigidView(const MovingPair& pair)
      : last_(std::min(pair.options().cutoff, 1.0)),
        at_rest_(pair.motion_a().is_fixed() && pair.motion_b().is_fixed()),
        view_(pair, last_) {}

  const MovingPair& pair() const { return view_.pair(); }
  bool is_at_rest() const { return at_rest_; }
  Span window(double time) const { return {time, last_}; }
  const PairState& at(Span window) {
    return view_.at(window,
                    [&](PairState& state) { view_.pair().move(state, window.time, window.end); });
  }
  const RelativeState& relative(Span window, bool a_fills_lanes) {
    at(window);
    return view_.relative(a_fills_lanes);
  }
  /// Divides motions of more than a turn into thirds of a turn. The run time is the same between
  /// halves and sixths, measured on turns of 10 to 50 radians.
  double reopens_at(double now) {
    constexpr double turn = 2 * std::numbers::pi;
    const double spin = spin_of(view_.move_to(now));
    // Time advances however fast the bodies turn.
    return spin > turn ? std::max(now + turn / (3 * spin), std::nextafter(now, 2.0)) : infinity;
  }
  /// Returns the time of the last state if it is recent, else `now`. A new state costs more than it
  /// gains: this saves half of the states and adds one test in 200, as measured.
  double volume_time(double now) const {
    constexpr double recent = 1e-3;
    return view_.time() <= now && now <= view_.time() + recent ? view_.time() : now;
  }
  double again_time(double now) const { return now; }
  double leaf_time(double now) const { return now; }

  /// Returns the lanes whose gap beyond the separation exceeds a fraction of their size. Another
  /// advance may prove them free without a split. The run time is the same for fractions between
  /// 0.05 and 0.15, measured on the benchmark's models.
  static unsigned promising(const Approach& bounds, const Expansion<VolumeKind::box>& expansion,
                            float separation) {
    return bits(bounds.gap - separation > 0.1f * expansion.reach());
  }
  /// In fine meshes, the first pair of triangles in the queue is usually the pair in contact.
  static constexpr bool packs_triangles = false;

 private:
  double last_;
  bool at_rest_;
  PairView view_;
};

/// Constructs the pair before the view that refers to it.
struct HeldPair {
  MovingPair held;
};

/// A view that owns its pair.
class RigidPair : HeldPair, public RigidView {
 public:
  RigidPair(const Body& a, const Body& b, const Options& options)
      : HeldPair{MovingPair(a, b, options)}, RigidView(held) {}
  RigidPair(const RigidPair&) = delete;  // the view refers to the pair

  void set_separation(double separation) { held.set_separation(separation); }
};

}  // namespace toccata
