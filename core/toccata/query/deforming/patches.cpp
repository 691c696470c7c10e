#include "toccata/query/deforming/patches.hpp"

#include <algorithm>

namespace toccata {
namespace {

/// Grows one patch after the other; the conditions of a view are kept face by face.
class Growth {
 public:
  Growth(const Features& features, const FaceLinks& links, const StepFrames& frames,
         double diagonal)
      : f_(features), links_(links), frames_(frames), diagonal_(diagonal) {
    patches_.owner.assign(features.faces.size(), FaceLinks::none);
    patches_.faces.order.reserve(features.faces.size());
  }

  Patches run() {
    for (Index face = 0; face < static_cast<Index>(f_.faces.size()); ++face)
      while (patches_.owner[face] == FaceLinks::none) add_patch(face);  // it may be without `face`
    return std::move(patches_);
  }

 private:
  static constexpr int trials = 3;
  static constexpr Index large = 1024;

  struct Start {
    Index seed;
    Vec3d normal;  ///< any length
  };

  /// Grows a patch, and again from its middle as long as that makes it larger: the seed is often
  /// at the edge of the free faces. One that has become large is good enough.
  void add_patch(Index seed) {
    Start best{seed, normal(seed)};
    Index size = grow(best);
    for (int trial = 0; trial < trials && size > 2 && size < large; ++trial) {
      const Start next = middle_of_patch();
      release();
      const Index next_size = grow(next);
      if (next_size > size) {
        best = next;
        size = next_size;
        continue;
      }
      if (next_size < size) {
        release();
        grow(best);
      }
      break;
    }
    patches_.faces.close_part();
  }

  /// Rings of faces around the seed: each face of a ring offers those across its sides.
  Index grow(const Start& start) {
    const StarView view = view_of(start);
    const Index id = patches_.faces.count(), begin = patches_.faces.first.back();
    const bool alone = !fits(view, start.seed, id);
    patches_.views.push_back(view);
    take(start.seed, id);
    for (Index next = begin; !alone && next < size(); ++next)
      for (const Index face : links_.across[patches_.faces.order[next]])
        if (face != FaceLinks::none && patches_.owner[face] == FaceLinks::none &&
            fits(view, face, id))
          take(face, id);
    return size() - begin;
  }

  /// Undoes the last growth.
  void release() {
    for (; size() > patches_.faces.first.back(); patches_.faces.order.pop_back())
      patches_.owner[patches_.faces.order.back()] = FaceLinks::none;
    patches_.views.pop_back();
  }

  Vec3d halfway(Index v) const { return (frames_.start[v] + frames_.end[v]) * 0.5; }
  Vec3d normal(Index face) const {
    const auto& [a, b, c] = f_.faces[face];
    return cross(halfway(b) - halfway(a), halfway(c) - halfway(a));
  }
  Vec3d center(Index face) const {
    const auto& [a, b, c] = f_.faces[face];
    return (halfway(a) + halfway(b) + halfway(c)) * (1.0 / 3);
  }

  /// The face next to the center of the patch, and the sum of all normals.
  Start middle_of_patch() const {
    const std::span faces = std::span(patches_.faces.order).subspan(patches_.faces.first.back());
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
  StarView view_of(const Start& start) const {
    const auto& [a, b, c] = f_.faces[start.seed];
    const auto middle = [&](std::span<const Vec3d> p) {
      return p[a] + ((p[b] - p[a]) + (p[c] - p[a])) * (1.0 / 3);
    };
    return {frames_, start.normal, middle(frames_.start), middle(frames_.end), diagonal_};
  }

  bool fits(const StarView& view, Index face, Index id) const {
    return joins(view, f_, links_, face, [&](Index other) { return patches_.owner[other] == id; });
  }

  void take(Index face, Index id) {
    patches_.owner[face] = id;
    patches_.faces.order.push_back(face);
  }
  Index size() const { return static_cast<Index>(patches_.faces.order.size()); }

  const Features& f_;
  const FaceLinks& links_;
  StepFrames frames_;
  double diagonal_;
  Patches patches_;
};

}  // namespace

// One after the other: with patches that depend on the number of threads, other pairs that come
// within the tolerance but do not touch would be skipped, and the answers would depend on it too.
Patches grow_patches(const Features& features, const FaceLinks& links, const StepFrames& frames,
                     double diagonal) {
  return Growth(features, links, frames, diagonal).run();
}

}  // namespace toccata
