// First contact of two moving rigid bodies, by any method.
#pragma once

#include <span>
#include <vector>

#include "toccata/query/rigid/interval.hpp"
#include "toccata/query/rigid/pair.hpp"

namespace toccata {

/// The first contact, by the contract of docs/guarantees.md. `memory` serves sequences of similar
/// queries of the same two bodies with method="interval"; it may be null.
Contact first_contact(const Body& a, const Body& b, const Options& options,
                      Coherence* memory = nullptr);

/// Whether a part of one body starts inside a solid of the other, given that after the start their
/// surfaces do not meet before `until`.
bool starts_inside(const MovingPair& pair, double until);

/// All pairs of triangles within separation + tolerance at `time`, ordered by triangle.
std::vector<Contact> contacts_at(const Body& a, const Body& b, const Options& options, double time);

}  // namespace toccata
