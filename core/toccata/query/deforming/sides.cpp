#include "toccata/query/deforming/sides.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "toccata/base/parallel_for.hpp"

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
      sides_(3 * f.faces.size() + f.loose.size()), first_((f.vertex_count >> shift_) + 2) {
  distribute(f, threads);
  parallel_for(bucket_count(), 1, threads,
               [&](std::size_t b, std::size_t, unsigned) { sort_bucket(b); });
}

/// Each chunk of elements has places of its own in each bucket, in the order of chunks.
void SortedSides::distribute(const Features& f, unsigned threads) {
  const std::size_t chunk = even_chunk(f.element_count());
  const std::size_t buckets = bucket_count(), chunks = (f.element_count() + chunk - 1) / chunk;
  std::vector<std::size_t> places(chunks * buckets);
  const auto for_each_in_chunks = [&](const auto& visit) {
    parallel_for(f.element_count(), chunk, threads,
                 [&](std::size_t begin, std::size_t end, unsigned) {
                   std::size_t* place = &places[begin / chunk * buckets];
                   for (std::size_t i = begin; i < end; ++i)
                     for_each_side(f, i, [&](const Side& side) {
                       visit(side, place[side.lower >> shift_]);
                     });
                 });
  };
  for_each_in_chunks([](const Side&, std::size_t& count) { ++count; });
  std::size_t next = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    first_[b] = next;
    for (std::size_t c = 0; c < chunks; ++c)
      next += std::exchange(places[c * buckets + b], next);
  }
  first_[buckets] = next;
  for_each_in_chunks([this](const Side& side, std::size_t& place) { sides_[place++] = side; });
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
