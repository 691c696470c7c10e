// Subdivision of cells of surfaces, with hulls in world coordinates.
#include "toccata/narrow/advancement/element_parts.hpp"

#include "toccata/narrow/advancement/parting.hpp"

namespace toccata {
namespace {

bool can_halve(Interval range) {
  const double mid = middle(range);
  return range.lo < mid && mid < range.hi;
}

}  // namespace

void ElementParts::start(const MovingElement& element) {
  surface_ = element.mesh.surface();
  pose_ = element.state.pose;
  parts_.clear();
  if (surface_) {
    add(element.mesh.cell(element.element));
  } else {
    triangle_ = element.mesh.triangle(element.element);
    parts_.push_back({{}, hull_of(pose_ * triangle_)});
  }
}

void ElementParts::add(const SurfaceCell& cell) {
  parts_.push_back({cell, pose_ * surface_->hull(cell)});
}

bool ElementParts::is_whole(Index part) const {
  if (!surface_) return true;
  for (int k = 0; k < surface_->parameters(); ++k)
    if (surface_->splits_along(parts_[part].cell, k) && !can_halve(parts_[part].cell.range[k]))
      return true;
  return false;
}

void ElementParts::split(Index part) {
  std::array<SurfaceCell, 8> cells{parts_[part].cell};
  int count = 1;
  for (int k = 0; k < surface_->parameters(); ++k) {
    if (!surface_->splits_along(parts_[part].cell, k)) continue;
    for (int i = 0; i < count; ++i) {
      const auto half = halved(cells[i], k);
      cells[i] = half[0], cells[count + i] = half[1];
    }
    count *= 2;
  }
  const auto first = static_cast<Index>(parts_.size());
  for (int i = 0; i < count; ++i)
    if (!surface_->empty(cells[i])) add(surface_->tightened(cells[i]));
  parts_[part].first = first;
  parts_[part].count = static_cast<Index>(parts_.size()) - first;
}

SurfacePoint ElementParts::point(Index part, const Vec3d& near, const Pose& pose) const {
  if (!surface_) return {closest_point(pose * triangle_, near), 0};
  const Vec3d body = transposed_times(pose.rotation, near - pose.translation);
  const SurfacePoint found = surface_->point(parts_[part].cell, body);
  return {pose * found.position, found.slack};
}

Hull ElementParts::body_hull(Index part) const {
  return surface_ ? surface_->hull(parts_[part].cell) : hull_of(triangle_);
}

}  // namespace toccata
