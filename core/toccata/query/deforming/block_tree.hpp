// Blocks of neighbouring elements, and a tree of moving boxes over them without pointers.
#pragma once

#include <vector>

#include "toccata/query/deforming/local_frame.hpp"

namespace toccata {

/// Features of one kind, eight boxes at a time. Ids of unused lanes are `Features::none`.
struct FeatureBoxes {
  std::vector<MovingBoxes> boxes;
  std::vector<std::array<Index, lanes>> ids;
};

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
  static constexpr Index block_size = 8;  ///< elements

  std::vector<Block> blocks;
  FeatureBoxes faces, edges, vertices;
  std::vector<std::vector<MovingBoxes>> levels;  ///< the last one has a single pack
};

BlockTree build_blocks(const Features& features, const LocalFrame& local, unsigned threads);

}  // namespace toccata
