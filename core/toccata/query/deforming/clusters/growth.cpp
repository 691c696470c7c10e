// Growth of patches by view, and the choice of a better start.
#include "toccata/query/deforming/clusters/growth.hpp"

#include <algorithm>

namespace toccata {
namespace {

/// A growing patch among the unassigned faces.
struct GrowingFree {
  std::atomic<Index>* owners;
  Index free, taken;

  bool is_inside(Index face) const { return owners[face].load(std::memory_order_relaxed) == taken; }
  bool may_take(Index face) const { return owners[face].load(std::memory_order_relaxed) == free; }
  void fetch(Index face) const { __builtin_prefetch(&owners[face]); }
  void take(Index face) const { owners[face].store(taken, std::memory_order_relaxed); }
};

}  // namespace

StarView PatchGrowth::grow(Index seed, Index cell) {
  const Index free = free_in(cell), taken = taken_in(cell);
  const StarView view = grow({seed, normal_around(seed)}, free, taken, faces_);
  if (faces_.size() <= small || faces_.size() >= large) return view;
  const std::optional<Start> better = better_start();
  if (!better) return view;
  const StarView other = grow(*better, free, taken, other_faces_);
  if (other_faces_.size() <= faces_.size()) return view;
  faces_.swap(other_faces_);
  return other;
}

StarView PatchGrowth::grow(const Start& start, Index free, Index taken, std::vector<Index>& faces) {
  const StarView view = view_of(start);
  const GrowingFree patch{owners_.data(), free, taken};
  faces.assign(1, start.seed);
  if (rings_.start(view, start.seed, patch)) {
    while (rings_.add_ring(view, patch)) {
    }
    faces.assign(rings_.faces().begin(), rings_.faces().end());
  }
  for (const Index face : faces) owners_[face].store(free, std::memory_order_relaxed);
  return view;
}

PatchGrowth::FaceGeometry PatchGrowth::geometry_of(Index face) const {
  const auto halfway = [this](Index v) {
    return (step_.frames.start[v] + step_.frames.end[v]) * 0.5;
  };
  const Vec3d a = halfway(f_.oriented()[face][0]), b = halfway(f_.oriented()[face][1]),
              c = halfway(f_.oriented()[face][2]);
  return {a + b + c, cross(b - a, c - a)};
}

Vec3d PatchGrowth::normal_around(Index face) const {
  Vec3d sum = geometry_of(face).normal;
  for (const Index other : f_.across[face])
    if (other != Features::none) sum = sum + geometry_of(other).normal;
  return sum;
}

/// Returns a face close to the middle of the patch, and the sum of normals, from a sample of its
/// faces. Returns nothing if the seed is close to the middle. The new start is beyond the middle:
/// if unassigned faces are only on one side of the seed, its patch extends less far than a patch
/// that starts among them.
std::optional<PatchGrowth::Start> PatchGrowth::better_start() {
  const std::size_t stride = 1 + faces_.size() / samples;
  const Vec3d seed = geometry_of(faces_[0]).center;
  Vec3d sum{0, 0, 0}, normals{0, 0, 0};
  double squares = 0;
  from_seed_.clear();
  for (std::size_t i = 0; i < faces_.size(); i += stride) {
    const FaceGeometry geometry = geometry_of(faces_[i]);
    from_seed_.push_back(geometry.center - seed);
    sum = sum + from_seed_.back();
    squares += norm2(from_seed_.back());
    normals = normals + geometry.normal;
  }
  const double each = 1 / static_cast<double>(from_seed_.size());
  const Vec3d middle = sum * each, target = middle * 1.5;
  if (norm2(middle) < 0.2 * (squares * each - norm2(middle))) return std::nullopt;
  const auto nearest = std::min_element(
      from_seed_.begin(), from_seed_.end(),
      [&](const Vec3d& p, const Vec3d& q) { return norm2(p - target) < norm2(q - target); });
  return Start{faces_[stride * static_cast<std::size_t>(nearest - from_seed_.begin())], normals};
}

Vec3d PatchGrowth::normal_of(std::span<const Index> faces) const {
  const std::size_t stride = 1 + faces.size() / 512;
  Vec3d sum{0, 0, 0};
  for (std::size_t i = 0; i < faces.size(); i += stride) sum = sum + geometry_of(faces[i]).normal;
  return sum;
}

StarView PatchGrowth::view_of(const Start& start) const {
  return {step_, start.normal, start.seed};
}

}  // namespace toccata
