#include "toccata/query/rigid/interval.hpp"
#include "toccata/query/rigid/methods.hpp"
namespace toccata {
Contact interval(const MovingPair& pair, double start, Coherence*) { return hca(pair, start); }
}  // namespace toccata
