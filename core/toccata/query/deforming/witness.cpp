#include "toccata/query/deforming/witness.hpp"

#include <algorithm>

#include "toccata/math/scale.hpp"
#include "toccata/narrow/linear/gap.hpp"
#include "toccata/walk/contact.hpp"

namespace toccata {
namespace {

/// Returns whether a direction proves that features with differences `d` are apart. Differences err
/// by 2^-50 of their extent, and the dot products by a few 2^-53 of it: see `separated_until`.
bool separates(const Vec3d& n, const Vec3q& d, const Vec3d& extent) {
  const double error = 0x1p-48 * norm(n) * norm(extent);
  for (int k = 0; k < 4; ++k)
    if (!(dot(n, lane(d, k)) > error)) return false;
  return true;
}

int scaling_of(const LinearPair& pair) {
  double extent = 0;
  for (int k = 0; k < 4; ++k)
    extent = std::max({extent, largest(pair.start[k]), largest(pair.end[k])});
  return scaling_for(extent);
}

LinearPair scaled(const LinearPair& pair, int exponent) {
  LinearPair result;
  for (int k = 0; k < 4; ++k) {
    result.start[k] = scaled(pair.start[k], exponent);
    result.end[k] = scaled(pair.end[k], exponent);
  }
  return result;
}

template <PairKind kind>
Witness scaled_witness(const LinearPair& pair, double time) {
  const int exponent = scaling_of(pair);
  if (exponent == 0) return witness_of<kind>(pair, time);
  Witness found = witness_of<kind>(scaled(pair, exponent), time);
  found.point_a = scaled(found.point_a, -exponent);
  found.point_b = scaled(found.point_b, -exponent);
  return found;
}

}  // namespace

template <PairKind kind>
Witness witness_of(const LinearPair& pair, double time) {
  const Differences<kind> differences(pair);
  const Vec3q d = differences.at(time);
  Witness found{closest_weights<kind>(d), {0, 0, 0}, {0, 0, 0}, nowhere};
  constexpr int split = kind == PairKind::vertex_face ? 1 : 2;
  for (int k = 0; k < 4; ++k) {
    Vec3d& point = k < split ? found.point_a : found.point_b;
    point = point + (pair.start[k] * (1 - time) + pair.end[k] * time) * found.weights[k];
    if (k >= split) found.weights[k] = -found.weights[k];
  }
  const Vec3d n = gap_of<kind>(d).direction;
  if (time == 0 && !separates(n, d, differences.extent)) return found;
  if (const double length = norm(n); length > 0) found.normal = n * (1 / length);
  return found;
}

template Witness witness_of<PairKind::vertex_face>(const LinearPair& pair, double time);
template Witness witness_of<PairKind::edge_edge>(const LinearPair& pair, double time);

std::vector<Witness> witnesses_of(PairKind kind, std::span<const std::array<Vec3d, 4>> start,
                                  std::span<const std::array<Vec3d, 4>> end,
                                  std::span<const double> times) {
  std::vector<Witness> found(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const LinearPair pair{start[i], end[i]};
    found[i] = kind == PairKind::vertex_face ? scaled_witness<PairKind::vertex_face>(pair, times[i])
                                             : scaled_witness<PairKind::edge_edge>(pair, times[i]);
  }
  return found;
}

}  // namespace toccata
