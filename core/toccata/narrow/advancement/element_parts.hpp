// Refinement of one element of a body: a tree of parts of increasing fineness, used while one pair
// of elements is tested.
#pragma once

#include <vector>

#include "toccata/bvh/mesh.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// An element of a moving body.
struct MovingElement {
  const Mesh& mesh;
  Index element;
  const MotionState& state;
};

/// A tree of parts in world coordinates, made on demand. Part 0 is the whole element. A triangle is
/// a single part. Reuses its buffers when restarted.
class ElementParts {
 public:
  void start(const MovingElement& element);

  const Hull& hull(Index part) const { return parts_[part].world; }

  /// Returns whether a part cannot be split: a triangle, or a cell too small for its parameters to
  /// be halved.
  bool is_whole(Index part) const;

  /// Calls `visit(child)` for the parts that result from halving all parameters of a part, except
  /// empty ones.
  template <class Visit>
  void for_children(Index part, const Visit& visit) {
    if (parts_[part].first < 0) split(part);
    const Index first = parts_[part].first, count = parts_[part].count;
    for (Index k = 0; k < count; ++k) visit(first + k);
  }

  /// Returns a point of the body, in world coordinates, in the part or next to it. The point is as
  /// close to `near` as is easily found.
  SurfacePoint point(Index part, const Vec3d& near) const { return point(part, near, pose_); }
  /// Does the same for the body at another pose.
  SurfacePoint point(Index part, const Vec3d& near, const Pose& pose) const;

  /// Returns the hull of the part in body coordinates.
  Hull body_hull(Index part) const;

 private:
  struct Part {
    SurfaceCell cell;
    Hull world;
    Index first = -1, count = 0;  // children; -1 if not split yet
  };
  void add(const SurfaceCell& cell);
  void split(Index part);

  const Surface* surface_ = nullptr;  // null for a triangle
  Triangle triangle_{};               // in body coordinates
  Pose pose_;
  std::vector<Part> parts_;
};

}  // namespace toccata
