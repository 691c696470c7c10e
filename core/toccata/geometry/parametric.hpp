// Parametric patches x = P(u, v).
#pragma once

#include "toccata/geometry/surface.hpp"

namespace toccata {

/// Bounds on the lengths of the second derivatives of P in u and in v.
struct Bend {
  double u, v;
};

/// A patch. Derived classes give an inclusion function of P, and if possible bounds on its second
/// derivatives.
class ParametricSurface : public Surface {
 public:
  ParametricSurface(Interval u, Interval v) : whole_{{u, v, Interval{}}} {}

  /// Encloses P(u, v) for all u, v in the intervals. The result for a point is tight up to
  /// rounding.
  virtual Vec3i over(Interval u, Interval v) const = 0;

  /// Bounds the second derivatives over the given parameters. Infinite if unknown: then only the
  /// inclusion function bounds the patch, and contacts take many more refinements.
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
