#include "toccata/query/deforming/patch_growth.hpp"

#include <algorithm>

namespace toccata {

StarView PatchGrowth::grow(Index seed, Index cell) {
  const Index free = free_in(cell);
  StarView view = grow({seed, place_of(seed).normal}, free, faces_);
  for (int trial = 0; trial < trials && faces_.size() > 2 && faces_.size() < large; ++trial) {
    const StarView next = grow(middle_of(faces_), free, next_faces_);
    if (next_faces_.size() <= faces_.size()) break;
    faces_.swap(next_faces_);
    view = next;
  }
  return view;
}

/// Rings of faces around the seed: each face of a ring offers those across its sides.
StarView PatchGrowth::grow(const Start& start, Index free, std::vector<Index>& faces) {
  const StarView view = view_of(start);
  faces.clear();
  ++mark_;
  const auto fits = [&](Index face) {
    return joins(view, f_, face, [this](Index other) { return is_inside(other); });
  };
  const auto is_free = [&](Index face) {
    return !is_inside(face) && owners_[face].load(std::memory_order_relaxed) == free;
  };
  const auto take = [&](Index face) {
    marks_[face] = mark_;
    faces.push_back(face);
  };
  const bool alone = !fits(start.seed);
  take(start.seed);
  for (std::size_t next = 0; !alone && next < faces.size(); ++next)
    for (const Index face : f_.across[faces[next]])
      if (face != Features::none && is_free(face) && fits(face)) take(face);
  return view;
}

PatchGrowth::Place PatchGrowth::place_of(Index face) const {
  const auto halfway = [this](Index v) { return (frames_.start[v] + frames_.end[v]) * 0.5; };
  const Vec3d a = halfway(f_.faces[face][0]), b = halfway(f_.faces[face][1]),
              c = halfway(f_.faces[face][2]);
  return {a + b + c, cross(b - a, c - a)};
}

/// The face next to the center of a patch, and the sum of all normals.
PatchGrowth::Start PatchGrowth::middle_of(const std::vector<Index>& faces) {
  Vec3d sum{0, 0, 0}, normals{0, 0, 0};
  centers_.clear();
  for (const Index face : faces) {
    const Place place = place_of(face);
    centers_.push_back(place.center);
    sum = sum + place.center;
    normals = normals + place.normal;
  }
  const Vec3d middle = sum * (1.0 / static_cast<double>(faces.size()));
  const auto nearest =
      std::min_element(centers_.begin(), centers_.end(), [&](const Vec3d& p, const Vec3d& q) {
        return norm2(p - middle) < norm2(q - middle);
      });
  return {faces[static_cast<std::size_t>(nearest - centers_.begin())], normals};
}

PatchGrowth::Start PatchGrowth::start(Index seed, std::span<const Index> faces) const {
  Vec3d normals{0, 0, 0};
  for (const Index face : faces) normals = normals + place_of(face).normal;
  return {seed, normals};
}

StarView PatchGrowth::view_of(const Start& start) const {
  const auto& [a, b, c] = f_.faces[start.seed];
  const auto middle = [&](std::span<const Vec3d> p) {
    return p[a] + ((p[b] - p[a]) + (p[c] - p[a])) * (1.0 / 3);
  };
  return {frames_, start.normal, middle(frames_.start), middle(frames_.end), diagonal_};
}

}  // namespace toccata
