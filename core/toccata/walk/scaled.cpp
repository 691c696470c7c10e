// Scaling of options and answers by powers of two.
#include "toccata/walk/scaled.hpp"

#include "toccata/math/scale.hpp"

namespace toccata {

int scaling_of(std::span<const Body> bodies) {
  double extent = 0;
  for (const Body& body : bodies)
    extent = std::max({extent, body.mesh.extent(), body.motion.extent()});
  return scaling_for(extent);
}

Options scaled(const Options& options, int exponent) {
  Options result = options;
  result.separation = scaled_distance(options.separation, exponent);
  result.tolerance = scaled_distance(options.tolerance, exponent);
  result.start = {scaled(options.start.lo, exponent), scaled(options.start.hi, exponent)};
  result.exponent += exponent;
  return result;
}

Contact scaled_back(Contact contact, const Options& options, int exponent) {
  Closest& closest = contact.closest;
  closest.point_a = scaled(closest.point_a, -exponent);
  closest.point_b = scaled(closest.point_b, -exponent);
  closest.distance = scaled(closest.distance, -exponent);
  // A pair that rests chooses its own tolerance.
  const bool is_given = options.tolerance > 0 && options.initial != Initial::resting;
  contact.tolerance = is_given ? options.tolerance : scaled(contact.tolerance, -exponent);
  return contact;
}

void scale_back(Contacts& contacts, int exponent) {
  for (std::vector<double>* const lengths :
       {&contacts.tolerance, &contacts.distance, &contacts.point_a, &contacts.point_b})
    for (double& length : *lengths) length = scaled(length, -exponent);
}

void scale_back(Proximity& p, int exponent) {
  p.point_a = scaled(p.point_a, -exponent);
  p.point_b = scaled(p.point_b, -exponent);
  p.distance = scaled(p.distance, -exponent);
}

Distance scaled_back(Distance found, int exponent) {
  found.lower = scaled(found.lower, -exponent);
  found.upper = scaled(found.upper, -exponent);
  found.closest.distance = scaled(found.closest.distance, -exponent);
  found.closest.point_a = scaled(found.closest.point_a, -exponent);
  found.closest.point_b = scaled(found.closest.point_b, -exponent);
  return found;
}

}  // namespace toccata
