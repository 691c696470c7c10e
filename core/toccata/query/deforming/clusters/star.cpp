// Construction of star views.
#include "toccata/query/deforming/clusters/star.hpp"

#include <algorithm>

namespace toccata {
namespace {

Vec3d middle(std::span<const Vec3d> p, const Face& f) {
  return p[f[0]] + ((p[f[1]] - p[f[0]]) + (p[f[2]] - p[f[0]])) * (1.0 / 3);
}

}  // namespace

StarView::StarView(const PatchStep& step, const Vec3d& normal, Index seed)
    : frames_(step.frames), separation_(step.separation * (1 + 0x1p-40)) {
  const Face& f = step.features.oriented()[seed];
  const Vec3d start = middle(step.frames.start, f), end = middle(step.frames.end, f);
  origin_ = {Quad{start.x, start.x, end.x, end.x}, Quad{start.y, start.y, end.y, end.y},
             Quad{start.z, start.z, end.z, end.z}};
  // Any two vectors define a linear map. That they are nearly orthogonal is useful, but not
  // required.
  const Vec3d n = unit_or_zero(normal);
  const Vec3d u = unit_or_zero(cross(far_axis(n), n)), v = cross(n, u);
  x_ = Quad{u.x, v.x, u.x, v.x};
  y_ = Quad{u.y, v.y, u.y, v.y};
  z_ = Quad{u.z, v.z, u.z, v.z};
  const double once = 0x1p-46 * step.diagonal * step.diagonal + 0x1p-1000;
  rounding_ = Quad{once, 2 * once, once, 2 * once};
}

}  // namespace toccata
