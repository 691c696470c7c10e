#include "toccata/query/deforming/clusters.hpp"

namespace toccata {
namespace {

/// Grows one cluster after the other. The conditions of a view are kept face by face: a new face
/// cancels the side by which it was found, so O is beyond that side and not in the image of the
/// face, and the boundary still turns around O once.
class Growth {
 public:
  Growth(const Features& features, const FaceLinks& links, const StepFrames& frames,
         double diagonal, Index most)
      : f_(features), links_(links), frames_(frames), diagonal_(diagonal), most_(most) {
    clusters_.owner.assign(f_.faces.size(), FaceLinks::none);
    clusters_.order.reserve(f_.faces.size());
  }

  Clusters run() {
    for (Index face = 0; face < static_cast<Index>(f_.faces.size()); ++face)
      if (clusters_.owner[face] == FaceLinks::none) grow(face);
    return std::move(clusters_);
  }

 private:
  /// Rings of faces around the seed: each face of a ring offers those across its sides.
  void grow(Index seed) {
    const StarView view = view_of(seed);
    const Index id = clusters_.count(), begin = clusters_.first.back();
    const bool alone = !fits(view, seed, id);
    clusters_.views.push_back(view);
    take(seed, id);
    for (Index next = begin; !alone && next < size() && size() - begin < most_; ++next)
      for (const Index face : links_.across[clusters_.order[next]])
        if (face != FaceLinks::none && clusters_.owner[face] == FaceLinks::none &&
            fits(view, face, id))
          take(face, id);
    clusters_.first.push_back(size());
  }

  /// Against the normal of the seed at half of the step, O at its middle.
  StarView view_of(Index seed) const {
    const auto& [a, b, c] = f_.faces[seed];
    const auto middle = [&](Index v) { return (frames_.start[v] + frames_.end[v]) * 0.5; };
    const auto center = [&](std::span<const Vec3d> p) {
      return p[a] + ((p[b] - p[a]) + (p[c] - p[a])) * (1.0 / 3);
    };
    const Vec3d normal = cross(middle(b) - middle(a), middle(c) - middle(a));
    return {frames_, normal, center(frames_.start), center(frames_.end), diagonal_};
  }

  /// Whether a face has a positive area, and its sides that join the boundary turn around O.
  bool fits(const StarView& view, Index face, Index id) const {
    const auto& [a, b, c] = f_.faces[face];
    const ViewPoint p = view(a), q = view(b), r = view(c);
    const std::array<Quadratic, 3> turns{turn(p, q), turn(q, r), turn(r, p)};
    if (!view.positive(turns[0] + turns[1] + turns[2])) return false;
    for (int k = 0; k < 3; ++k) {
      const Index other = links_.across[face][k];
      const bool cancels = other != FaceLinks::none && clusters_.owner[other] == id;
      if (!cancels && !view.positive(turns[k])) return false;
    }
    return true;
  }

  void take(Index face, Index id) {
    clusters_.owner[face] = id;
    clusters_.order.push_back(face);
  }
  Index size() const { return static_cast<Index>(clusters_.order.size()); }

  const Features& f_;
  const FaceLinks& links_;
  StepFrames frames_;
  double diagonal_;
  Index most_;
  Clusters clusters_;
};

}  // namespace

Clusters grow_clusters(const Features& features, const FaceLinks& links, const StepFrames& frames,
                       double diagonal, Index most) {
  return Growth(features, links, frames, diagonal, most).run();
}

}  // namespace toccata
