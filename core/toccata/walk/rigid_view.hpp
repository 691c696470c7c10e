// A pair of bodies that move by themselves, as an earliest-first walk looks at it.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "toccata/walk/expand.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {

class RigidView {
 public:
  explicit RigidView(const MovingPair& pair)
      : last_(std::min(pair.options().cutoff, 1.0)),
        at_rest_(pair.motion_a().is_fixed() && pair.motion_b().is_fixed()),
        view_(pair, last_) {}

  const MovingPair& pair() const { return view_.pair(); }
  bool is_at_rest() const { return at_rest_; }
  Span window(double time) const { return {time, last_}; }
  const PairState& at(double time) { return view_.move_to(time); }
  /// Motions of more than a turn are asked by thirds of a turn. Measured on turns of 10 to 50
  /// radians, where the time is flat between halves and sixths.
  double reopens_at(double now) {
    constexpr double turn = 2 * std::numbers::pi;
    const double spin = spin_of(at(now));
    // However fast it turns, time goes on.
    return spin > turn ? std::max(now + turn / (3 * spin), std::nextafter(now, 2.0)) : infinity;
  }
  const RelativeState& relative(double time, bool a_fills_lanes) {
    view_.move_to(time);
    return view_.relative(a_fills_lanes);
  }
  /// A state this much older will do to look at volumes for the first time: what they gain by a
  /// newer one is less than the state costs. Measured: half of the states go, and one test in 200
  /// is added.
  double volume_time(double now) const {
    constexpr double recent = 1e-3;
    return view_.time() <= now && now <= view_.time() + recent ? view_.time() : now;
  }

  /// Children whose gap beyond the separation exceeds a share of their size: they may prove free
  /// without being split. Measured on the benchmark's models, where the time is flat between 0.05
  /// and 0.15.
  static unsigned promising(const Approach& bounds, const Expansion<VolumeKind::box>& expansion,
                            float separation) {
    return bits(bounds.gap - separation > 0.1f * expansion.reach());
  }
  /// Of fine meshes, the first triangles that come up are mostly those that touch.
  static constexpr bool packs_triangles = false;

 private:
  double last_;
  bool at_rest_;
  PairView view_;
};

}  // namespace toccata
