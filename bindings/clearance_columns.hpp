// Batches of clearances as arrays, a column per field.
#pragma once

#include "contact_columns.hpp"
#include "toccata/query/clearance/batch.hpp"

namespace toccata {

/// Returns the columns in the order of `toccata._result.ClearanceBatch`.
inline nb::tuple clearance_columns(Clearances&& found) {
  const std::size_t n = found.size();
  const auto points = [n](std::vector<double>& values) {
    return to_numpy(std::move(values), {n, 3});
  };
  return nb::make_tuple(column(found.lower), column(found.upper), column(found.distance),
                        column(found.tolerance), column(found.time), points(found.point_a),
                        points(found.point_b), column(found.body_a), column(found.body_b));
}

}  // namespace toccata
