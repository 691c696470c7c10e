// Construction of bodies: validation, extents, components, solids and hierarchy.
#include "toccata/bvh/mesh.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "toccata/base/expects.hpp"
#include "toccata/bvh/surface_cells.hpp"
#include "toccata/geometry/box.hpp"
#include "toccata/math/scale.hpp"

namespace toccata {
namespace {

// Hierarchies have single-precision coordinates, and their products must neither overflow nor
// underflow.
constexpr double largest_coordinate = 1e15;

// Unlike meshes, surfaces are not scaled for queries.
constexpr double least_surface = 0x1p-48;

void check(std::span<const Vec3d> vertices, std::span<const Face> faces) {
  const auto row_error = [](const char* name, std::size_t row, const std::string& what) {
    throw std::invalid_argument(std::string(name) + ": row " + std::to_string(row) + what);
  };
  expects(!vertices.empty(), "vertices", "expected at least one row");
  expects(!faces.empty(), "faces", "expected at least one row");
  expects(faces.size() < (std::size_t{1} << 28), "faces", "expected fewer than 2^28 rows");
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3d& v = vertices[i];
    for (const double x : {v.x, v.y, v.z})
      if (!std::isfinite(x)) reject_not_finite("vertices", x, i);
    if (largest(v) > largest_coordinate)
      row_error("vertices", i, " has a coordinate beyond 1e15, expected less");
  }
  const auto count = static_cast<Index>(vertices.size());
  for (std::size_t i = 0; i < faces.size(); ++i)
    for (const Index v : faces[i])
      if (v < 0 || v >= count)
        row_error("faces", i,
                  " has index " + std::to_string(v) + ", expected 0.." + std::to_string(count - 1));
}

/// Returns one vertex of each connected component, by union of the corners of every face. Initially
/// `parent` has the representative of each set of coincident vertices.
std::vector<Index> representatives(std::vector<Index> parent, std::span<const Face> faces) {
  const auto root = [&](Index v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Face& face : faces)
    for (int k = 1; k < 3; ++k) parent[root(face[k])] = root(face[0]);
  std::vector<Index> result;
  for (const Face& face : faces) result.push_back(root(face[0]));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

Mesh::Mesh(std::span<const Vec3d> vertices, std::span<const Face> faces,
           std::span<const Index> solids) {
  check(vertices, faces);
  expects(solids.empty() || solids.size() == faces.size(), "solid", "expected one number per face");
  vertices_.assign(vertices.begin(), vertices.end());
  faces_.assign(faces.begin(), faces.end());
  Box box;
  for (const Face& face : faces_)
    for (const Index v : face) extend(box, vertices_[v]);
  center_ = toccata::center(box);
  extent_ = std::max(largest(box.lo), largest(box.hi));
  double radius2 = 0, reach2 = 0;
  std::vector<Vec3d> corners;
  corners.reserve(3 * faces_.size());
  for (const Face& face : faces_)
    for (const Index v : face) {
      corners.push_back(vertices_[v] - center_);
      radius2 = std::max(radius2, norm2(corners.back()));
      reach2 = std::max(reach2, norm2(vertices_[v]));
    }
  radius_ = std::sqrt(radius2) * (1 + 0x1p-40);
  reach_ = std::sqrt(reach2) * (1 + 0x1p-40);
  const std::vector<Index> same = welded(vertices_);
  for (const Index v : representatives(same, faces_)) component_points_.push_back(vertices_[v]);
  ClosedSurfaces closed_surfaces;
  if (std::any_of(solids.begin(), solids.end(), [](Index number) { return number > 0; }))
    solids_.assign(solids.begin(), solids.end());
  if (!solids_.empty()) closed_surfaces = find_closed_surfaces(vertices_, same, faces_, solids_);
  bvh_ = build_bvh(corners);
  bvh_.nodes.shrink_to_fit();
  solid_ = Solid(*this, std::move(closed_surfaces));
}

Mesh::Mesh(std::shared_ptr<const Surface> surface, std::size_t cells)
    : surface_(std::move(surface)), cells_(cut(*surface_, cells)) {
  std::vector<Hull> hulls;
  Box box;
  for (const SurfaceCell& cell : cells_) {
    hulls.push_back(surface_->hull(cell));
    extend(box, box_of(hulls.back()));
  }
  expects(std::max(norm1(box.lo), norm1(box.hi)) < largest_coordinate, "surface",
          "expected coordinates below 1e15");
  const double extent = std::max(largest(box.lo), largest(box.hi));
  expects(extent >= least_surface, "surface", "expected a coordinate above 2^-48", extent);
  extent_ = std::max(extent, 1.0);
  center_ = toccata::center(box);
  radius_ = reach_ = 0;
  std::vector<Vec3d> corners;
  std::vector<double> margins;
  for (const Hull& hull : hulls) {
    for (const int k : {0, 1, 2, 3, 2, 1}) corners.push_back(hull.corner[k] - center_);
    margins.push_back(hull.radius);
    for (const Vec3d& p : hull.corner) {
      radius_ = std::max(radius_, (norm(p - center_) + hull.radius) * (1 + 0x1p-40));
      reach_ = std::max(reach_, (norm(p) + hull.radius) * (1 + 0x1p-40));
    }
  }
  component_points_ = toccata::component_points(*surface_, cells_);
  bvh_ = build_bvh(corners, margins);
  bvh_.nodes.shrink_to_fit();
}

Mesh Mesh::scaled(int exponent) const {
  std::vector<Vec3d> vertices;
  vertices.reserve(vertices_.size());
  // Vertices beyond the extent belong to no face, and scaling them could overflow.
  for (const Vec3d& v : vertices_)
    vertices.push_back(largest(v) > extent_ ? Vec3d{0, 0, 0} : toccata::scaled(v, exponent));
  return Mesh(vertices, faces_, std::span<const Index>(solids_));
}

const Rings& Mesh::rings() const {
  std::call_once(lazy_rings_->once, [&] {
    lazy_rings_->rings = Rings(vertices_, faces_);
    lazy_rings_->bytes = lazy_rings_->rings.bytes();
  });
  return lazy_rings_->rings;
}

std::size_t Mesh::bytes() const {
  return sizeof(Mesh) + vertices_.capacity() * sizeof(Vec3d) + faces_.capacity() * sizeof(Face) +
         component_points_.capacity() * sizeof(Vec3d) + cells_.capacity() * sizeof(SurfaceCell) +
         solids_.capacity() * sizeof(Index) + solid_.bytes() +
         bvh_.nodes.capacity() * sizeof(WideNode) + lazy_rings_->bytes;
}

}  // namespace toccata
