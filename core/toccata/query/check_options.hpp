// Options as callers give them, in the same words for all queries. Each function returns what it
// was given, or throws `invalid_argument` that names the option.
#pragma once

#include "toccata/base/expects.hpp"
#include "toccata/bvh/mesh.hpp"
#include "toccata/walk/options.hpp"

namespace toccata {

/// A finite number of at least 0.
double checked_separation(double value);

/// A finite number of at least 0.
double checked_distance(double value);

/// A number of at least 0, or infinity.
double checked_limit(double value);

/// A finite number above 0.
double checked_tolerance(double value);

/// A share of a motion's time: above 0, at most 1.
double checked_resolution(double value);

/// A whole number from 1 on, cut to what can be counted.
Count checked_budget(double value);

/// The control of c2a, in (0, 1]; other methods do not use it.
double checked_control(double value, Method method);

/// Throws `invalid_argument` for a curved surface: distances and proximities are computed for
/// triangles only.
inline void check_triangles(const Mesh& mesh, const char* argument) {
  expects(!mesh.surface(), argument, "expected a mesh of triangles, got a curved surface");
}

}  // namespace toccata
