// Construction of vertex and edge neighborhoods by hashing and sorting.
#include "toccata/bvh/rings.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

#include "toccata/math/twofold.hpp"

namespace toccata {
namespace {

std::uint64_t hash(const Vec3d& v) {
  std::uint64_t h = 0;
  // x + 0.0 makes 0 and -0 equal.
  for (const double x : {v.x, v.y, v.z}) {
    h = (h ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0x9e3779b97f4a7c15;
    h ^= h >> 32;
  }
  return h;
}

/// An edge of one face.
struct RingSide {
  Index lo, hi;
  Index index;  ///< three times the face, plus the edge's number in the face

  auto operator<=>(const RingSide&) const = default;
  bool joins_the_same(const RingSide& other) const { return lo == other.lo && hi == other.hi; }
};

/// Returns all edges of all faces that have a length, sorted by the vertices that they connect.
std::vector<RingSide> sides_of(const std::vector<FaceFeatures>& faces) {
  std::vector<RingSide> sides;
  sides.reserve(3 * faces.size());
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (int i = 0; i < 3; ++i) {
      const auto [lo, hi] = std::minmax(faces[f].vertex[i], faces[f].vertex[(i + 1) % 3]);
      if (lo != hi) sides.push_back({lo, hi, static_cast<Index>(3 * f) + i});
    }
  std::sort(sides.begin(), sides.end());
  return sides;
}

/// Returns the unit normal of a triangle. The edges are exact and their product has twice the
/// digits of a double, so needles lose no accuracy. Scaling prevents overflow and underflow.
Vec3d unit_normal(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3t ab = scaled(exact_difference(b, a)), ac = scaled(exact_difference(c, a));
  return unit_or_zero(rounded(scaled(cross(ab, ac))));
}

}  // namespace

std::vector<Index> welded(std::span<const Vec3d> vertices) {
  const std::size_t mask = std::bit_ceil(2 * vertices.size()) - 1;
  std::vector<Index> table(mask + 1, -1), result(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3d& v = vertices[i];
    std::size_t slot = hash(v) & mask;
    const auto differs = [&](const Vec3d& w) { return v.x != w.x || v.y != w.y || v.z != w.z; };
    while (table[slot] >= 0 && differs(vertices[table[slot]])) slot = (slot + 1) & mask;
    if (table[slot] < 0) table[slot] = static_cast<Index>(i);
    result[i] = table[slot];
  }
  return result;
}

Rings::Rings(std::span<const Vec3d> vertices, std::span<const Face> faces)
    : features_(faces.size()) {
  const std::vector<Index> first = welded(vertices);
  std::vector<bool> owned(vertices.size(), false);
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (int i = 0; i < 3; ++i) {
      const Index v = features_[f].vertex[i] = first[faces[f][i]];
      if (!owned[v]) features_[f].owned |= static_cast<std::uint8_t>(1 << i);
      owned[v] = true;
    }
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto& [a, b, c] = faces[f];
    features_[f].normal = unit_normal(vertices[a], vertices[b], vertices[c]);
  }
  find_neighbors(find_edges(), vertices.size());
}

std::vector<Rings::Ends> Rings::find_edges() {
  std::vector<Ends> edges;
  for (FaceFeatures& face : features_) face.edge = {-1, -1, -1};
  const std::vector<RingSide> sides = sides_of(features_);
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const auto [lo, hi, index] = sides[k];
    FaceFeatures& face = features_[index / 3];
    const int i = index % 3;
    if (k == 0 || !sides[k].joins_the_same(sides[k - 1])) {
      face.owned |= static_cast<std::uint8_t>(8 << i);
      edges.push_back({lo, hi});
      across_at_.push_back(static_cast<Index>(across_.size()));
    }
    face.edge[i] = static_cast<Index>(edges.size()) - 1;
    const Index corner = face.vertex[(i + 2) % 3];
    if (corner != lo && corner != hi) across_.push_back(corner);
  }
  across_at_.push_back(static_cast<Index>(across_.size()));
  return edges;
}

void Rings::find_neighbors(std::span<const Ends> edges, std::size_t vertices) {
  at_.assign(vertices + 1, 0);
  for (const auto& [lo, hi] : edges) ++at_[lo], ++at_[hi];
  Index sum = 0;
  for (Index& at : at_) at = sum += at;
  neighbors_.resize(sum);
  // Fills each range from its end to its start. Finally `at_` contains the starts.
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    neighbors_[--at_[(*edge)[0]]] = (*edge)[1];
    neighbors_[--at_[(*edge)[1]]] = (*edge)[0];
  }
}

bool Rings::is_closed() const {
  for (std::size_t edge = 1; edge < across_at_.size(); ++edge)
    if ((across_at_[edge] - across_at_[edge - 1]) % 2 != 0) return false;
  return true;
}

std::vector<Index> Rings::parts() const {
  std::vector<Index> part(at_.size());
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&](Index v) {
    while (part[v] != v) v = part[v] = part[part[v]];
    return v;
  };
  for (const FaceFeatures& face : features_)
    for (int k = 1; k < 3; ++k) part[root(face.vertex[k])] = root(face.vertex[0]);
  for (std::size_t v = 0; v < part.size(); ++v) part[v] = root(static_cast<Index>(v));
  return part;
}

std::size_t Rings::bytes() const {
  return features_.capacity() * sizeof(FaceFeatures) +
         (neighbors_.capacity() + at_.capacity() + across_.capacity() + across_at_.capacity()) *
             sizeof(Index);
}

}  // namespace toccata
