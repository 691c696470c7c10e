// What a scene is asked, and which of its pairs may have to do with the answer.
#pragma once

#include <memory>

#include "toccata/broad/pair_rules.hpp"
#include "toccata/walk/options.hpp"

namespace toccata {

/// Options, with a separation of its own for each pair if there are `separations`.
struct SceneQuery {
  Options options;
  std::shared_ptr<const Separations> separations = {};

  /// Options of one pair.
  Options of(const BodyIndices& bodies) const {
    Options result = options;
    if (separations) result.separation = separations->of(bodies);
    return result;
  }
  /// How near bodies have to come to be of interest: a pair, and all pairs of one body.
  double reach(const BodyIndices& bodies) const {
    return options.tolerance + (separations ? separations->of(bodies) : options.separation);
  }
  double reach(Index body) const {
    return options.tolerance + (separations ? separations->margin(body) : options.separation);
  }
  bool is_same(const SceneQuery& other) const;
  SceneQuery scaled(int exponent) const;
};

}  // namespace toccata
