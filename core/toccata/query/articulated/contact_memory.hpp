// What queries of a robot leave for the next ones: the triangles that touched last, one pair for
// each pair of bodies (Tang et al. 2013, section 5.3.1, motion coherence); and for the adaptive
// method, rigid groups and what is proven about them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>

#include "toccata/walk/expand.hpp"

namespace toccata {

struct AdaptiveMemory;

/// Hints, not promises: robot and world may have changed meanwhile, since any two triangles give an
/// upper bound of the time of contact.
class ContactMemory {
 public:
  /// A link, and another one or a body of the world: as in `RobotContact`.
  using Bodies = std::array<Index, 3>;

  void keep(const Bodies& bodies, const ElementPair& elements) { known_[bodies] = elements; }
  std::optional<ElementPair> of(const Bodies& bodies) const {
    const auto found = known_.find(bodies);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  bool empty() const { return known_.empty(); }

  /// Of the adaptive method; null before the first question by it.
  std::shared_ptr<AdaptiveMemory> adaptive;

 private:
  std::map<Bodies, ElementPair> known_;
};

}  // namespace toccata
