// Checks and copies arrays of callers, in one pass over each array.
#include <nanobind/stl/optional.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "arrays.hpp"
#include "bindings.hpp"
#include "toccata/base/uninitialized_vector.hpp"

namespace toccata {
namespace {

template <class T>
using RowsOf = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using AnyShape = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

bool all_finite(const AnyShape& numbers) {
  // The compiler vectorizes the loop, because the flag is as wide as a double and nothing leaves
  // the loop early.
  std::int64_t other = 0;
  for (const double x : std::span(numbers.data(), numbers.size()))
    other |= std::abs(x) <= std::numeric_limits<double>::max() ? 0 : 1;
  return other == 0;
}

template <class T>
std::optional<nb::ndarray<nb::numpy, Index>> indices(const RowsOf<T>& rows, std::uint32_t count) {
  using Unsigned = std::make_unsigned_t<T>;
  UninitializedVector<Index> ids(rows.size());
  const T* from = rows.data();
  Index* to = ids.data();
  Unsigned outside = 0;
  for (std::size_t i = 0, n = ids.size(); i < n; ++i) {
    outside |= static_cast<Unsigned>(from[i]) < count ? 0 : 1;
    to[i] = static_cast<Index>(from[i]);
  }
  if (outside) return std::nullopt;
  return to_numpy(std::move(ids), {rows.shape(0), rows.shape(1)});
}

}  // namespace

/// Binds checks and copies of arrays. Large copies come from the page pool, because mapping new
/// pages takes longer than copying.
void bind_arrays(nb::module_& m) {
  m.def("all_finite", &all_finite, "numbers"_a.noconvert());
  m.def("indices", &indices<std::int32_t>, "rows"_a.noconvert(), "count"_a,
        "Return a copy as 32-bit indices; None unless all are from 0 to `count` - 1.");
  m.def("indices", &indices<std::int64_t>, "rows"_a.noconvert(), "count"_a);
  m.def(
      "copied",
      [](const Points& points) {
        UninitializedVector<double> copy(points.size());
        std::copy_n(points.data(), copy.size(), copy.begin());
        return to_numpy(std::move(copy), {points.shape(0), 3});
      },
      "points"_a.noconvert());
}

}  // namespace toccata
