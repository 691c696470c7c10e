// Parametric patches x = P(u, v).
#pragma once

#include "toccata/geometry/surface.hpp"

namespace toccata {

/// Bounds of the lengths of the second derivatives of P in u and in v.
struct Bend {
  double u, v;
};

/// Derive and give an inclusion function of P, and if possible a bound of how much the patch bends.
class ParametricSurface : public Surface {
 public:
  ParametricSurface(Interval u, Interval v) : whole_{{u, v, Interval{}}} {}

  /// Contains P(u, v) for all u, v in the intervals; tight, up to rounding, where both are points.
  virtual Vec3i over(Interval u, Interval v) const = 0;

  /// Bounds over the given parameters. Infinite where unknown: then only the inclusion function
  /// bounds the patch, and contacts take many more refinements.
  virtual Bend bend(Interval, Interval) const { return {unknown, unknown}; }

  int parameters() const final { return 2; }
  SurfaceCell whole() const final { return whole_; }
  bool splits_along(const SurfaceCell& cell, int k) const override;
  Box enclose(const SurfaceCell& cell) const final;
  Hull hull(const SurfaceCell& cell) const override;
  SurfacePoint point(const SurfaceCell& cell, const Vec3d& near) const override;

 protected:
  SurfacePoint at(double u, double v) const;

 private:
  Hull corner_hull(const SurfaceCell& cell) const;

  SurfaceCell whole_;
};

}  // namespace toccata
