// Construction of cells by median splits of sample points.
#include "toccata/query/deforming/clusters/cells.hpp"

#include <algorithm>

#include "toccata/base/counting_sort.hpp"
#include "toccata/query/deforming/clusters/small_part.hpp"

namespace toccata {
namespace {

constexpr std::size_t samples = 128;  // number of sample points per cell

/// Returns the number of cells: enough for some threads, but so few that only a small fraction of a
/// large mesh is at boundaries of cells.
std::size_t cell_count(std::size_t faces) {
  std::size_t count = 1;
  while (count < 128 && 800 * count * count < faces) count *= 2;
  return count;
}

using Axis = double Vec3d::*;

Axis longest_axis(std::span<const Vec3d> points) {
  Axis longest = &Vec3d::x;
  double most = -1;
  for (const Axis axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
    const auto [lo, hi] =
        std::minmax_element(points.begin(), points.end(),
                            [axis](const Vec3d& a, const Vec3d& b) { return a.*axis < b.*axis; });
    const double length = (*hi).*axis - (*lo).*axis;
    if (length <= most) continue;
    most = length;
    longest = axis;
  }
  return longest;
}

/// A binary tree of planes. The children of plane i are 2 i and 2 i + 1, and the root is 1.
class Planes {
 public:
  /// Splits points in halves, recursively.
  Planes(std::span<Vec3d> points, std::size_t cells) : planes_(cells, {&Vec3d::x, 0}) {
    split(points, 1);
  }

  std::size_t cell(const Vec3d& p) const {
    std::size_t i = 1;
    while (i < planes_.size()) i = 2 * i + (p.*planes_[i].axis >= planes_[i].offset);
    return i - planes_.size();
  }

 private:
  struct Plane {
    Axis axis;
    double offset;
  };

  void split(std::span<Vec3d> points, std::size_t i) {
    if (i >= planes_.size() || points.empty()) return;
    const Axis axis = longest_axis(points);
    const std::size_t half = points.size() / 2;
    std::nth_element(points.begin(), points.begin() + half, points.end(),
                     [axis](const Vec3d& a, const Vec3d& b) { return a.*axis < b.*axis; });
    planes_[i] = {axis, points[half].*axis};
    split(points.first(half), 2 * i);
    split(points.subspan(half), 2 * i + 1);
  }

  std::vector<Plane> planes_;
};

/// Moves small parts that are in several cells to the first of these. Only faces at boundaries of
/// cells are examined, in ranges that do not depend on threads. In each range, the search ends
/// after visits to a quarter as many faces of larger parts.
void unite_small_parts(const Features& f, std::span<std::uint8_t> owner, unsigned threads) {
  constexpr std::size_t range = 1 << 12;
  std::vector<std::vector<std::pair<Index, std::uint8_t>>> moved(owner.size() / range + 1);
  parallel_for(owner.size(), range, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    SmallPart part;
    std::size_t wasted = 0;
    const auto is_lower = [&](Index a, Index b) { return owner[a] < owner[b]; };
    for (Index face = static_cast<Index>(begin);
         face < static_cast<Index>(end) && 4 * wasted < end - begin; ++face) {
      const auto is_elsewhere = [&](Index other) {
        return other != Features::none && owner[other] < owner[face];
      };
      if (std::none_of(f.across[face].begin(), f.across[face].end(), is_elsewhere)) continue;
      if (!part.visit(f, face)) {
        wasted += part.faces().size();
        continue;
      }
      const auto part_faces = part.faces();
      const Index first = *std::min_element(part_faces.begin(), part_faces.end(), is_lower);
      for (const Index one : part_faces) moved[begin / range].push_back({one, owner[first]});
    }
  });
  for (const auto& some : moved)
    for (const auto& [face, cell] : some) owner[face] = cell;
}

}  // namespace

Cells::Cells(const Features& features, std::span<const Vec3d> vertices, unsigned threads)
    : owner(features.faces.size()) {
  const std::size_t faces_count = owner.size(), cells = cell_count(faces_count);
  std::vector<Vec3d> some;
  for (std::size_t i = 0; i < faces_count; i += faces_count / (samples * cells) + 1)
    some.push_back(vertices[features.faces[i][0]]);
  const Planes planes(some, cells);
  UninitializedVector<std::uint8_t> at(vertices.size());
  parallel_for(at.size(), even_grain(at.size()), threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (std::size_t v = begin; v < end; ++v)
                   at[v] = static_cast<std::uint8_t>(planes.cell(vertices[v]));
               });
  // Takes the smallest cell of the corners. With the cell of the face's middle, every other face at
  // a boundary would be a tooth that fits in no patch and would become a patch of its own.
  parallel_for(faces_count, even_grain(faces_count), threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (std::size_t i = begin; i < end; ++i) {
                   const auto& [a, b, c] = features.faces[i];
                   owner[i] = std::min({at[a], at[b], at[c]});
                 }
               });
  if (cells > 1) unite_small_parts(features, owner, threads);
  faces.order.resize(faces_count);
  const std::vector<std::size_t> first = counting_sort(
      faces_count, cells, threads,
      [this](std::size_t face, const auto& visit) { visit(static_cast<Index>(face), owner[face]); },
      [this](Index face, std::size_t position) { faces.order[position] = face; });
  faces.first.assign(first.begin(), first.end());
}

}  // namespace toccata
