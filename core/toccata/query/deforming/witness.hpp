// Closest points of feature pairs of deforming meshes at given times.
#pragma once

#include <span>
#include <vector>

#include "toccata/narrow/linear/pair.hpp"

namespace toccata {

/// Closest points of two features at one time.
struct Witness {
  std::array<double, 4> weights;  ///< one for each point: >= 0 for a, <= 0 for b
  Vec3d point_a, point_b;
  Vec3d normal;  ///< unit vector from b to a, or NaN where rounding hides it
};

/// Computes the closest points at a time. At the start, the normal is NaN unless it proves that the
/// features are apart. Later, the features have been apart before.
template <PairKind kind>
Witness witness_of(const LinearPair& pair, double time);

/// Computes the closest points of many pairs, each at its own time.
std::vector<Witness> witnesses_of(PairKind kind, std::span<const std::array<Vec3d, 4>> start,
                                  std::span<const std::array<Vec3d, 4>> end,
                                  std::span<const double> times);

}  // namespace toccata
