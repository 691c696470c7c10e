#include "toccata/query/deforming/sides.hpp"

#include <algorithm>
#include <bit>

#include "toccata/base/distribute.hpp"

namespace toccata {
namespace {

/// Calls visit(side) for all sides of an element.
template <class Visit>
void for_each_side(const Features& f, std::size_t element, const Visit& visit) {
  const Face v = f.corners(element);
  const int count = element < f.faces.size() ? 3 : 1;
  for (int k = 0; k < count; ++k) {
    const auto [lower, upper] = std::minmax(v[k], v[(k + 1) % 3]);
    visit(Side{lower, upper, static_cast<Index>(element)});
  }
}

}  // namespace

SortedSides::SortedSides(const Features& f, unsigned threads)
    // Few enough buckets to write to all of them by turns, and small ones.
    : shift_(std::max(9, static_cast<int>(std::bit_width(f.vertex_count)) - 9)),
      sides_(3 * f.faces.size() + f.loose.size()) {
  first_ = distribute(
      f.element_count(), (f.vertex_count >> shift_) + 1, threads,
      [&](std::size_t element, const auto& visit) {
        for_each_side(f, element, [&](const Side& side) { visit(side, side.lower >> shift_); });
      },
      [this](const Side& side, std::size_t place) { sides_[place] = side; });
  parallel_for(bucket_count(), 1, threads,
               [&](std::size_t b, std::size_t, unsigned) { sort_bucket(b); });
}

void SortedSides::sort_bucket(std::size_t b) {
  const std::span sides = std::span(sides_).subspan(first_[b], first_[b + 1] - first_[b]);
  const std::size_t vertices = std::size_t{1} << shift_, mask = vertices - 1;
  std::vector<std::size_t> next(vertices + 1);
  for (const Side& side : sides) ++next[(side.lower & mask) + 1];
  for (std::size_t v = 1; v <= vertices; ++v) next[v] += next[v - 1];
  const std::vector<Side> unsorted(sides.begin(), sides.end());
  for (const Side& side : unsorted) sides[next[side.lower & mask]++] = side;
  std::size_t begin = 0;  // `next` holds ends now
  for (std::size_t v = 0; v < vertices; begin = next[v++])
    std::sort(sides.begin() + begin, sides.begin() + next[v], [](const Side& x, const Side& y) {
      return x.upper != y.upper ? x.upper < y.upper : x.element < y.element;
    });
}

}  // namespace toccata
