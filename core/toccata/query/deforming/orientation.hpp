// Consistent orientation of the faces of a mesh.
#pragma once

#include "toccata/query/deforming/features.hpp"

namespace toccata {

/// Turns faces over so that adjacent faces have opposite directions along their common side, in one
/// pass over each connected part. The first face of a part stays. Where this is impossible, the
/// part is cut: two faces are no longer across their common side.
void orient(Features& features);

}  // namespace toccata
