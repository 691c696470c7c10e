// Connected parts of a mesh that have few faces, such as fragments. One view often certifies a
// whole part, which is then a patch without neighbors.
#pragma once

#include "toccata/query/deforming/clusters/proof.hpp"

namespace toccata {

/// The faces that are connected with a face across sides.
class SmallPart {
 public:
  static constexpr std::size_t most = 128;  ///< largest number of faces

  /// Visits all faces of a part. Returns false as soon as there are too many.
  bool visit(const Features& features, Index seed);

  /// Returns the visited faces, the seed first.
  std::span<const Index> faces() const { return faces_; }
  bool contains(Index face) const;

  /// Returns a view that certifies the whole part: from the middle of a closed part, and against
  /// the normals of a part with a boundary.
  std::optional<View> certify(const PatchStep& step) const;

 private:
  static constexpr std::size_t slots = 512;  ///< a power of two, several times `most`

  std::size_t slot(Index face) const;
  void add(Index face);

  std::vector<Index> faces_;
  std::array<Index, slots> table_;  ///< hash table with linear probing
};

}  // namespace toccata
