// The first contact of the surfaces of two bodies: method="auto" for a single pair.
#pragma once

#include <span>

#include "toccata/walk/expand.hpp"

namespace toccata {

/// Returns the first contact from `start` on, before the cutoff of the options. Contacts before
/// `start` are ignored. Compares surfaces, and does not detect a body inside another one.
Contact walk_pair(const MovingPair& pair, double start);

/// Returns the first contact from time 0 on. The caller guarantees that no node pairs outside of
/// `front` touch before the cutoff.
Contact walk_front(const MovingPair& pair, std::span<const FrontSiblings> front);

}  // namespace toccata
