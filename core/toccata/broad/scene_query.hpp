// What a scene is asked, and which of its pairs may have to do with the answer.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "toccata/walk/options.hpp"

namespace toccata {

/// Two bodies, by index (i < j).
using BodyIndices = std::pair<Index, Index>;

/// How near counts as touching, pair by pair.
class PairSeparations {
 public:
  struct Entry {
    BodyIndices bodies;
    double distance;

    auto operator<=>(const Entry&) const = default;
  };

  /// `entries` have each pair once; `rest` is the distance of all others.
  PairSeparations(std::vector<Entry> entries, double rest, Index bodies);

  double of(const BodyIndices& bodies) const;
  /// Not less than any distance of a body.
  double most(Index body) const { return most_[body]; }
  std::size_t bodies() const { return most_.size(); }
  /// All distances multiplied by a power of two.
  PairSeparations scaled(int exponent) const;

  bool operator==(const PairSeparations&) const = default;

 private:
  std::vector<Entry> entries_;  // sorted
  double rest_;
  std::vector<double> most_;
};

/// Options, with a separation of its own for each pair if there are `separations`.
struct SceneQuery {
  Options options;
  std::shared_ptr<const PairSeparations> separations = {};

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
    return options.tolerance + (separations ? separations->most(body) : options.separation);
  }
  bool asks_the_same(const SceneQuery& other) const;
  SceneQuery scaled(int exponent) const;
};

}  // namespace toccata
