// Comparison and scaling of the options of a scene.
#include "toccata/broad/scene_query.hpp"

#include "toccata/math/scale.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {

bool SceneQuery::is_same(const SceneQuery& other) const {
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
    result.separations = std::make_shared<const Separations>(separations->scaled(exponent));
  return result;
}

}  // namespace toccata
