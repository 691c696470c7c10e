// Cutting a surface into the pieces that become the elements of a body.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "toccata/geometry/surface.hpp"

namespace toccata {

/// Halves the largest piece, along the parameter that makes the halves smallest, until there are
/// `count` pieces that may hold a part of the surface. Throws `invalid_argument` if none does.
std::vector<Piece> cut(const Surface& surface, std::size_t count);

/// Four corners of a quadrilateral close to a piece, for pictures; on the surface where that is
/// easily done.
std::array<Vec3d, 4> quad(const Surface& surface, const Piece& piece);

/// A point of each group of pieces whose enclosures hang together. Parts of a surface that are
/// closer than the size of a piece count as one.
std::vector<Vec3d> part_points(const Surface& surface, std::span<const Piece> pieces);

}  // namespace toccata
