// Which pairs of links and bodies are tested against each other, and at which separation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/math/scale.hpp"

namespace toccata {

/// The separation of every pair of links, and of every link and body of the world: one table.
class Separations {
 public:
  Separations(Index links, Index bodies, double rest)
      : links_(links),
        width_(static_cast<std::size_t>(links) + bodies),
        distances_(links * width_, rest),
        margins_(links, rest) {}

  void set_links(Index a, Index b, double distance) {
    set(a, b, distance);
    set(b, a, distance);
  }
  void set_body(Index link, Index body, double distance) { set(link, links_ + body, distance); }

  /// Adds what is kept around each link to all its distances, the sum for two links; rounded up.
  void pad(std::span<const double> around) {
    for (Index a = 0; a < links_; ++a)
      for (std::size_t other = 0; other < width_; ++other) {
        const auto b = static_cast<Index>(other);
        if (a == b) continue;  // no pair
        const double both = b < links_ ? sum_above(around[a], around[b]) : around[a];
        double& distance = distances_[a * width_ + other];
        distance = sum_above(distance, both);
      }
    for (Index a = 0; a < links_; ++a) margins_[a] = sum_above(margins_[a], around[a]);
  }

  double of_links(Index a, Index b) const { return distances_[a * width_ + b]; }
  double of_body(Index link, Index body) const { return distances_[link * width_ + links_ + body]; }
  /// Not less than any distance of a link and a body; those of two links are not less together than
  /// their distance.
  double margin(Index link) const { return margins_[link]; }
  double most() const {
    return links_ ? *std::max_element(distances_.begin(), distances_.end()) : 0;
  }

  /// All distances multiplied by a power of two.
  Separations scaled(int exponent) const {
    Separations result = *this;
    for (double& distance : result.distances_) distance = scaled_distance(distance, exponent);
    for (double& distance : result.margins_) distance = scaled_distance(distance, exponent);
    return result;
  }

  Index links() const { return links_; }
  Index bodies() const { return static_cast<Index>(width_) - links_; }

 private:
  /// Nothing added is no rounding either.
  static double sum_above(double a, double b) {
    return a == 0 || b == 0 ? a + b : std::nextafter(a + b, infinity);
  }
  void set(Index row, Index column, double distance) {
    distances_[row * width_ + column] = distance;
    margins_[row] = std::max(margins_[row], distance);
  }

  Index links_;
  std::size_t width_;  // of a row: links, then bodies
  std::vector<double> distances_, margins_;
};

/// Links of a robot and bodies of the world that need no test: one bit for every pair.
class Untested {
 public:
  Untested(Index links, Index bodies)
      : width_(bodies), bits_(static_cast<std::size_t>(links) * width_, false) {}

  void add(Index link, Index body) { bits_[link * width_ + body] = true; }
  bool has(Index link, Index body) const { return bits_[link * width_ + body]; }

 private:
  std::size_t width_;
  std::vector<bool> bits_;
};

/// Returns whether a link is tested against a body; all are if `untested` is null.
inline bool is_tested(const Untested* untested, Index link, Index body) {
  return !untested || !untested->has(link, body);
}

}  // namespace toccata
