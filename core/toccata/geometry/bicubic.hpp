// Bicubic Bezier patches, as parametric surfaces.
#pragma once

#include "toccata/geometry/parametric.hpp"

namespace toccata {

/// The patch over [0, 1] x [0, 1]. `control[i][j]` is the coefficient of the i-th Bernstein
/// polynomial of u and the j-th of v.
class BicubicPatch final : public ParametricSurface {
 public:
  using Net = std::array<std::array<Vec3d, 4>, 4>;

  explicit BicubicPatch(const Net& control);
  Vec3i over(Interval u, Interval v) const override;
  Bend bend(Interval, Interval) const override { return bend_; }

 private:
  Net control_;
  Bend bend_;
};

}  // namespace toccata
