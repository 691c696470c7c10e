// First contact of two moving rigid bodies, by any method.
#pragma once

#include <span>
#include <vector>

#include "toccata/query/rigid/interval.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// The first contact, by the contract of docs/guarantees.md. `memory` serves sequences of similar
/// queries of the same two bodies with method="interval"; it may be null.
Contact first_contact(const Body& a, const Body& b, const Options& options,
                      Coherence* memory = nullptr);

/// Pairs of triangles within separation + tolerance at `time`, ordered by triangle; of those with
/// the same two points, up to rounding, the first. A normal is NaN where rounding exceeds the
/// distance.
std::vector<Contact> contacts_at(const Body& a, const Body& b, const Options& options, double time);

}  // namespace toccata
