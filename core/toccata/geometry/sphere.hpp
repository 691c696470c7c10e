// Spheres about the origin: the simplest examples of parametric and implicit surfaces.
#pragma once

#include "toccata/geometry/implicit.hpp"
#include "toccata/geometry/parametric.hpp"

namespace toccata {

/// Sphere P(u, v) = r (cos u cos v, sin u cos v, sin v) with longitude u and latitude v.
class Sphere final : public ParametricSurface {
 public:
  explicit Sphere(double radius);
  Vec3i over(Interval u, Interval v) const override;
  Bend bend(Interval u, Interval v) const override;
  bool splits_along(const SurfaceCell& cell, int k) const override;
  /// Returns the smaller of two hulls: a tangential rectangle, and the patch through the corners.
  Hull hull(const SurfaceCell& cell) const override;
  SurfacePoint point(const SurfaceCell& cell, const Vec3d& near) const override;

 private:
  double radius_;
};

/// Sphere x^2 + y^2 + z^2 - r^2 = 0.
class ImplicitSphere final : public ImplicitSurface {
 public:
  explicit ImplicitSphere(double radius);
  Interval value(const Vec3i& x) const override;
  Vec3i gradient(const Vec3i& x) const override;

 private:
  double radius_;
};

}  // namespace toccata
