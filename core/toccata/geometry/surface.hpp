// Interface of curved surfaces as bodies (Redon et al. 2002, section 5).
#pragma once

#include <array>

#include "toccata/geometry/hull.hpp"
#include "toccata/math/interval.hpp"

namespace toccata {

/// A cell of a surface: the points whose parameters lie in a box. The parameters of a patch x =
/// P(u, v) are u and v, and the third range is unused. The parameters of an implicit surface f(x,
/// y, z) = 0 are x, y and z.
struct SurfaceCell {
  std::array<Interval, 3> range;
};

/// A position, and a certified bound on its distance from the surface.
struct SurfacePoint {
  Vec3d position;
  double slack;  ///< infinite if there is no bound
};

/// A surface in body coordinates. Immutable, and shared by all queries and threads. Derive from
/// `ParametricSurface` or `ImplicitSurface`, not from this class.
class Surface {
 public:
  virtual ~Surface() = default;

  /// Returns the number of parameters, 2 or 3.
  virtual int parameters() const = 0;

  /// Returns the cell of the whole surface.
  virtual SurfaceCell whole() const = 0;

  /// Returns true only if the cell is proven to contain no point of the surface.
  virtual bool empty(const SurfaceCell&) const { return false; }

  /// Returns a cell with the same points of the surface that may be smaller.
  virtual SurfaceCell tightened(const SurfaceCell& cell) const { return cell; }

  /// Returns whether halving the cell along parameter k makes it finer.
  virtual bool splits_along(const SurfaceCell&, int) const { return true; }

  /// Returns a box that contains the cell, rounding included.
  virtual Box enclose(const SurfaceCell& cell) const = 0;

  /// Returns a hull that contains the cell. Queries refine cells until the hulls decide. If the
  /// radius of the hull falls with the square of the size of the cell, few refinements suffice.
  virtual Hull hull(const SurfaceCell& cell) const { return hull_of(enclose(cell)); }

  /// Returns a point of the surface in the cell or next to it. The point is close to `near` if such
  /// a point is easily found.
  virtual SurfacePoint point(const SurfaceCell& cell, const Vec3d& near) const = 0;

 protected:
  static constexpr double unknown = infinity;
};

/// Halves a cell along parameter k.
inline std::array<SurfaceCell, 2> halved(const SurfaceCell& cell, int k) {
  std::array<SurfaceCell, 2> half{cell, cell};
  half[0].range[k].hi = half[1].range[k].lo = middle(cell.range[k]);
  return half;
}

}  // namespace toccata
