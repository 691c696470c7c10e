// Distances at the start of a path, for pairs of bodies that may rest on each other.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "toccata/broad/robot_broad.hpp"
#include "toccata/math/interval.hpp"

namespace toccata {

struct RobotOptions;

/// The pairs that start a path within separation + tolerance of each other, with bounds of their
/// distances there. All pieces of the path are asked about them, so that a piece does not take the
/// end of the piece before for a start of its own.
class PathStarts {
 public:
  void add(const Candidate& candidate, const Interval& distance) {
    entries_.push_back({key(candidate), distance});
  }
  void sort() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& s, const Entry& t) { return s.first < t.first; });
  }

  /// Returns the bounds of a pair; infinite if the pair starts apart.
  Interval of(const Candidate& candidate) const {
    const Key wanted = key(candidate);
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), wanted,
                                        [](const Entry& e, const Key& k) { return e.first < k; });
    return found != entries_.end() && found->first == wanted ? found->second : Interval{infinity};
  }

  /// Multiplies all distances by a power of two.
  PathStarts scaled(int exponent) const;

 private:
  using Key = std::pair<Index, std::pair<Index, Index>>;
  using Entry = std::pair<Key, Interval>;
  static Key key(const Candidate& c) { return {c.link, {c.pair, c.pair < 0 ? c.other : -1}}; }

  std::vector<Entry> entries_;
};

/// Measures the distances at configuration q, by the separations and the tolerance of `options`.
/// Null unless pairs may rest.
std::shared_ptr<const PathStarts> start_distances(const Robot& robot, const World& world,
                                                  const double* q, const RobotOptions& options);

}  // namespace toccata
