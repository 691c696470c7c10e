#include "toccata/query/clearance/search.hpp"

#include "toccata/math/scale.hpp"

namespace toccata {

ClearanceQuestion scaled(const ClearanceQuestion& question, int exponent) {
  ClearanceQuestion result = question;
  result.tolerance = scaled_distance(question.tolerance, exponent);
  result.limit = scaled(question.limit, exponent);
  return result;
}

void scale_back(Clearance& found, const ClearanceQuestion& asked, int exponent) {
  Closest& closest = found.closest;
  closest.point_a = scaled(closest.point_a, -exponent);
  closest.point_b = scaled(closest.point_b, -exponent);
  closest.distance = scaled(closest.distance, -exponent);
  found.lower = scaled(found.lower, -exponent);
  found.upper = scaled(found.upper, -exponent);
  found.tolerance = asked.tolerance > 0 ? asked.tolerance : scaled(found.tolerance, -exponent);
}

}  // namespace toccata
