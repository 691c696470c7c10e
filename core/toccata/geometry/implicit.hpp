// Implicit surfaces f(x, y, z) = 0.
#pragma once

#include "toccata/geometry/surface.hpp"

namespace toccata {

/// The zeros of f within a box. Derived classes give an interval extension of f, which must be
/// continuous, and if possible an extension of its gradient.
class ImplicitSurface : public Surface {
 public:
  explicit ImplicitSurface(const Box& domain)
      : whole_{{Interval{domain.lo.x, domain.hi.x}, Interval{domain.lo.y, domain.hi.y},
                Interval{domain.lo.z, domain.hi.z}}} {}

  /// Encloses f(x) for all x in the box. The result for a point is tight up to rounding.
  virtual Interval value(const Vec3i& x) const = 0;

  /// Encloses the gradient for all x in the box. Infinite if unknown: then only the values of f
  /// locate the surface, and contacts take many more refinements.
  virtual Vec3i gradient(const Vec3i&) const {
    const Interval anything{-unknown, unknown};
    return {anything, anything, anything};
  }

  int parameters() const final { return 3; }
  SurfaceCell whole() const final { return whole_; }
  bool empty(const SurfaceCell& cell) const final;
  SurfaceCell tightened(const SurfaceCell& cell) const final;
  bool splits_along(const SurfaceCell& cell, int k) const final;
  Box enclose(const SurfaceCell& cell) const final;
  Hull hull(const SurfaceCell& cell) const final;
  SurfacePoint point(const SurfaceCell& cell, const Vec3d& near) const final;

 private:
  Vec3d slope(const Vec3d& x, const SurfaceCell& cell) const;
  double certify(const Vec3d& x, const Vec3d& normal, double reach, double most) const;

  SurfaceCell whole_;
};

}  // namespace toccata
