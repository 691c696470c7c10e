// Search for edges and adjacent faces, and assignment of features to their owners.
#include "toccata/query/deforming/features.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

#include "toccata/base/expects.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/orientation.hpp"
#include "toccata/query/deforming/sides.hpp"

namespace toccata {
namespace {

constexpr std::array<Index, 3> nothing{Features::none, Features::none, Features::none};

/// Calls visit(begin, end) for ranges that partition [0, count), on several threads.
template <class Visit>
void in_ranges(std::size_t count, unsigned threads, const Visit& visit) {
  parallel_for(count, even_grain(count), threads,
               [&](std::size_t begin, std::size_t end, unsigned) { visit(begin, end); });
}

/// Copies rows of indices and checks the indices and the number of rows.
template <class Row>
void copy_rows(std::span<const Row> rows, Row* to, std::size_t vertex_count, const char* argument,
               unsigned threads) {
  expects(rows.size() < (std::size_t{1} << 28), argument, "expected fewer than 2^28 rows");
  const auto is_bad = [&](Index v) { return static_cast<std::size_t>(v) >= vertex_count; };
  const auto has_bad = [&](const Row& row) { return std::any_of(row.begin(), row.end(), is_bad); };
  std::atomic<bool> good = true;
  in_ranges(rows.size(), threads, [&](std::size_t begin, std::size_t end) {
    // Does not end early, so that the loop vectorizes.
    bool some_bad = false;
    for (std::size_t i = begin; i < end; ++i) {
      to[i] = rows[i];
      for (const Index v : rows[i]) some_bad |= is_bad(v);
    }
    if (some_bad) good.store(false, std::memory_order_relaxed);
  });
  if (good) return;
  const auto row = std::find_if(rows.begin(), rows.end(), has_bad);
  throw std::invalid_argument(
      std::string(argument) + ": row " + std::to_string(row - rows.begin()) + " has index " +
      std::to_string(*std::find_if(row->begin(), row->end(), is_bad)) + ", expected 0.." +
      std::to_string(static_cast<long>(vertex_count) - 1));
}

/// Links two faces across an edge that only they have. Other faces have no face across this edge.
/// Returns whether the two traverse it in the same direction.
bool link(Features& f, std::span<const SideKey> sides) {
  const auto is_loose = [&](SideKey side) { return side.element() >= f.faces.size(); };
  while (!sides.empty() && is_loose(sides.back())) sides = sides.first(sides.size() - 1);
  const auto set = [&](SideKey side, std::size_t face) {
    f.across[side.element()][side.k()] = static_cast<Index>(face);
  };
  if (sides.size() == 2 && sides[0].element() != sides[1].element()) {
    set(sides[0], sides[1].element());
    set(sides[1], sides[0].element());
    return sides[0].falls() == sides[1].falls();
  }
  for (const SideKey side : sides) set(side, Features::none);
  return false;
}

/// Links the faces of a bucket, and replaces the content of the bucket by the first side of each
/// edge, in order. Returns their number. Sets `consistent` to false if it links faces that traverse
/// their edge in the same direction.
std::size_t link_bucket(Features& f, SideBuckets& buckets, std::size_t b,
                        std::atomic<bool>& consistent) {
  Side* first = buckets.bucket(b).data();
  bool same = false;
  buckets.for_each_edge(b, [&](Index lower, std::span<const SideKey> sides) {
    *first++ = {lower, sides[0]};
    same |= link(f, sides);
  });
  if (same) consistent.store(false, std::memory_order_relaxed);
  return static_cast<std::size_t>(first - buckets.bucket(b).data());
}

/// Lists all edges. Each edge is owned by the first element that has it. Returns whether adjacent
/// faces are consistently oriented.
bool make_edges(Features& f, unsigned threads) {
  std::atomic<bool> consistent = true;
  SideBuckets buckets(f, threads);
  std::vector<std::size_t> first(buckets.count() + 1);
  parallel_for(buckets.count(), 1, threads, [&](std::size_t b, std::size_t, unsigned) {
    first[b + 1] = link_bucket(f, buckets, b, consistent);
  });
  for (std::size_t b = 1; b < first.size(); ++b) first[b] += first[b - 1];
  f.edges.resize(first.back());
  parallel_for(buckets.count(), 1, threads, [&](std::size_t b, std::size_t, unsigned) {
    const Side* side = buckets.bucket(b).data();
    for (std::size_t i = first[b]; i < first[b + 1]; ++i, ++side) {
      const SideKey key = side->key;
      f.edges[i] = {side->lower, key.upper()};
      f.owned_edges[key.element()][key.k()] = static_cast<Index>(i);
    }
  });
  return consistent;
}

/// Assigns each vertex to the first element that has it.
void own_vertices(Features& f, unsigned threads) {
  // Each part of the elements needs an array over all vertices. In total, these are at most as
  // large as the corners.
  const std::size_t count = f.element_count(), most = 3 * count / (f.vertex_count + 1);
  const std::size_t parts = std::max<std::size_t>(std::min<std::size_t>(most, threads), 1);
  // For each part, in order: the first corner at each vertex, as 4 * element + k.
  std::vector<UninitializedVector<Index>> corners(parts);
  parallel_for(parts, 1, threads, [&](std::size_t part, std::size_t, unsigned) {
    corners[part].resize(f.vertex_count);
    Index* const corner = corners[part].data();
    std::fill_n(corner, f.vertex_count, Features::none);
    // Goes backwards, so the first corner remains.
    for (std::size_t i = count * (part + 1) / parts; i-- > count * part / parts;) {
      const Face v = f.corners(i);
      for (int k = 2; k >= 0; --k) corner[v[k]] = static_cast<Index>(i << 2 | k);
    }
  });
  in_ranges(f.vertex_count, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto has = [v](const UninitializedVector<Index>& corner) { return corner[v] >= 0; };
      const auto part = std::find_if(corners.begin(), corners.end(), has);
      if (part == corners.end()) continue;
      f.owned_vertices[(*part)[v] >> 2][(*part)[v] & 3] = static_cast<Index>(v);
    }
  });
}

}  // namespace

Features make_features(std::size_t vertex_count, std::span<const Face> faces,
                       std::span<const Edge> loose, unsigned threads) {
  static std::atomic<std::uint64_t> last = 0;
  Features f;
  f.id = ++last;
  f.vertex_count = vertex_count;
  f.faces.resize(faces.size());
  f.loose.resize(loose.size());
  copy_rows(faces, f.faces.data(), vertex_count, "faces", threads);
  copy_rows(loose, f.loose.data(), vertex_count, "edges", threads);
  f.across.resize(faces.size());
  f.owned_edges.resize(f.element_count());
  f.owned_vertices.resize(f.element_count());
  in_ranges(f.element_count(), threads, [&](std::size_t begin, std::size_t end) {
    std::fill_n(f.owned_edges.data() + begin, end - begin, nothing);
    std::fill_n(f.owned_vertices.data() + begin, end - begin, nothing);
  });
  if (!make_edges(f, threads)) orient(f);
  own_vertices(f, threads);
  return f;
}

}  // namespace toccata
