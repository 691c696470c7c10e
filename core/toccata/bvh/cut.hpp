// Where to cut a set of boxes in two, by the surface area heuristic.
#pragma once

#include <optional>
#include <span>

#include "toccata/geometry/box.hpp"

namespace toccata {

/// A plane across an axis: boxes whose centers are below `at` are on one side.
struct Cut {
  int axis;
  double at;

  bool is_below(const Box& box) const { return along(center(box), axis) < at; }
  static double along(const Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
};

/// The cut of least cost by the surface area heuristic, in bins: the areas of the boxes around both
/// sides, weighted by how many elements they hold. Each side keeps at least a
/// 32nd of the boxes, rounding aside. None if no cut does: the centers are all in one place, or all
/// but a few.
std::optional<Cut> best_cut(std::span<const Box> boxes);

}  // namespace toccata
