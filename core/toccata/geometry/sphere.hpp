// Spheres about the origin: the smallest examples of both kinds of surfaces.
#pragma once

#include "toccata/geometry/implicit.hpp"
#include "toccata/geometry/parametric.hpp"

namespace toccata {

/// P(u, v) = r (cos u cos v, sin u cos v, sin v): longitude and latitude.
class Sphere final : public ParametricSurface {
 public:
  explicit Sphere(double radius);
  Vec3i over(Interval u, Interval v) const override;
  Bend bend(Interval u, Interval v) const override;
  bool splits_along(const SurfaceCell& cell, int k) const override;
  /// The rectangle that a cell fills as seen from outside, or the patch through its corners.
  Hull hull(const SurfaceCell& cell) const override;
  SurfacePoint point(const SurfaceCell& cell, const Vec3d& near) const override;

 private:
  double radius_;
};

/// x^2 + y^2 + z^2 - r^2 = 0.
class ImplicitSphere final : public ImplicitSurface {
 public:
  explicit ImplicitSphere(double radius);
  Interval value(const Vec3i& x) const override;
  Vec3i gradient(const Vec3i& x) const override;

 private:
  double radius_;
};

}  // namespace toccata
