#include "toccata/narrow/advancement/element_parts.hpp"

#include "toccata/narrow/advancement/parting.hpp"

namespace toccata {
namespace {

bool can_halve(Interval range) {
  const double mid = middle(range);
  return range.lo < mid && mid < range.hi;
}

}  // namespace

void PieceParts::start(const MovingElement& element) {
  surface_ = element.mesh.surface();
  pose_ = element.state.pose;
  parts_.clear();
  if (surface_) {
    add(element.mesh.piece(element.element));
  } else {
    triangle_ = element.mesh.triangle(element.element);
    parts_.push_back({{}, hull_of(pose_ * triangle_)});
  }
}

void PieceParts::add(const Piece& piece) {
  parts_.push_back({piece, pose_ * surface_->hull(piece)});
}

bool PieceParts::is_whole(Index part) const {
  if (!surface_) return true;
  for (int k = 0; k < surface_->parameters(); ++k)
    if (surface_->splits_along(parts_[part].piece, k) && !can_halve(parts_[part].piece.range[k]))
      return true;
  return false;
}

void PieceParts::split(Index part) {
  std::array<Piece, 8> pieces{parts_[part].piece};
  int count = 1;
  for (int k = 0; k < surface_->parameters(); ++k) {
    if (!surface_->splits_along(parts_[part].piece, k)) continue;
    for (int i = 0; i < count; ++i) {
      const auto half = halved(pieces[i], k);
      pieces[i] = half[0], pieces[count + i] = half[1];
    }
    count *= 2;
  }
  const auto first = static_cast<Index>(parts_.size());
  for (int i = 0; i < count; ++i)
    if (!surface_->empty(pieces[i])) add(surface_->tightened(pieces[i]));
  parts_[part].first = first;
  parts_[part].count = static_cast<Index>(parts_.size()) - first;
}

SurfacePoint PieceParts::point(Index part, const Vec3d& near) const {
  if (!surface_) return {closest_point(pose_ * triangle_, near), 0};
  const Vec3d body = transposed_times(pose_.rotation, near - pose_.translation);
  const SurfacePoint found = surface_->point(parts_[part].piece, body);
  return {pose_ * found.position, found.slack};
}

Hull PieceParts::body_hull(Index part) const {
  return surface_ ? surface_->hull(parts_[part].piece) : hull_of(triangle_);
}

}  // namespace toccata
