#include "toccata/query/deforming/features.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace toccata {
namespace {

template <class Row>
void check_indices(std::span<const Row> rows, std::size_t vertex_count, const char* argument) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Index v : rows[i])
      if (v < 0 || static_cast<std::size_t>(v) >= vertex_count)
        throw std::invalid_argument(std::string(argument) + ": row " + std::to_string(i) +
                                    " has index " + std::to_string(v) + ", expected 0.." +
                                    std::to_string(static_cast<long>(vertex_count) - 1));
}

/// One side of an element, filed under its lower vertex.
struct Side {
  Index upper, element;
  bool operator<(const Side& other) const {
    return upper != other.upper ? upper < other.upper : element < other.element;
  }
};

/// Calls visit(a, b, element) for all sides of all elements.
template <class Visit>
void for_each_side(const Features& f, const Visit& visit) {
  for (std::size_t i = 0; i < f.faces.size(); ++i)
    for (int k = 0; k < 3; ++k)
      visit(f.faces[i][k], f.faces[i][(k + 1) % 3], static_cast<Index>(i));
  for (std::size_t i = 0; i < f.loose.size(); ++i)
    visit(f.loose[i][0], f.loose[i][1], static_cast<Index>(f.faces.size() + i));
}

void give(Features::Owned& owned, Index feature) {
  *std::find(owned.begin(), owned.end(), Features::none) = feature;
}

/// The sides, sorted by lower vertex; those of vertex v start at first[v].
struct Sides {
  std::vector<Side> sides;
  std::vector<Index> first;

  explicit Sides(const Features& f) : first(f.vertex_count + 2) {
    for_each_side(f, [&](Index a, Index b, Index) { ++first[std::min(a, b) + 2]; });
    for (std::size_t v = 2; v < first.size(); ++v) first[v] += first[v - 1];
    sides.resize(first.back());
    // Filling moves each start one place on, to where the vertex before it is looked up.
    for_each_side(f, [&](Index a, Index b, Index element) {
      sides[first[std::min(a, b) + 1]++] = {std::max(a, b), element};
    });
  }
};

/// Each edge goes to the first element that has it.
void own_edges(Features& f) {
  Sides sides(f);
  f.edges.reserve(sides.sides.size() / 2 + 1);
  f.owned_edges.assign(f.element_count(), {Features::none, Features::none, Features::none});
  for (std::size_t v = 0; v < f.vertex_count; ++v) {
    const auto begin = sides.sides.begin() + sides.first[v];
    const auto end = sides.sides.begin() + sides.first[v + 1];
    std::sort(begin, end);
    for (auto side = begin; side != end; ++side) {
      if (side != begin && side[-1].upper == side->upper) continue;
      give(f.owned_edges[side->element], static_cast<Index>(f.edges.size()));
      f.edges.push_back({static_cast<Index>(v), side->upper});
    }
  }
}

void own_vertices(Features& f) {
  std::vector<bool> taken(f.vertex_count);
  f.owned_vertices.assign(f.element_count(), {Features::none, Features::none, Features::none});
  for (std::size_t i = 0; i < f.element_count(); ++i)
    for (const Index v : f.corners(i))
      if (!taken[v]) {
        taken[v] = true;
        give(f.owned_vertices[i], v);
      }
}

}  // namespace

Features make_features(std::size_t vertex_count, std::span<const Face> faces,
                       std::span<const Edge> loose) {
  check_indices(faces, vertex_count, "faces");
  check_indices(loose, vertex_count, "edges");
  Features f;
  f.faces.assign(faces.begin(), faces.end());
  f.loose.assign(loose.begin(), loose.end());
  f.vertex_count = vertex_count;
  own_edges(f);
  own_vertices(f);
  return f;
}

}  // namespace toccata
