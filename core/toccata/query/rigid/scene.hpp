// First contact among many moving bodies.
#pragma once

#include <span>
#include <utility>

#include "toccata/query/rigid/first_contact.hpp"

namespace toccata {

struct SceneContact {
  Contact contact;
  Index body_a = -1, body_b = -1;
  Count pairs_tested = 0;  ///< pairs that the broad phase left, and that could be the first
};

/// The earliest contact over all pairs of bodies but the ignored ones (each as (i, j), i < j,
/// sorted). Pairs whose swept boxes stay apart are never looked at.
SceneContact first_contact(std::span<const Body> bodies,
                           std::span<const std::pair<Index, Index>> ignored,
                           const Options& options);

}  // namespace toccata
