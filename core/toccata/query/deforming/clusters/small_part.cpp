// Traversal of small parts, and views that certify them.
#include "toccata/query/deforming/clusters/small_part.hpp"

#include <algorithm>

namespace toccata {

/// Returns the slot of a face, or the empty slot where it belongs.
std::size_t SmallPart::slot(Index face) const {
  std::size_t i = static_cast<std::uint32_t>(face) * 0x9e3779b9u >> 23;
  while (table_[i] != Features::none && table_[i] != face) i = (i + 1) % slots;
  return i;
}

bool SmallPart::contains(Index face) const { return table_[slot(face)] == face; }

void SmallPart::add(Index face) {
  Index& entry = table_[slot(face)];
  if (entry == face) return;
  entry = face;
  faces_.push_back(face);
}

bool SmallPart::visit(const Features& f, Index seed) {
  table_.fill(Features::none);
  faces_.clear();
  add(seed);
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    for (const Index other : f.across[faces_[i]])
      if (other != Features::none) add(other);
    if (faces_.size() > most) return false;
  }
  return true;
}

namespace {

bool is_closed(const Features& f, std::span<const Index> faces) {
  return std::all_of(faces.begin(), faces.end(), [&](Index face) {
    const auto& across = f.across[face];
    return std::find(across.begin(), across.end(), Features::none) == across.end();
  });
}

/// Returns a view against the normals of some faces, halfway through the step. Its point moves with
/// the face that is closest to their middle.
StarView view_against(const PatchStep& step, std::span<const Index> faces) {
  const auto at = [&](Index face, int k) {
    const Index v = step.features.oriented()[face][k];
    return step.frames.start[v] + step.frames.end[v];
  };
  Vec3d sum{0, 0, 0}, normal{0, 0, 0};
  for (const Index face : faces) {
    sum = sum + at(face, 0) + at(face, 1) + at(face, 2);
    normal = normal + cross(at(face, 1) - at(face, 0), at(face, 2) - at(face, 0));
  }
  const Vec3d middle = sum * (1 / static_cast<double>(faces.size()));
  const auto distance = [&](Index face) {
    return norm2(at(face, 0) + at(face, 1) + at(face, 2) - middle);
  };
  const Index seed = *std::min_element(faces.begin(), faces.end(),
                                       [&](Index a, Index b) { return distance(a) < distance(b); });
  return {step, normal, seed};
}

}  // namespace

std::optional<View> SmallPart::certify(const PatchStep& step) const {
  const auto inside = [](Index) { return true; };
  if (is_closed(step.features, faces_)) {
    const PointView view = view_from_middle(step, faces_);
    return is_star(view, step, faces_, inside) ? std::optional<View>(view) : std::nullopt;
  }
  const StarView view = view_against(step, faces_);
  return is_star(view, step, faces_, inside) ? std::optional<View>(view) : std::nullopt;
}

}  // namespace toccata
