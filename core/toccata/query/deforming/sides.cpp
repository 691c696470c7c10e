// Sorting of sides: distribution over buckets, then by lower vertex.
#include "toccata/query/deforming/sides.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "toccata/base/counting_sort.hpp"

namespace toccata {
namespace {

/// Calls visit(side) for all sides of an element.
template <class Visit>
void for_each_side(const Features& f, std::size_t element, const Visit& visit) {
  const auto visit_side = [&](std::size_t k, Index from, Index to) {
    const std::uint64_t upper = static_cast<std::uint64_t>(std::max(from, to)), falls = to < from;
    visit(Side{std::min(from, to), {upper << 32 | element << 3 | k << 1 | falls}});
  };
  const Face v = f.corners(element);
  visit_side(0, v[0], v[1]);
  if (element >= f.faces.size()) return;
  visit_side(1, v[1], v[2]);
  visit_side(2, v[2], v[0]);
}

}  // namespace

SideBuckets::SideBuckets(const Features& f, unsigned threads)
    // Chooses few enough buckets to write to all of them by turns, and small ones.
    : shift_(std::max(9, static_cast<int>(std::bit_width(f.vertex_count)) - 9)),
      sides_(3 * f.faces.size() + f.loose.size()) {
  first_ = counting_sort<3>(
      f.element_count(), (f.vertex_count >> shift_) + 1, threads,
      [&](std::size_t element, const auto& visit) {
        for_each_side(f, element, [&](const Side& side) { visit(side, side.lower >> shift_); });
      },
      [this](const Side& side, std::size_t position) { sides_[position] = side; });
}

SideBuckets::Keys SideBuckets::keys_of(std::size_t b) {
  const std::span sides = bucket(b);
  const std::size_t vertices = std::size_t{1} << shift_, mask = vertices - 1;
  std::vector<std::uint32_t> next(vertices + 1);
  for (const Side& side : sides) ++next[(side.lower & mask) + 1];
  for (std::size_t v = 1; v <= vertices; ++v) next[v] += next[v - 1];
  UninitializedVector<SideKey> keys(sides.size());
  // Takes several positions before it writes the first key. Otherwise the processor would not know
  // the address of the write and would wait before reading the next position.
  constexpr std::size_t some = 8;
  std::size_t i = 0;
  for (; i + some <= sides.size(); i += some) {
    std::array<std::uint32_t, some> positions;
    for (std::size_t j = 0; j < some; ++j) positions[j] = next[sides[i + j].lower & mask]++;
    for (std::size_t j = 0; j < some; ++j) keys[positions[j]] = sides[i + j].key;
  }
  for (; i < sides.size(); ++i) keys[next[sides[i].lower & mask]++] = sides[i].key;
  // The other entries are now the ends.
  next.pop_back();
  return {std::move(keys), std::move(next)};
}

}  // namespace toccata
