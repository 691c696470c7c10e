// A pair of bodies as method="interval" sees it: body y moving in the frame of body x.
#pragma once

#include "toccata/math/interval.hpp"
#include "toccata/narrow/interval/motion.hpp"
#include "toccata/walk/expand.hpp"

namespace toccata {

class IntervalView {
 public:
  /// x is the body that turns less from `start` on.
  IntervalView(const MovingPair& pair, double start);

  const MovingPair& pair() const { return pair_; }
  const Mesh& mesh_x() const { return a_is_x_ ? pair_.mesh_a() : pair_.mesh_b(); }
  const Mesh& mesh_y() const { return a_is_x_ ? pair_.mesh_b() : pair_.mesh_a(); }

  /// Picks what belongs to x and to y.
  template <class T>
  const T& x_of(const T& a, const T& b) const {
    return a_is_x_ ? a : b;
  }
  template <class T>
  const T& y_of(const T& a, const T& b) const {
    return a_is_x_ ? b : a;
  }

  /// The relative motion at `t`, with bounds that hold for the whole window around it.
  RelativeTaylor<double> at(double t, Interval window) const;

 private:
  const MovingPair& pair_;
  PairState whole_;  // its bounds hold from the start of the query to the end
  bool a_is_x_, has_kinks_;
};

}  // namespace toccata
