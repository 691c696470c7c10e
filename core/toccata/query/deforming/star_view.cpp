#include "toccata/query/deforming/star_view.hpp"

#include <algorithm>

namespace toccata {
namespace {}  // namespace

StarView::StarView(const StepFrames& frames, const Vec3d& normal, const Vec3d& start,
                   const Vec3d& end, double diagonal)
    : frames_(frames),
      origin_{Quad{start.x, start.x, end.x, end.x}, Quad{start.y, start.y, end.y, end.y},
              Quad{start.z, start.z, end.z, end.z}} {
  // Any two vectors make a linear map: that they are nearly orthogonal is only of use.
  const Vec3d n = unit_or_zero(normal);
  const Vec3d u = unit_or_zero(cross(far_axis(n), n)), v = cross(n, u);
  x_ = Quad{u.x, v.x, u.x, v.x};
  y_ = Quad{u.y, v.y, u.y, v.y};
  z_ = Quad{u.z, v.z, u.z, v.z};
  const double once = 0x1p-46 * diagonal * diagonal + 0x1p-1000;
  rounding_ = Quad{once, 2 * once, once, 2 * once};
}

}  // namespace toccata
