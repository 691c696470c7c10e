// Tori about the z axis, as parametric and implicit surfaces.
#pragma once

#include "toccata/geometry/implicit.hpp"
#include "toccata/geometry/parametric.hpp"

namespace toccata {

/// Torus P(u, v) = ((R + r cos v) cos u, (R + r cos v) sin u, r sin v) with r < R.
class Torus final : public ParametricSurface {
 public:
  Torus(double major, double minor);
  Vec3i over(Interval u, Interval v) const override;
  Bend bend(Interval u, Interval v) const override;

 private:
  double major_, minor_;
};

/// Torus (sqrt(x^2 + y^2) - R)^2 + z^2 - r^2 = 0 with r < R.
class ImplicitTorus final : public ImplicitSurface {
 public:
  ImplicitTorus(double major, double minor);
  Interval value(const Vec3i& x) const override;
  Vec3i gradient(const Vec3i& x) const override;

 private:
  double major_, minor_;
};

}  // namespace toccata
