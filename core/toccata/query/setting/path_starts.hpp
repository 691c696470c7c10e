// Distances at the start of a path, for pairs of bodies that may rest on each other.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "toccata/broad/candidate.hpp"
#include "toccata/math/interval.hpp"
#include "toccata/math/scale.hpp"

namespace toccata {

/// The pairs that are within separation + tolerance at the start of a path, with bounds of their
/// distances. All pieces of the path use them, so that the start of a later piece does not count as
/// the start of the path.
class PathStarts {
 public:
  void add(const Candidate& pair, const Interval& distance) {
    entries_.push_back({key(pair), distance});
  }
  void sort() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& s, const Entry& t) { return s.first < t.first; });
  }

  /// Returns the bounds of a pair; infinite if the pair starts apart.
  Interval of(const Candidate& pair) const {
    const Key wanted = key(pair);
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), wanted,
                                        [](const Entry& e, const Key& k) { return e.first < k; });
    return found != entries_.end() && found->first == wanted ? found->second : Interval{infinity};
  }

  /// Multiplies all distances by a power of two.
  PathStarts scaled(int exponent) const {
    PathStarts result = *this;
    for (Entry& entry : result.entries_) {
      const Interval& d = entry.second;
      entry.second = {toccata::scaled(d.lo, exponent), toccata::scaled(d.hi, exponent)};
    }
    return result;
  }

 private:
  using Key = std::pair<Index, std::pair<Index, Index>>;
  using Entry = std::pair<Key, Interval>;
  static Key key(const Candidate& pair) { return {pair.a, {pair.links, pair.b}}; }

  std::vector<Entry> entries_;
};

}  // namespace toccata
