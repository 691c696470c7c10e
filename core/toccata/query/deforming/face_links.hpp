// Which faces of a mesh meet at an edge.
#pragma once

#include "toccata/query/deforming/features.hpp"

namespace toccata {

/// For each face and each of its sides, from corner k to corner k + 1: the face across. There is
/// none unless exactly two faces have the side, in opposite directions.
struct FaceLinks {
  static constexpr Index none = -1;
  std::vector<std::array<Index, 3>> across;

  FaceLinks(const Features& features, unsigned threads);
};

}  // namespace toccata
