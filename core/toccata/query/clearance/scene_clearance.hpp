// The clearance of the bodies of a scene.
#pragma once

#include "toccata/query/clearance/search.hpp"
#include "toccata/query/setting/many_bodies.hpp"

namespace toccata {

/// The clearance of a scene, with the closest bodies; -1 if unknown.
struct SceneClearance : Clearance {
  Index body_a = -1, body_b = -1;
};

/// Returns the least distance of any two bodies during the motion. Options of the query are not
/// used.
SceneClearance clearance(const ManyBodies& scene, const ClearanceQuery& query);

}  // namespace toccata
