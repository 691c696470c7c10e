#include "toccata/query/rigid/proximities.hpp"

#include <algorithm>
#include <array>

#include "toccata/base/of_thread.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/query/check_triangles.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

/// Appends what is near in two bodies.
void list(const Body& a, const Body& b, double distance, const NearScope& scope,
          std::vector<Proximity>& found) {
  const MovingPair pair(a, b, {});
  of_thread<NearPairs>().list(pair, pair.state(0, 0), distance, found, scope);
}

}  // namespace

std::vector<Proximity> proximities(const Body& a, const Body& b, double distance,
                                   const NearScope& scope) {
  check_triangles(a.mesh, "a");
  check_triangles(b.mesh, "b");
  std::vector<Proximity> found;
  const int exponent = scaling_of(std::array{a, b});
  if (exponent == 0) [[likely]] {
    list(a, b, distance, scope, found);
    return found;
  }
  list(ScaledBody(a, exponent), ScaledBody(b, exponent), scaled_distance(distance, exponent), scope,
       found);
  for (Proximity& p : found) scale_back(p, exponent);
  return found;
}

std::vector<Proximity> proximities(const Scene& scene, double distance) {
  std::vector<Proximity> found;
  for (const auto& [i, j] : scene.near_at_start(distance)) {
    std::vector<Proximity> here =
        proximities(scene.world().body(i), scene.world().body(j), distance);
    for (Proximity& p : here) {
      p.body_a = i, p.body_b = j;
      found.push_back(p);
    }
  }
  std::sort(found.begin(), found.end(), comes_before);
  return found;
}

}  // namespace toccata
