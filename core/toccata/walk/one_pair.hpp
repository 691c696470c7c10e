// The first contact of two bodies by themselves: an earliest-first walk of one pair.
#pragma once

#include <span>

#include "toccata/walk/expand.hpp"

namespace toccata {

/// The first contact from `start` on, before the cutoff of the options; what came before `start` is
/// not asked. Surfaces only: a body inside another one touches nothing.
Contact walk_pair(const MovingPair& pair, double start);

/// The same from time 0 on, of bodies of which no other node pairs can touch than these.
Contact walk_front(const MovingPair& pair, std::span<const FrontSiblings> front);

}  // namespace toccata
