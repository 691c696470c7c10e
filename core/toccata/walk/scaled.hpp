// Questions about bodies that are too small, or too far apart in size, for the arithmetic of the
// methods: all lengths are multiplied by a power of two, and those of the answer divided by it.
#pragma once

#include <span>

#include "toccata/walk/distance.hpp"
#include "toccata/walk/pair.hpp"
#include "toccata/walk/proximities.hpp"

namespace toccata {

/// The exponent for a query of these bodies; 0, mostly: leave them as they are.
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

/// The answer to a query that was scaled, in the lengths of the query.
Contact scaled_back(Contact contact, const Options& options, int exponent);

/// The same for many; their tolerances are not told.
void scale_back(Contacts& contacts, int exponent);
void scale_back(Proximity& proximity, int exponent);

/// The same for a distance.
Distance scaled_back(Distance found, int exponent);

}  // namespace toccata
