// Blocks of neighbouring elements, and a tree of moving boxes over them without pointers.
#pragma once

#include <vector>

#include "toccata/query/deforming/local_frame.hpp"

namespace toccata {

/// Eight features of one kind. Unused lanes have empty boxes.
struct FeaturePack {
  MovingBoxes boxes;
  std::array<Mask, 3> corners;  ///< their vertices; the last one is repeated
  std::array<Index, lanes> ids;

  std::array<Index, 3> corners_of(int k) const {
    return {corners[0][k], corners[1][k], corners[2][k]};
  }
};

/// Bit k is set when feature k has one of the first `count` vertices.
template <int count>
unsigned sharing(const std::array<Index, 3>& vertices, const FeaturePack& pack) {
  Mask any{};
  for (int i = 0; i < count; ++i)
    for (const Mask& corner : pack.corners) any |= corner == vertices[i];
  return bits(any);
}

/// Packs [begin, end) of feature boxes.
struct PackRange {
  Index begin, end;
};

/// A few elements that lie close together, and the features that they own.
struct Block {
  PackRange faces, edges, vertices;
};

/// All blocks, in an order that keeps neighbours together. Pack k of level 0 holds the boxes of
/// blocks 8 k .. 8 k + 7, pack k of a level above those of packs 8 k .. 8 k + 7 below it.
struct BlockTree {
  static constexpr Index block_size = 16;  ///< elements

  std::vector<Block> blocks;
  std::vector<FeaturePack> faces, edges, vertices;
  std::vector<std::vector<MovingBoxes>> levels;  ///< the last one has a single pack
};

BlockTree build_blocks(const Features& features, const LocalFrame& local, unsigned threads);

}  // namespace toccata
