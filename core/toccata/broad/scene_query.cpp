#include "toccata/broad/scene_query.hpp"

#include "toccata/math/scale.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {

PairSeparations::PairSeparations(std::vector<Entry> entries, double rest, Index bodies)
    : entries_(std::move(entries)), rest_(rest), most_(bodies, rest) {
  std::sort(entries_.begin(), entries_.end());
  for (const Entry& entry : entries_)
    for (const Index body : {entry.bodies.first, entry.bodies.second})
      most_[body] = std::max(most_[body], entry.distance);
}

double PairSeparations::of(const BodyIndices& bodies) const {
  const auto entry =
      std::lower_bound(entries_.begin(), entries_.end(), bodies,
                       [](const Entry& e, const BodyIndices& pair) { return e.bodies < pair; });
  return entry != entries_.end() && entry->bodies == bodies ? entry->distance : rest_;
}

PairSeparations PairSeparations::scaled(int exponent) const {
  PairSeparations result = *this;
  for (Entry& entry : result.entries_) entry.distance = scaled_distance(entry.distance, exponent);
  for (double& distance : result.most_) distance = scaled_distance(distance, exponent);
  result.rest_ = scaled_distance(rest_, exponent);
  return result;
}

bool SceneQuery::asks_the_same(const SceneQuery& other) const {
  const Options &a = options, &b = other.options;
  if (a.method != b.method || a.initial != b.initial || a.separation != b.separation ||
      a.tolerance != b.tolerance || a.budget != b.budget || a.cutoff != b.cutoff || a.w != b.w)
    return false;
  if (!separations || !other.separations) return !separations && !other.separations;
  return *separations == *other.separations;
}

SceneQuery SceneQuery::scaled(int exponent) const {
  SceneQuery result{toccata::scaled(options, exponent)};
  if (separations)
    result.separations = std::make_shared<const PairSeparations>(separations->scaled(exponent));
  return result;
}

}  // namespace toccata
