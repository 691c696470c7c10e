#include "toccata/query/deforming/features.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "toccata/base/atomic_indices.hpp"
#include "toccata/query/deforming/sides.hpp"

namespace toccata {
namespace {

constexpr std::array<Index, 3> nothing{Features::none, Features::none, Features::none};

/// Calls visit(i) for all i below `count`, on several threads.
template <class Visit>
void for_each(std::size_t count, unsigned threads, const Visit& visit) {
  parallel_for(count, even_chunk(count), threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (std::size_t i = begin; i < end; ++i) visit(i);
               });
}

template <class Row>
void check_indices(std::span<const Row> rows, std::size_t vertex_count, const char* argument,
                   unsigned threads) {
  const auto is_bad = [&](Index v) { return v < 0 || static_cast<std::size_t>(v) >= vertex_count; };
  const auto has_bad = [&](const Row& row) { return std::any_of(row.begin(), row.end(), is_bad); };
  std::atomic<bool> good = true;
  for_each(rows.size(), threads, [&](std::size_t i) {
    if (has_bad(rows[i])) good.store(false, std::memory_order_relaxed);
  });
  if (good) return;
  const auto row = std::find_if(rows.begin(), rows.end(), has_bad);
  throw std::invalid_argument(
      std::string(argument) + ": row " + std::to_string(row - rows.begin()) + " has index " +
      std::to_string(*std::find_if(row->begin(), row->end(), is_bad)) + ", expected 0.." +
      std::to_string(static_cast<long>(vertex_count) - 1));
}

/// Which side of an element it is: k, from corner k to corner k + 1.
int place_of(const Features& f, const Side& side) {
  const Face v = f.corners(side.element);
  int k = 0;
  const auto is = [&](Index p, Index q) {
    return std::min(p, q) == side.lower && std::max(p, q) == side.upper;
  };
  while (!is(v[k], v[(k + 1) % 3])) ++k;
  return k;
}

/// Links two faces across an edge that only they have, if they run through it in opposite ways.
void link(Features& f, std::span<const Side> sides) {
  const auto is_loose = [&](const Side& side) {
    return static_cast<std::size_t>(side.element) >= f.faces.size();
  };
  if (sides.size() < 2 || (sides.size() > 2 && !is_loose(sides[2])) || is_loose(sides[1])) return;
  const Index a = sides[0].element, b = sides[1].element;
  const int i = place_of(f, sides[0]), j = place_of(f, sides[1]);
  if (a == b || f.faces[a][i] == f.faces[b][j]) return;
  f.across[a][i] = b;
  f.across[b][j] = a;
}

/// Calls visit(sides) for the sides of each edge.
template <class Visit>
void for_each_edge(std::span<const Side> sides, const Visit& visit) {
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].lower == sides[begin].lower &&
           sides[end].upper == sides[begin].upper)
      ++end;
    visit(sides.subspan(begin, end - begin));
  }
}

/// Each edge goes to the first element that has it.
void make_edges(Features& f, unsigned threads) {
  const SortedSides sides(f, threads);
  std::vector<std::size_t> first(sides.bucket_count() + 1);
  parallel_for(sides.bucket_count(), 1, threads, [&](std::size_t b, std::size_t, unsigned) {
    for_each_edge(sides.bucket(b), [&](std::span<const Side>) { ++first[b + 1]; });
  });
  for (std::size_t b = 1; b < first.size(); ++b) first[b] += first[b - 1];
  f.edges.resize(first.back());
  parallel_for(sides.bucket_count(), 1, threads, [&](std::size_t b, std::size_t, unsigned) {
    std::size_t next = first[b];
    for_each_edge(sides.bucket(b), [&](std::span<const Side> same) {
      f.edges[next] = {same[0].lower, same[0].upper};
      f.owned_edges[same[0].element][place_of(f, same[0])] = static_cast<Index>(next++);
      link(f, same);
    });
  });
}

/// Each vertex goes to the first element that has it.
void own_vertices(Features& f, unsigned threads) {
  AtomicIndices owner =
      atomic_indices(f.vertex_count, std::numeric_limits<Index>::max(), threads);
  for_each(f.element_count(), threads, [&](std::size_t i) {
    const Index element = static_cast<Index>(i);
    for (const Index v : f.corners(element)) {
      Index now = owner[v].load(std::memory_order_relaxed);
      while (element < now &&
             !owner[v].compare_exchange_weak(now, element, std::memory_order_relaxed)) {
      }
    }
  });
  for_each(f.element_count(), threads, [&](std::size_t element) {
    const Face v = f.corners(element);
    const auto owned = [&](Index corner) {
      const Index first = owner[corner].load(std::memory_order_relaxed);
      return first == static_cast<Index>(element) ? corner : Features::none;
    };
    f.owned_vertices[element] = {owned(v[0]), v[1] == v[0] ? Features::none : owned(v[1]),
                                 v[2] == v[0] || v[2] == v[1] ? Features::none : owned(v[2])};
  });
}

}  // namespace

Features make_features(std::size_t vertex_count, std::span<const Face> faces,
                       std::span<const Edge> loose, unsigned threads) {
  check_indices(faces, vertex_count, "faces", threads);
  check_indices(loose, vertex_count, "edges", threads);
  static std::atomic<std::uint64_t> last = 0;
  Features f;
  f.number = ++last;
  f.vertex_count = vertex_count;
  f.loose.assign(loose.begin(), loose.end());
  f.faces.resize(faces.size());
  f.across.resize(faces.size());
  f.owned_edges.resize(f.element_count());
  f.owned_vertices.resize(f.element_count());
  for_each(f.element_count(), threads, [&](std::size_t i) {
    f.owned_edges[i] = nothing;
    if (i >= faces.size()) return;
    f.faces[i] = faces[i];
    f.across[i] = nothing;
  });
  make_edges(f, threads);
  own_vertices(f, threads);
  return f;
}

}  // namespace toccata
