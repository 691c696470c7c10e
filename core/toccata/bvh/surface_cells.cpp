// Best-first subdivision of surfaces, and points of their connected components.
#include "toccata/bvh/surface_cells.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "toccata/base/expects.hpp"
#include "toccata/base/index.hpp"

namespace toccata {
namespace {

double size_of(const Surface& surface, const SurfaceCell& cell) {
  const Box box = surface.enclose(cell);
  const double size = norm(box.hi - box.lo);
  expects(std::isfinite(size), "surface", "expected finite enclosures");
  return size;
}

/// Returns the parameter along which the halves are smallest.
int best_parameter(const Surface& surface, const SurfaceCell& cell) {
  int best = 0;
  double least = infinity;
  for (int k = 0; k < surface.parameters(); ++k) {
    double size = 0;
    for (const SurfaceCell& half : halved(cell, k))
      if (!surface.empty(half)) size += size_of(surface, half);
    if (size < least) least = size, best = k;
  }
  return best;
}

struct Sized {
  double size;
  std::size_t number;  // breaks ties, so the cut does not depend on the heap
  SurfaceCell cell;
};

bool smaller(const Sized& a, const Sized& b) {
  return std::tie(a.size, b.number) < std::tie(b.size, a.number);
}

}  // namespace

std::vector<SurfaceCell> cut(const Surface& surface, std::size_t count) {
  std::vector<Sized> heap{{size_of(surface, surface.whole()), 0, surface.whole()}};
  std::size_t number = 1;
  while (!heap.empty() && heap.size() < count) {
    std::pop_heap(heap.begin(), heap.end(), smaller);
    const SurfaceCell cell = heap.back().cell;
    // A surface of size 0 is a point and needs no more cells.
    if (!(heap.back().size > 0)) break;
    heap.pop_back();
    for (const SurfaceCell& half : halved(cell, best_parameter(surface, cell))) {
      if (surface.empty(half)) continue;
      const SurfaceCell part = surface.tightened(half);
      heap.push_back({size_of(surface, part), number++, part});
      std::push_heap(heap.begin(), heap.end(), smaller);
    }
    expects(number < 64 * count + 64, "surface", "expected a surface, found points at most");
  }
  expects(!heap.empty(), "surface", "expected a point of it within the given ranges, found none");
  std::vector<SurfaceCell> cells;
  std::sort(heap.begin(), heap.end(),
            [](const Sized& a, const Sized& b) { return a.number < b.number; });
  for (const Sized& sized : heap) cells.push_back(sized.cell);
  return cells;
}

std::array<Vec3d, 4> quad(const Surface& surface, const SurfaceCell& cell) {
  std::array<Vec3d, 4> corners = surface.hull(cell).corner;
  const Vec3d middle = surface.point(cell, center(surface.enclose(cell))).position;
  for (Vec3d& corner : corners) {
    const SurfacePoint found = surface.point(cell, corner);
    corner = std::isfinite(found.slack) ? found.position : middle;
  }
  return corners;
}

std::vector<Vec3d> component_points(const Surface& surface, std::span<const SurfaceCell> cells) {
  std::vector<Box> boxes;
  for (const SurfaceCell& cell : cells) boxes.push_back(surface.enclose(cell));
  std::vector<bool> seen(cells.size());
  std::vector<std::size_t> stack;
  std::vector<Vec3d> points;
  for (std::size_t first = 0; first < cells.size(); ++first) {
    if (seen[first]) continue;
    seen[first] = true;
    stack.assign(1, first);
    bool found = false;
    while (!stack.empty()) {
      const std::size_t i = stack.back();
      stack.pop_back();
      if (!found) {
        const SurfacePoint point = surface.point(cells[i], center(boxes[i]));
        found = std::isfinite(point.slack);
        if (found) points.push_back(point.position);
      }
      for (std::size_t j = 0; j < cells.size(); ++j)
        if (!seen[j] && near(boxes[i], boxes[j], 0)) seen[j] = true, stack.push_back(j);
    }
  }
  return points;
}

}  // namespace toccata
