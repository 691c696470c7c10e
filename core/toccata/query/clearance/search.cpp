// Scaling of clearance queries and their answers.
#include "toccata/query/clearance/search.hpp"

#include "toccata/math/scale.hpp"

namespace toccata {

ClearanceQuery scaled(const ClearanceQuery& query, int exponent) {
  ClearanceQuery result = query;
  result.tolerance = scaled_distance(query.tolerance, exponent);
  result.limit = scaled(query.limit, exponent);
  return result;
}

void scale_back(Clearance& found, const ClearanceQuery& query, int exponent) {
  Closest& closest = found.closest;
  closest.point_a = scaled(closest.point_a, -exponent);
  closest.point_b = scaled(closest.point_b, -exponent);
  closest.distance = scaled(closest.distance, -exponent);
  found.lower = scaled(found.lower, -exponent);
  found.upper = scaled(found.upper, -exponent);
  found.tolerance = query.tolerance > 0 ? query.tolerance : scaled(found.tolerance, -exponent);
}

}  // namespace toccata
