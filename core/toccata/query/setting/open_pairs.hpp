// The pool of the pairs of bodies that a traversal has opened, for all settings.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/slots.hpp"
#include "toccata/query/setting/setting.hpp"

namespace toccata {

/// The opened pairs of a traversal. Each candidate pair is constructed when it is opened, and at
/// most once. Reuses its buffers across queries.
template <Setting S>
class OpenPairs {
 public:
  using Bodies = typename S::Bodies;

  /// Clears the pool. The setting and the candidates must outlive the last call of `open`.
  void start(S& setting, std::span<const Candidate> candidates) {
    setting_ = &setting;
    candidates_ = candidates;
    bodies_.clear();
    opened_.clear();
    index_of_.assign(candidates.size(), -1);
  }

  /// Returns the index of the pair of a candidate. Later calls return the same index.
  Index open(Index candidate) {
    Index& index = index_of_[candidate];
    if (index >= 0) return index;
    bodies_.add(*setting_, candidates_[candidate]);
    opened_.push_back(candidate);
    return index = bodies_.size() - 1;
  }
  Index size() const { return bodies_.size(); }
  Bodies& operator[](Index i) { return bodies_[i]; }
  const Candidate& candidate(Index i) const { return candidates_[opened_[i]]; }

  /// Changes the separation of all opened pairs. Other pairs take it from the setting.
  void set_separation(double separation) {
    for (Index i = 0; i < size(); ++i) bodies_[i].set_separation(separation);
  }
  /// Returns the largest tolerance of the opened pairs, but at least `least`.
  double largest_tolerance(double least = 0) const {
    for (Index i = 0; i < size(); ++i)
      least = std::max(least, bodies_[i].pair().stated_tolerance());
    return least;
  }

 private:
  S* setting_ = nullptr;
  std::span<const Candidate> candidates_;
  Slots<Bodies> bodies_;
  std::vector<Index> opened_;    // candidate of each opened pair
  std::vector<Index> index_of_;  // opened pair of each candidate, or -1
};

}  // namespace toccata
