// The options of a query about a scene.
#pragma once

#include <memory>

#include "toccata/broad/pair_rules.hpp"
#include "toccata/walk/options.hpp"

namespace toccata {

/// Options of a query, with optional separations of pairs.
struct SceneQuery {
  Options options;
  std::shared_ptr<const Separations> separations = {};  ///< null: the separation of the options

  /// Returns the options of one pair.
  Options of(const BodyIndices& bodies) const {
    Options result = options;
    if (separations) result.separation = separations->of(bodies);
    return result;
  }
  /// Returns separation + tolerance of a pair: farther bodies are not reported.
  double reach(const BodyIndices& bodies) const {
    return options.tolerance + (separations ? separations->of(bodies) : options.separation);
  }
  /// Bounds separation + tolerance of all pairs of a body from above.
  double reach(Index body) const {
    return options.tolerance + (separations ? separations->margin(body) : options.separation);
  }
  /// Returns whether both queries have the same answers.
  bool is_same(const SceneQuery& other) const;
  SceneQuery scaled(int exponent) const;
};

}  // namespace toccata
