// Cells of a mesh: parts in space of about as many faces each.
#pragma once

#include <cstdint>

#include "toccata/query/deforming/partition.hpp"
#include "toccata/query/deforming/step.hpp"

namespace toccata {

/// What takes one thing after the other, each among those that are left, would have to be done by
/// one thread. It stays within a cell instead, so that several cells can be worked on at once, and
/// the outcome is the same for any number of threads: cells do not depend on it.
struct Cells {
  Partition faces;                          ///< of each cell, in ascending order
  UninitializedVector<std::uint8_t> owner;  ///< the cell of each face

  Cells() = default;
  Cells(const Features& features, std::span<const Vec3d> vertices, unsigned threads);

  Index count() const { return faces.count(); }
};

}  // namespace toccata
