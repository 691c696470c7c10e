#pragma once
#include "toccata/query/rigid/pair.hpp"
namespace toccata {
struct Coherence {};
Contact interval(const MovingPair& pair, double start, Coherence* memory);
}  // namespace toccata
