// Cutting a surface into the cells that become the elements of a body.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "toccata/geometry/surface.hpp"

namespace toccata {

/// Halves the largest cell, along the parameter that makes the halves smallest, until there are
/// `count` cells that may hold a part of the surface. Throws `invalid_argument` if none does.
std::vector<SurfaceCell> cut(const Surface& surface, std::size_t count);

/// Four corners of a quadrilateral close to a cell, for pictures; on the surface where that is
/// easily done.
std::array<Vec3d, 4> quad(const Surface& surface, const SurfaceCell& cell);

/// A point of each connected component, where cells are connected if their enclosures meet.
/// Components that are closer than the size of a cell count as one.
std::vector<Vec3d> component_points(const Surface& surface, std::span<const SurfaceCell> cells);

}  // namespace toccata
