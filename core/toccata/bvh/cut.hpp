// Binned surface area heuristic: chooses a plane that splits a set of boxes in two.
#pragma once

#include <optional>
#include <span>

#include "toccata/geometry/box.hpp"

namespace toccata {

/// A plane across an axis. Boxes with centers below `at` are on one side.
struct Cut {
  int axis;
  double at;

  bool is_below(const Box& box) const { return along(center(box), axis) < at; }
  static double along(const Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
};

/// Returns the cut with the lowest cost by the surface area heuristic with bins: the areas of the
/// boxes around both sides, weighted by their numbers of elements. Each side keeps at least a 32nd
/// of the boxes, up to rounding. Returns nothing if no such cut exists, because all or almost all
/// centers coincide.
std::optional<Cut> best_cut(std::span<const Box> boxes);

}  // namespace toccata
