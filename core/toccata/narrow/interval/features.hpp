// When the features of two moving triangles can touch: the equations of Redon, Kheddar, Coquillart
// 2002 (section 4.2) over a window of time, for contact within a separation.
#pragma once

#include "toccata/geometry/triangle.hpp"
#include "toccata/narrow/interval/motion.hpp"

namespace toccata {

/// A set of feature pairs, one bit each: 3 i + j is edge i of x with edge j of y (edge i runs from
/// corner i to the next), 9 + i is corner i of x with the face of y, 12 + j the face of x with
/// corner j of y.
using FeatureSet = unsigned;
inline constexpr FeatureSet all_features = (1u << 15) - 1;

/// Two triangles, each in its own body's coordinates about the mesh's center.
struct TrianglePair {
  Triangle x, y;
};

struct FeatureOptions {
  double separation, tolerance;
  double error;  ///< exceeds the rounding error of distances
};

/// What is known of a window after one look at it.
struct FeatureTest {
  FeatureSet pending;  ///< the others stay farther apart than the separation for the whole window
  double step;         ///< so do the pending ones, from the window's start for at least this long
  bool touches;        ///< a pending one certainly is within separation + tolerance at the start
};

/// Looks at the window that starts at the time of `motion` and lasts `duration`. Triangles that
/// cross each other already at the start are not noticed.
FeatureTest test_features(const TrianglePair& triangles, const RelativeTaylor<double>& motion,
                          double duration, const FeatureOptions& options, FeatureSet pending);

}  // namespace toccata
