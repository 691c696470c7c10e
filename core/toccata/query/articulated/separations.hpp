// How near counts as touching, pair by pair.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/math/scale.hpp"

namespace toccata {

/// A distance for every pair of links and for every link and body of the world: one table.
class Separations {
 public:
  Separations(Index links, Index bodies, double rest)
      : links_(links),
        width_(static_cast<std::size_t>(links) + bodies),
        distances_(links * width_, rest),
        most_(links, rest) {}

  void set_links(Index a, Index b, double distance) {
    set(a, b, distance);
    set(b, a, distance);
  }
  void set_body(Index link, Index body, double distance) { set(link, links_ + body, distance); }

  double of_links(Index a, Index b) const { return distances_[a * width_ + b]; }
  double of_body(Index link, Index body) const { return distances_[link * width_ + links_ + body]; }
  /// Not less than any distance of a link.
  double most(Index link) const { return most_[link]; }
  double most() const { return links_ ? *std::max_element(most_.begin(), most_.end()) : 0; }

  /// All distances multiplied by a power of two.
  Separations scaled(int exponent) const {
    Separations result = *this;
    for (double& distance : result.distances_) distance = scaled_distance(distance, exponent);
    for (double& distance : result.most_) distance = scaled_distance(distance, exponent);
    return result;
  }

  Index links() const { return links_; }
  Index bodies() const { return static_cast<Index>(width_) - links_; }

 private:
  void set(Index row, Index column, double distance) {
    distances_[row * width_ + column] = distance;
    most_[row] = std::max(most_[row], distance);
  }

  Index links_;
  std::size_t width_;  // of a row: links, then bodies
  std::vector<double> distances_, most_;
};

}  // namespace toccata
