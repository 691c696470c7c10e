// Ranks of features from the directions of their neighbors.
#include "toccata/walk/feature_ranks.hpp"

#include <algorithm>
#include <cmath>

namespace toccata {
namespace {

// Sine of the largest angle that counts as straight or flat.
constexpr double straight = 1e-6;

bool are_opposite(const Vec3d& u, const Vec3d& v) {
  return dot(u, v) < 0 && norm(cross(u, v)) <= straight * norm(u) * norm(v);
}

template <class Directions>
bool has_opposite(const Directions& all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (are_opposite(all[i], all[j])) return true;
  return false;
}

/// Returns whether directions lie in the plane of a face and leave no gap of half a turn.
bool surround(std::vector<Vec3d>& all, const Vec3d& normal) {
  for (const Vec3d& u : all)
    if (!(std::abs(dot(u, normal)) <= straight * norm(u))) return false;
  if (all.size() < 3) return false;
  const Vec3d x = all[0], y = cross(normal, x);
  std::vector<double> angles;
  for (const Vec3d& u : all) angles.push_back(std::atan2(dot(u, y), dot(u, x)));
  std::sort(angles.begin(), angles.end());
  constexpr double pi = 3.14159265358979323846;
  double gap = angles.front() + 2 * pi - angles.back();
  for (std::size_t i = 1; i < angles.size(); ++i) gap = std::max(gap, angles[i] - angles[i - 1]);
  return gap <= pi + straight;
}

std::uint8_t rank_of_vertex(const Mesh& mesh, const FaceFeatures& face, int i) {
  std::vector<Vec3d> around;
  for (const Index v : mesh.rings().around_vertex(face.vertex[i]))
    around.push_back(mesh.vertices()[v] - mesh.vertices()[face.vertex[i]]);
  // At the end of a border, all directions may lie in a plane, but their gap is too wide.
  if (norm2(face.normal) > 0 && surround(around, face.normal)) return 2;
  return has_opposite(around) ? 1 : 0;
}

std::uint8_t rank_of_edge(const Mesh& mesh, const FaceFeatures& face, int i) {
  if (face.edge[i] < 0) return 0;
  const Vec3d& start = mesh.vertices()[face.vertex[i]];
  const Vec3d edge = mesh.vertices()[face.vertex[(i + 1) % 3]] - start;
  std::vector<Vec3d> across;
  for (const Index v : mesh.rings().around_edge(face.edge[i])) {
    const Vec3d to = mesh.vertices()[v] - start;
    across.push_back(to - edge * (dot(to, edge) / norm2(edge)));
  }
  return has_opposite(across) ? 2 : 1;
}

}  // namespace

FeatureRanks::FeatureRanks(const Mesh& mesh) : faces(mesh.faces().size()) {
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const FaceFeatures& face = mesh.rings().of(static_cast<Index>(f));
    OfFace& ranks = faces[f];
    ranks[6] = 2;
    for (int i = 0; i < 3; ++i) {
      ranks[i] = rank_of_vertex(mesh, face, i);
      ranks[i + 3] = rank_of_edge(mesh, face, i);
      if (face.owns_vertex(i)) ranks[6] = std::min(ranks[6], ranks[i]);
      if (face.owns_edge(i)) ranks[6] = std::min(ranks[6], ranks[i + 3]);
    }
  }
}

}  // namespace toccata
