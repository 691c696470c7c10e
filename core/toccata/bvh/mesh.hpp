// The shape of a body, ready for queries: triangles, or cells of a curved surface.
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

/// Any triangle soup, or a surface cut into cells, with its hierarchy; immutable, shared by all
/// queries and threads. Its elements are either triangles or cells.
class Mesh {
 public:
  /// Copies the arrays. `solids` has the id of the solid that each face bounds, 0 for none; it
  /// is empty if no face does. Throws `invalid_argument` for what is not a mesh, or not closed.
  Mesh(std::span<const Vec3d> vertices, std::span<const Face> faces, std::span<const Index> solids);

  /// All faces bound one solid, or none.
  Mesh(std::span<const Vec3d> vertices, std::span<const Face> faces, bool solid)
      : Mesh(vertices, faces, std::vector<Index>(solid ? faces.size() : 0, 1)) {}

  /// Cuts a surface into at least `cells` cells. There are no vertices and no faces then.
  explicit Mesh(std::shared_ptr<const Surface> surface, std::size_t cells = 1024);

  /// The surface whose cells are the elements, or null for triangles.
  const Surface* surface() const { return surface_.get(); }
  const SurfaceCell& cell(Index i) const { return cells_[i]; }
  std::span<const SurfaceCell> cells() const { return cells_; }

  Triangle triangle(Index i) const {
    const Face& f = faces_[i];
    return {{vertices_[f[0]], vertices_[f[1]], vertices_[f[2]]}};
  }
  std::span<const Vec3d> vertices() const { return vertices_; }
  std::span<const Face> faces() const { return faces_; }
  /// What faces bound; empty if no face bounds a solid.
  const Solid& solid() const { return solid_; }
  std::span<const Index> solids() const { return solids_; }
  const Bvh& bvh() const { return bvh_; }
  /// What is around vertices and edges; made when it is first asked for, by any thread.
  const Rings& rings() const;
  /// The origin of the hierarchy's coordinates, in body coordinates.
  const Vec3d& center() const { return center_; }
  /// Every point is within `radius` of the center and within `reach` of the body's origin.
  double radius() const { return radius_; }
  double reach() const { return reach_; }
  /// A point of each connected component: by common vertices, or by enclosures of cells that meet.
  std::span<const Vec3d> component_points() const { return component_points_; }
  /// The same shape with all lengths multiplied by a power of two; not for surfaces.
  Mesh scaled(int exponent) const;
  /// The largest coordinate of all elements; of a surface, at least 1, since it cannot be scaled.
  double extent() const { return extent_; }
  /// Memory held, in bytes.
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

  struct Around {
    std::once_flag once;
    Rings rings;
    std::atomic<std::size_t> bytes{0};
  };
  std::shared_ptr<Around> around_ = std::make_shared<Around>();
};

}  // namespace toccata
