// Lists of contacts with each pair of points once.
#pragma once

#include <vector>

#include "toccata/walk/contact.hpp"

namespace toccata {

/// Drops contacts whose two points are within `error` of those of an earlier one along each axis:
/// triangles that share a corner or an edge find the same points.
void keep_unique_points(std::vector<Contact>& contacts, double error);

}  // namespace toccata
