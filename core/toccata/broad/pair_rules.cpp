// Lookup of the separations of pairs, with padding.
#include "toccata/broad/pair_rules.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/math/scale.hpp"

namespace toccata {
namespace {

/// Adds two distances, rounded up; a sum with 0 is exact.
double sum_above(double a, double b) {
  return a == 0 || b == 0 ? a + b : std::nextafter(a + b, infinity);
}

}  // namespace

Separations::Separations(std::vector<Entry> entries, double rest, Index bodies)
    : entries_(std::move(entries)), rest_(rest), padding_(bodies, 0.0), margins_(bodies, rest) {
  std::sort(entries_.begin(), entries_.end());
  for (const Entry& entry : entries_)
    for (const Index body : {entry.bodies.first, entry.bodies.second})
      margins_[body] = std::max(margins_[body], entry.distance);
}

void Separations::pad(std::span<const double> around) {
  for (std::size_t i = 0; i < around.size(); ++i) {
    padding_[i] = sum_above(padding_[i], around[i]);
    margins_[i] = sum_above(margins_[i], around[i]);
  }
}

double Separations::of(const BodyIndices& bodies) const {
  const auto entry =
      std::lower_bound(entries_.begin(), entries_.end(), bodies,
                       [](const Entry& e, const BodyIndices& pair) { return e.bodies < pair; });
  const bool is_listed = entry != entries_.end() && entry->bodies == bodies;
  return sum_above(is_listed ? entry->distance : rest_,
                   sum_above(padding_[bodies.first], padding_[bodies.second]));
}

double Separations::most(Index first) const {
  double most = 0;
  for (Index a = 0; a < first; ++a)
    for (Index b = a + 1; b < static_cast<Index>(bodies()); ++b) most = std::max(most, of({a, b}));
  return most;
}

Separations Separations::scaled(int exponent) const {
  Separations result = *this;
  for (Entry& entry : result.entries_) entry.distance = scaled_distance(entry.distance, exponent);
  for (std::vector<double>* distances : {&result.padding_, &result.margins_})
    for (double& distance : *distances) distance = scaled_distance(distance, exponent);
  result.rest_ = scaled_distance(rest_, exponent);
  return result;
}

}  // namespace toccata
