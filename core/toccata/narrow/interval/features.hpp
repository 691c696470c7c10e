// Feature test of two moving triangles: the equations of Redon, Kheddar, Coquillart 2002 (section
// 4.2) over a window, for contact within a separation.
#pragma once

#include "toccata/geometry/triangle.hpp"
#include "toccata/narrow/interval/motion.hpp"

namespace toccata {

/// A set of feature pairs, one bit each. Bit 3 i + j is edge i of x with edge j of y (edge i runs
/// from corner i to the next), bit 9 + i is corner i of x with the face of y, and bit 12 + j is the
/// face of x with corner j of y.
using FeatureSet = unsigned;
inline constexpr FeatureSet all_features = (1u << 15) - 1;

/// Two triangles, each in the coordinates of its own body about the mesh's center.
struct TrianglePair {
  Triangle x, y;
};

struct FeatureOptions {
  double separation, tolerance;
  double error;  ///< exceeds the rounding error of distances
};

/// Result of a feature test of one window.
struct FeatureTest {
  FeatureSet pending;  ///< all other pairs are farther apart than the separation in the window
  double step;         ///< pending pairs are so too, for this time after the start
  bool touches;        ///< a pending pair is proven within separation + tolerance at the start
};

/// Tests the window that starts at the time of `motion` and lasts `duration`. Does not detect
/// triangles that already intersect at the start.
FeatureTest test_features(const TrianglePair& triangles, const RelativeTaylor<double>& motion,
                          double duration, const FeatureOptions& options, FeatureSet pending);

}  // namespace toccata
