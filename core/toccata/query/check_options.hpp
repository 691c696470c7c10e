// Checks of the options that callers give, with the same messages for all queries. Each function
// returns its argument, or throws `invalid_argument` with the name of the option.
#pragma once

#include "toccata/base/expects.hpp"
#include "toccata/bvh/mesh.hpp"
#include "toccata/walk/options.hpp"

namespace toccata {

/// Expects a finite number of at least 0.
double checked_separation(double value);

/// Expects a finite number of at least 0.
double checked_distance(double value);

/// Expects a number of at least 0, or infinity.
double checked_limit(double value);

/// Expects a finite number above 0.
double checked_tolerance(double value);

/// Expects a share of a motion's time, in (0, 1].
double checked_resolution(double value);

/// Expects a whole number of at least 1. Clamps it to the largest count.
Count checked_budget(double value);

/// Expects the control of c2a, in (0, 1]. Rejects it for other methods.
double checked_control(double value, Method method);

/// Throws `invalid_argument` for a curved surface: distances and proximities are computed for
/// triangles only.
inline void check_triangles(const Mesh& mesh, const char* argument) {
  expects(!mesh.surface(), argument, "expected a mesh of triangles, got a curved surface");
}

}  // namespace toccata
