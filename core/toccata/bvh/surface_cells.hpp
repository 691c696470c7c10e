// Subdivision of a surface into the cells that become the elements of a body.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "toccata/geometry/surface.hpp"

namespace toccata {

/// Halves the largest cell, along the parameter that makes the halves smallest, until `count` cells
/// may contain points of the surface. Throws `invalid_argument` if no cell does.
std::vector<SurfaceCell> cut(const Surface& surface, std::size_t count);

/// Returns four corners of a quadrilateral close to a cell, for pictures. They are on the surface
/// if such points are easily found.
std::array<Vec3d, 4> quad(const Surface& surface, const SurfaceCell& cell);

/// Returns a point of each connected component. Cells are connected if their enclosures intersect,
/// so components closer than the size of a cell count as one.
std::vector<Vec3d> component_points(const Surface& surface, std::span<const SurfaceCell> cells);

}  // namespace toccata
