// The contacts of earlier queries of a robot, which speed up the next ones in a sequence.
//
// The triangles that touched last give an early upper bound of the time of contact (motion
// coherence of Tang et al. 2013, section 5.3.1). They are hints: any two triangles give a valid
// bound, so robot and world may change between queries.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>

#include "toccata/query/setting/robot_in_world.hpp"
#include "toccata/walk/expand.hpp"

namespace toccata {

struct AdaptiveMemory;

class ContactMemory {
 public:
  /// Link a, and link b or a body of the world, as in `RobotContact`.
  using Bodies = std::array<Index, 3>;

  void keep(const Bodies& bodies, const ElementPair& elements) { known_[bodies] = elements; }
  /// Returns the elements that a pair of bodies touched with last, if both still exist.
  std::optional<ElementPair> recall(const RobotInWorld& setting, const Candidate& candidate) const;

  /// Rigid groups and what is proven about them; null before the first query that uses groups.
  std::shared_ptr<AdaptiveMemory> adaptive;

 private:
  std::map<Bodies, ElementPair> known_;
};

}  // namespace toccata
