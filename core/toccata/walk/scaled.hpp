// Scaled queries, for bodies that are too small or too large for single precision: all lengths of
// the query are multiplied by a power of two, and the lengths of the answer are divided by it.
#pragma once

#include <span>

#include "toccata/walk/distance.hpp"
#include "toccata/walk/pair.hpp"
#include "toccata/walk/proximities.hpp"

namespace toccata {

/// Returns the exponent of the scale for a query about these bodies; usually 0.
int scaling_of(std::span<const Body> bodies);

/// A body with all lengths scaled.
class ScaledBody {
 public:
  ScaledBody(const Body& body, int exponent)
      : mesh_(body.mesh.scaled(exponent)), motion_(body.motion.scaled(exponent)) {}
  operator Body() const { return {mesh_, motion_}; }  // NOLINT: it is one

 private:
  Mesh mesh_;
  Motion motion_;
};

Options scaled(const Options& options, int exponent);

/// Converts the answer of a scaled query back to the lengths of the query.
Contact scaled_back(Contact contact, const Options& options, int exponent);

/// Converts answers back in place, with their tolerances.
void scale_back(Contacts& contacts, int exponent);
void scale_back(Proximity& proximity, int exponent);

Distance scaled_back(Distance found, int exponent);

}  // namespace toccata
