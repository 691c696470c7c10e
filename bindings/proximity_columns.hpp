// Distances and proximities as arrays.
#pragma once

#include <span>

#include "bindings.hpp"
#include "contact_columns.hpp"
#include "read_options.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/distances.hpp"
#include "toccata/walk/proximities.hpp"

namespace toccata {

/// Returns the columns in the order of `toccata._proximity.Proximities`.
inline nb::tuple proximity_columns(std::span<const Proximity> found) {
  const std::size_t n = found.size();
  std::vector<std::uint8_t> kind(n);
  std::vector<Index> body_a(n), body_b(n), vertices_a(3 * n), vertices_b(3 * n);
  std::vector<double> point_a(3 * n), point_b(3 * n), normal(3 * n), distance(n);
  const auto put = [](std::vector<double>& to, std::size_t i, const Vec3d& v) {
    to[3 * i] = v.x, to[3 * i + 1] = v.y, to[3 * i + 2] = v.z;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Proximity& p = found[i];
    kind[i] = static_cast<std::uint8_t>(p.kind);
    body_a[i] = p.body_a, body_b[i] = p.body_b;
    std::copy(p.vertices_a.begin(), p.vertices_a.end(), &vertices_a[3 * i]);
    std::copy(p.vertices_b.begin(), p.vertices_b.end(), &vertices_b[3 * i]);
    put(point_a, i, p.point_a), put(point_b, i, p.point_b), put(normal, i, p.normal);
    distance[i] = p.distance;
  }
  const auto rows = [n](auto& values) { return to_numpy(std::move(values), {n, 3}); };
  return nb::make_tuple(column(kind), rows(vertices_a), rows(vertices_b), rows(point_a),
                        rows(point_b), rows(normal), column(distance), column(body_a),
                        column(body_b));
}

/// Runs a query without the GIL and returns its proximities as columns.
template <class Ask>
nb::tuple answered(const Ask& ask) {
  std::vector<Proximity> found;
  {
    const Released released;
    found = ask();
  }
  return proximity_columns(found);
}

/// Returns the columns in the order of `toccata._proximity.Distances`.
inline nb::tuple distance_columns(Distances&& found) {
  const std::size_t n = found.lower.size();
  const auto rows = [n](std::vector<double>& values) {
    return to_numpy(std::move(values), {n, 3});
  };
  return nb::make_tuple(column(found.lower), column(found.upper), column(found.distance),
                        rows(found.point_a), rows(found.point_b), rows(found.normal),
                        column(found.element_a), column(found.element_b), column(found.feature));
}

inline double read_distance(nb::handle value) {
  return checked_distance(read_number(value, "distance"));
}

}  // namespace toccata
