// Where the walk of an assembly tree stopped, kept for the next motion: parts that were far apart
// stay apart until they have moved far enough.
#pragma once

#include <vector>

#include "toccata/base/index.hpp"

namespace toccata {

/// Two nodes, or a node and the bodies of the world that stay.
struct FrontPair {
  Index a, b;    ///< b: -1 for the world
  Index root;    ///< the last active joint that carries both; -1: the world
  double slack;  ///< they are farther apart than what counts as touching, by so much; 0: near
};

struct AssemblyFront {
  Count version = 0;              ///< of the rigid groups; 0: nothing is known
  std::vector<double> reference;  ///< the configuration for which slacks hold
  std::vector<FrontPair> pairs;
  std::size_t coarse = 0;  ///< how many there were when the walk last started from the root
  int flat = 0;            ///< so many motions more are compared link by link
};

}  // namespace toccata
