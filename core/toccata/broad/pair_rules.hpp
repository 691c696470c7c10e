// Rules for pairs of bodies: the pairs that are tested, and their separations.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "toccata/base/index.hpp"

namespace toccata {

/// Two bodies by index, the smaller one first. For a robot in a world, the bodies of the world come
/// after the links.
using BodyIndices = std::pair<Index, Index>;

/// The separations of all pairs of bodies: a common separation, exceptions for some pairs, and
/// padding around bodies.
class Separations {
 public:
  struct Entry {
    BodyIndices bodies;
    double distance;

    auto operator<=>(const Entry&) const = default;
  };

  /// `entries` contains each pair once. `rest` is the separation of all other pairs.
  Separations(std::vector<Entry> entries, double rest, Index bodies);

  /// Adds padding to the first bodies. The separation of a pair grows by the padding of both
  /// bodies, rounded up.
  void pad(std::span<const double> around);

  double of(const BodyIndices& bodies) const;
  /// Bounds the separations of a body from above, without the padding of the other bodies. The sum
  /// of two margins is at least the separation of the two bodies, up to one rounding. Callers add a
  /// tolerance to each margin, which is far larger.
  double margin(Index body) const { return margins_[body]; }
  /// Returns the largest separation of the first `first` bodies, from each other and from all other
  /// bodies.
  double most(Index first) const;
  std::size_t bodies() const { return margins_.size(); }
  /// Multiplies all distances by a power of two.
  Separations scaled(int exponent) const;

  bool operator==(const Separations&) const = default;

 private:
  std::vector<Entry> entries_;  // sorted
  double rest_;
  std::vector<double> padding_;  // by body
  std::vector<double> margins_;
};

/// The ignored pairs of a robot's links and bodies of the world. A bit per pair makes lookups fast,
/// because broad phases need many of them.
class IgnoredPairs {
 public:
  IgnoredPairs(Index links, Index bodies)
      : width_(bodies), bits_(static_cast<std::size_t>(links) * width_, false) {}

  void add(Index link, Index body) { bits_[link * width_ + body] = true; }
  bool has(Index link, Index body) const { return bits_[link * width_ + body]; }

 private:
  std::size_t width_;
  std::vector<bool> bits_;
};

/// Returns whether a link is tested against a body of the world; all are if `ignored` is null.
inline bool is_tested(const IgnoredPairs* ignored, Index link, Index body) {
  return !ignored || !ignored->has(link, body);
}

}  // namespace toccata
