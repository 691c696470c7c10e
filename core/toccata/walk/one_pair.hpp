// The first contact of two bodies by themselves: an earliest-first walk of one pair.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// The first contact from `start` on, before the cutoff of the options; what came before `start` is
/// not asked. Surfaces only: a body inside another one touches nothing.
Contact walk_pair(const MovingPair& pair, double start);

}  // namespace toccata
