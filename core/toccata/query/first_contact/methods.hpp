// The methods for the first contact of two rigid bodies, except "auto" (walk/one_pair.hpp). Each
// method finds the first contact from `start` on and before the cutoff of the options. Contacts
// before `start` are ignored.
#pragma once

#include "toccata/query/first_contact/first_contact.hpp"

namespace toccata {

/// Returns the first contact by hierarchical conservative advancement.
Contact hca(const MovingPair& pair, double start);

/// Returns the first contact by controlled conservative advancement.
Contact c2a(const MovingPair& pair, double start);

/// Returns the first contact by interval arithmetic on hierarchies of oriented boxes (Redon,
/// Kheddar, Coquillart 2002). `coherence` may be null.
Contact interval(const MovingPair& pair, double start, Coherence* coherence);

/// Completes the answer of any method: a contact at the start and a body that starts inside a solid
/// are initial overlaps.
void test_inside(Contact& contact, const MovingPair& pair);

}  // namespace toccata
