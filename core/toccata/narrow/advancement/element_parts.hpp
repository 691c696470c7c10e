// The parts of one element of a body, finer and finer, for as long as one pair of elements is
// looked at.
#pragma once

#include <vector>

#include "toccata/bvh/mesh.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// An element of a body that moves.
struct MovingElement {
  const Mesh& mesh;
  Index element;
  const MotionState& state;
};

/// A tree of parts in world coordinates, made when asked for; part 0 is the whole element. A
/// triangle is a part that cannot be split. Keeps its memory when restarted.
class ElementParts {
 public:
  void start(const MovingElement& element);

  const Hull& hull(Index part) const { return parts_[part].world; }

  /// Whether the part is known to be a triangle, or too small for its parameters to be halved.
  bool is_whole(Index part) const;

  /// Calls `visit(child)` for the halves of a part in all of its parameters, less those that are
  /// empty.
  template <class Visit>
  void for_children(Index part, const Visit& visit) {
    if (parts_[part].first < 0) split(part);
    const Index first = parts_[part].first, count = parts_[part].count;
    for (Index k = 0; k < count; ++k) visit(first + k);
  }

  /// A point of the body in the part or next to it, as close to `near` as easily found; world.
  SurfacePoint point(Index part, const Vec3d& near) const { return point(part, near, pose_); }
  /// The same for the body at another pose.
  SurfacePoint point(Index part, const Vec3d& near, const Pose& pose) const;

  /// The hull of the part in body coordinates.
  Hull body_hull(Index part) const;

 private:
  struct Part {
    SurfaceCell cell;
    Hull world;
    Index first = -1, count = 0;  // children, once they are made
  };
  void add(const SurfaceCell& cell);
  void split(Index part);

  const Surface* surface_ = nullptr;  // null for a triangle
  Triangle triangle_{};               // in body coordinates
  Pose pose_;
  std::vector<Part> parts_;
};

}  // namespace toccata
