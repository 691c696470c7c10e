// Taylor models of the relative motion of two bodies.
#include "toccata/query/first_contact/interval_view.hpp"

namespace toccata {
namespace {

double turning(const MotionState& state) {
  return state.turning + state.spin_speed * state.spin_speed;
}

/// Returns whether the bounds of `now` are at least the bounds of `whole`, as for motions at
/// constant rates. One state then suffices for a whole window.
bool bounds_all(const MotionState& now, const MotionState& whole) {
  return now.acceleration >= whole.acceleration && now.turning >= whole.turning &&
         now.spin_speed >= whole.spin_speed;
}

}  // namespace

IntervalView::IntervalView(const MovingPair& pair, double start)
    : pair_(pair),
      whole_(pair.state(start, 1)),
      a_is_x_(turning(whole_.a.motion) <= turning(whole_.b.motion)),
      has_kinks_(pair.has_kinks()) {}

RelativeTaylor<double> IntervalView::at(double t, Interval window) const {
  const auto taylor = [this](const PairState& now, const PairState& bounds) {
    const MotionState &a = now.a.motion, &b = now.b.motion;
    const MotionState &ba = bounds.a.motion, &bb = bounds.b.motion;
    return relative_taylor({x_of(a, b), x_of(ba, bb), mesh_x().center()},
                           {y_of(a, b), y_of(ba, bb), mesh_y().center()});
  };
  const PairState now = pair_.state(t, window.hi);
  // Bounds of jumps depend on the length of the window, so they are not valid for another window.
  const bool enough = t == window.lo || (!has_kinks_ && bounds_all(now.a.motion, whole_.a.motion) &&
                                         bounds_all(now.b.motion, whole_.b.motion));
  if (enough) return taylor(now, now);
  return taylor(now, pair_.state(window.lo, window.hi));
}

}  // namespace toccata
