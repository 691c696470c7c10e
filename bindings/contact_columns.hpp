// Batches of answers as arrays, a column per field.
#pragma once

#include "arrays.hpp"
#include "toccata/walk/contact.hpp"

namespace toccata {

template <class T>
nb::ndarray<nb::numpy, T> column(std::vector<T>& values) {
  const std::size_t count = values.size();
  return to_numpy(std::move(values), {count});
}

/// Returns the columns in the order of `toccata._result.Batch`.
inline nb::tuple contact_columns(Contacts&& found) {
  const auto points = [n = found.status.size()](std::vector<double>& values) {
    return to_numpy(std::move(values), {n, 3});
  };
  return nb::make_tuple(column(found.status), column(found.toc), column(found.safe_until),
                        column(found.tolerance), column(found.distance), points(found.point_a),
                        points(found.point_b), points(found.normal), column(found.element_a),
                        column(found.element_b), column(found.feature));
}

}  // namespace toccata
