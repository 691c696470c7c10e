// Patches of a surface that cannot touch themselves, grown ring by ring.
#pragma once

#include "toccata/query/deforming/face_links.hpp"
#include "toccata/query/deforming/partition.hpp"
#include "toccata/query/deforming/star_view.hpp"

namespace toccata {

/// Each patch has a view that shows why it does not touch itself. A patch of a single face does not
/// either, but its view may show nothing.
struct Patches {
  Partition faces;
  std::vector<Index> owner;  ///< the patch of each face
  std::vector<StarView> views;
};

/// Grows a patch around each face that none has taken.
Patches grow_patches(const Features& features, const FaceLinks& links, const StepFrames& frames,
                     double diagonal);

}  // namespace toccata
