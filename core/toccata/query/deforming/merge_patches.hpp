// Intermediate clusters: neighbouring patches that together cannot touch themselves.
#pragma once

#include "toccata/query/deforming/patches.hpp"

namespace toccata {

/// Groups of patches, each with the view of its largest one.
Partition merge_patches(const Features& features, const Patches& patches, unsigned threads);

}  // namespace toccata
