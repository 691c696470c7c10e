// Many answers as arrays, a column per field.
#pragma once

#include "arrays.hpp"
#include "toccata/query/contact.hpp"

namespace toccata {

template <class Row, class Field>
auto column(const std::vector<Row>& rows, const Field& field) {
  std::vector<std::decay_t<decltype(field(rows[0]))>> values(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = field(rows[i]);
  const std::size_t count = values.size();
  return to_numpy(std::move(values), {count});
}

template <class Row, class Field>
auto point_column(const std::vector<Row>& rows, const Field& field) {
  std::vector<double> values(3 * rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Vec3d v = field(rows[i]);
    values[3 * i] = v.x, values[3 * i + 1] = v.y, values[3 * i + 2] = v.z;
  }
  return to_numpy(std::move(values), {rows.size(), 3});
}

/// Columns in the order of `toccata.result.Batch`; `contact` finds the contact of a row.
template <class Row, class Find>
nb::tuple contact_columns(const std::vector<Row>& rows, const Find& contact) {
  const auto of = [&](auto field) {
    return column(rows, [&](const Row& row) { return field(contact(row)); });
  };
  const auto points = [&](auto field) {
    return point_column(rows, [&](const Row& row) { return field(contact(row)); });
  };
  return nb::make_tuple(
      of([](const Contact& c) { return static_cast<std::uint8_t>(c.status); }),
      of([](const Contact& c) { return c.toc; }),
      of([](const Contact& c) { return c.safe_until; }),
      of([](const Contact& c) { return c.closest.distance; }),
      points([](const Contact& c) { return c.closest.point_a; }),
      points([](const Contact& c) { return c.closest.point_b; }),
      points([](const Contact& c) { return c.normal; }),
      of([](const Contact& c) { return c.element_a; }),
      of([](const Contact& c) { return c.element_b; }),
      of([](const Contact& c) { return static_cast<std::uint8_t>(c.closest.feature); }));
}

}  // namespace toccata
