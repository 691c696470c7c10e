// Curved surfaces as bodies (Redon et al. 2002, section 5): what a query asks of one.
#pragma once

#include <array>

#include "toccata/geometry/hull.hpp"
#include "toccata/math/interval.hpp"

namespace toccata {

/// A part of a surface by a box of parameters: u, v of a patch x = P(u, v), where the third is not
/// used, or x, y, z of an implicit surface f(x, y, z) = 0.
struct Piece {
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
  virtual Piece whole() const = 0;

  /// Whether certainly no point of the surface belongs to the piece.
  virtual bool empty(const Piece&) const { return false; }

  /// A piece that holds the same part of the surface and may be smaller.
  virtual Piece tightened(const Piece& piece) const { return piece; }

  /// Whether halving the piece along parameter k makes it finer.
  virtual bool splits_along(const Piece&, int) const { return true; }

  /// A box that contains the piece, rounding included.
  virtual Box enclose(const Piece& piece) const = 0;

  /// A hull that contains the piece. Queries refine pieces until hulls decide: where the radius
  /// falls with the square of the piece's size, few refinements do.
  virtual Hull hull(const Piece& piece) const { return hull_of(enclose(piece)); }

  /// A point of the surface in the piece or next to it, close to `near` if that is easily found.
  virtual SurfacePoint point(const Piece& piece, const Vec3d& near) const = 0;

 protected:
  static constexpr double unknown = infinity;
};

/// The halves of a piece along parameter k.
inline std::array<Piece, 2> halved(const Piece& piece, int k) {
  std::array<Piece, 2> half{piece, piece};
  half[0].range[k].hi = half[1].range[k].lo = middle(piece.range[k]);
  return half;
}

}  // namespace toccata
