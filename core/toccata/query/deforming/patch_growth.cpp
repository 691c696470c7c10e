#include "toccata/query/deforming/patch_growth.hpp"

#include <algorithm>

namespace toccata {

PatchGrowth::PatchGrowth(const Features& features, const StepFrames& frames, double diagonal,
                         const Patches::Owners& owners)
    : f_(features), frames_(frames), diagonal_(diagonal), owners_(owners),
      marks_(features.faces.size()) {}

GrownPatch PatchGrowth::grow(Index seed, std::vector<Index>& tried) {
  const auto try_from = [&](const Start& start) {
    GrownPatch patch = grow(start);
    tried.insert(tried.end(), patch.faces.begin(), patch.faces.end());
    return patch;
  };
  GrownPatch best = try_from({seed, normal(seed)});
  for (int trial = 0; trial < trials; ++trial) {
    if (best.faces.size() <= 2 || best.faces.size() >= large) break;
    GrownPatch next = try_from(middle_of(best.faces));
    if (next.faces.size() <= best.faces.size()) break;
    best = std::move(next);
  }
  return best;
}

/// Rings of faces around the seed: each face of a ring offers those across its sides.
GrownPatch PatchGrowth::grow(const Start& start) {
  GrownPatch patch{{}, view_of(start)};
  ++mark_;
  const auto fits = [&](Index face) {
    return joins(patch.view, f_, face, [this](Index other) { return is_inside(other); });
  };
  const auto take = [&](Index face) {
    marks_[face] = mark_;
    patch.faces.push_back(face);
  };
  const bool alone = !fits(start.seed);
  take(start.seed);
  for (std::size_t next = 0; !alone && next < patch.faces.size(); ++next)
    for (const Index face : f_.across[patch.faces[next]])
      if (face != Features::none && is_free(face) && fits(face)) take(face);
  return patch;
}

Vec3d PatchGrowth::normal(Index face) const {
  const auto& [a, b, c] = f_.faces[face];
  return cross(halfway(b) - halfway(a), halfway(c) - halfway(a));
}

Vec3d PatchGrowth::center(Index face) const {
  const auto& [a, b, c] = f_.faces[face];
  return (halfway(a) + halfway(b) + halfway(c)) * (1.0 / 3);
}

/// The face next to the center of a patch, and the sum of all normals.
PatchGrowth::Start PatchGrowth::middle_of(const std::vector<Index>& faces) const {
  Vec3d sum{0, 0, 0}, normals{0, 0, 0};
  for (const Index face : faces) {
    sum = sum + center(face);
    normals = normals + normal(face);
  }
  const Vec3d middle = sum * (1.0 / static_cast<double>(faces.size()));
  const auto distance = [&](Index face) { return norm2(center(face) - middle); };
  return {*std::min_element(faces.begin(), faces.end(),
                            [&](Index a, Index b) { return distance(a) < distance(b); }),
          normals};
}

/// O moves with the middle of the seed.
StarView PatchGrowth::view_of(const Start& start) const {
  const auto& [a, b, c] = f_.faces[start.seed];
  const auto middle = [&](std::span<const Vec3d> p) {
    return p[a] + ((p[b] - p[a]) + (p[c] - p[a])) * (1.0 / 3);
  };
  return {frames_, start.normal, middle(frames_.start), middle(frames_.end), diagonal_};
}

}  // namespace toccata
