// Shape of a body, prepared for queries: triangles, or cells of a curved surface.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "toccata/bvh/bvh.hpp"
#include "toccata/bvh/rings.hpp"
#include "toccata/bvh/solid.hpp"
#include "toccata/geometry/surface.hpp"
#include "toccata/geometry/triangle.hpp"

namespace toccata {

/// A triangle soup, or a surface cut into cells, with its hierarchy. Immutable, and shared by all
/// queries and threads. All elements are triangles, or all are cells.
class Mesh {
 public:
  /// Copies the arrays. `solids` has the id of the solid that each face bounds, or 0. It is empty
  /// if no face bounds a solid. Throws `invalid_argument` if the arrays are not a valid mesh, or if
  /// the boundary of a solid is not closed.
  Mesh(std::span<const Vec3d> vertices, std::span<const Face> faces, std::span<const Index> solids);

  /// Makes all faces bound one solid, or none.
  Mesh(std::span<const Vec3d> vertices, std::span<const Face> faces, bool solid)
      : Mesh(vertices, faces, std::vector<Index>(solid ? faces.size() : 0, 1)) {}

  /// Cuts a surface into at least `cells` cells. The mesh then has no vertices and no faces.
  explicit Mesh(std::shared_ptr<const Surface> surface, std::size_t cells = 1024);

  /// Returns the surface with the cells that are the elements, or null for triangles.
  const Surface* surface() const { return surface_.get(); }
  const SurfaceCell& cell(Index i) const { return cells_[i]; }
  std::span<const SurfaceCell> cells() const { return cells_; }

  Triangle triangle(Index i) const {
    const Face& f = faces_[i];
    return {{vertices_[f[0]], vertices_[f[1]], vertices_[f[2]]}};
  }
  std::span<const Vec3d> vertices() const { return vertices_; }
  std::span<const Face> faces() const { return faces_; }
  /// Returns the solids that faces bound; empty if there are none.
  const Solid& solid() const { return solid_; }
  std::span<const Index> solids() const { return solids_; }
  const Bvh& bvh() const { return bvh_; }
  /// Returns the neighborhoods of vertices and edges. The first call, on any thread, computes them.
  const Rings& rings() const;
  /// Returns the origin of the hierarchy's coordinates, in body coordinates.
  const Vec3d& center() const { return center_; }
  /// Bounds the distance of all points from the center (`radius`) and from the body's origin.
  double radius() const { return radius_; }
  double reach() const { return reach_; }
  /// Returns a point of each connected component. Faces are connected by common vertices, cells by
  /// enclosures that intersect.
  std::span<const Vec3d> component_points() const { return component_points_; }
  /// Returns the shape with all lengths multiplied by a power of two. Not valid for surfaces.
  Mesh scaled(int exponent) const;
  /// Returns the largest coordinate of all elements; for a surface, at least 1, because surfaces
  /// cannot be scaled.
  double extent() const { return extent_; }
  /// Returns the memory used, in bytes.
  std::size_t bytes() const;

 private:
  std::vector<Vec3d> vertices_;
  std::vector<Face> faces_;
  std::shared_ptr<const Surface> surface_;
  std::vector<SurfaceCell> cells_;
  std::vector<Index> solids_;
  Solid solid_;
  Vec3d center_;
  double radius_, reach_, extent_;
  std::vector<Vec3d> component_points_;
  Bvh bvh_;

  struct LazyRings {
    std::once_flag once;
    Rings rings;
    std::atomic<std::size_t> bytes{0};
  };
  std::shared_ptr<LazyRings> lazy_rings_ = std::make_shared<LazyRings>();
};

}  // namespace toccata
