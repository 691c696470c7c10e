// First contact of two moving rigid bodies, by any method.
#pragma once

#include "toccata/query/first_contact/interval.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// Returns the first contact, by the contract of docs/guarantees.md. `coherence` serves sequences
/// of similar queries of the same two bodies with method="interval"; it may be null.
Contact first_contact(const Body& a, const Body& b, const Options& options,
                      Coherence* coherence = nullptr);

}  // namespace toccata
