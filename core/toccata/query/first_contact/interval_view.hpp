// The relative motion of two bodies for method="interval": body y moves in the frame of body x.
#pragma once

#include "toccata/math/interval.hpp"
#include "toccata/narrow/interval/motion.hpp"
#include "toccata/walk/expand.hpp"

namespace toccata {

/// Two bodies with their relative motion.
class IntervalView {
 public:
  /// Chooses as x the body that turns less from `start` on.
  IntervalView(const MovingPair& pair, double start);

  const MovingPair& pair() const { return pair_; }
  const Mesh& mesh_x() const { return a_is_x_ ? pair_.mesh_a() : pair_.mesh_b(); }
  const Mesh& mesh_y() const { return a_is_x_ ? pair_.mesh_b() : pair_.mesh_a(); }

  /// Returns the argument that belongs to body x or to body y.
  template <class T>
  const T& x_of(const T& a, const T& b) const {
    return a_is_x_ ? a : b;
  }
  template <class T>
  const T& y_of(const T& a, const T& b) const {
    return a_is_x_ ? b : a;
  }

  /// Returns the relative motion at `t`, with bounds that hold in the whole window around it.
  RelativeTaylor<double> at(double t, Interval window) const;

 private:
  const MovingPair& pair_;
  PairState whole_;  // bounds for the whole query
  bool a_is_x_, has_kinks_;
};

}  // namespace toccata
