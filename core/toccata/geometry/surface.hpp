// Curved surfaces as bodies (Redon et al. 2002, section 5): what a query asks of one.
#pragma once

#include <array>

#include "toccata/geometry/hull.hpp"
#include "toccata/math/interval.hpp"

namespace toccata {

/// A part of a surface by a box of parameters: u, v of a patch x = P(u, v), where the third is not
/// used, or x, y, z of an implicit surface f(x, y, z) = 0.
struct SurfaceCell {
  std::array<Interval, 3> range;
};

/// A point of space and how far from it there certainly is a point of the surface.
struct SurfacePoint {
  Vec3d position;
  double slack;  ///< infinite if nothing is certain
};

/// A surface in body coordinates; immutable, shared by all queries and threads. Derive from
/// `ParametricSurface` or `ImplicitSurface` rather than from this.
class Surface {
 public:
  virtual ~Surface() = default;

  /// Number of parameters: 2 or 3.
  virtual int parameters() const = 0;

  /// The parameters of all of the surface.
  virtual SurfaceCell whole() const = 0;

  /// Whether certainly no point of the surface belongs to the cell.
  virtual bool empty(const SurfaceCell&) const { return false; }

  /// A cell that holds the same part of the surface and may be smaller.
  virtual SurfaceCell tightened(const SurfaceCell& cell) const { return cell; }

  /// Whether halving the cell along parameter k makes it finer.
  virtual bool splits_along(const SurfaceCell&, int) const { return true; }

  /// A box that contains the cell, rounding included.
  virtual Box enclose(const SurfaceCell& cell) const = 0;

  /// A hull that contains the cell. Queries refine cells until hulls decide: where the radius
  /// falls with the square of the cell's size, few refinements do.
  virtual Hull hull(const SurfaceCell& cell) const { return hull_of(enclose(cell)); }

  /// A point of the surface in the cell or next to it, close to `near` if that is easily found.
  virtual SurfacePoint point(const SurfaceCell& cell, const Vec3d& near) const = 0;

 protected:
  static constexpr double unknown = infinity;
};

/// The halves of a cell along parameter k.
inline std::array<SurfaceCell, 2> halved(const SurfaceCell& cell, int k) {
  std::array<SurfaceCell, 2> half{cell, cell};
  half[0].range[k].hi = half[1].range[k].lo = middle(cell.range[k]);
  return half;
}

}  // namespace toccata
