// What one query of a robot leaves for the next: the triangles that touched (Tang et al. 2013,
// section 5.3.1, motion coherence).
#pragma once

#include "toccata/base/index.hpp"

namespace toccata {

/// A hint, not a promise: robot and world may have changed meanwhile, since any two triangles give
/// an upper bound of the time of contact. Nothing is remembered while `link_a` is negative.
struct ContactMemory {
  Index link_a = -1, link_b = -1, body = -1;  ///< as in `RobotContact`
  Index element_a = -1, element_b = -1;
};

}  // namespace toccata
