// Patches keep the conditions of their views: all are computed anew, face by face and side by side,
// at many times and with angles in place of what a growth carries along.
#include <set>

#include "check.hpp"
#include "deforming_models.hpp"
#include "toccata/query/deforming/clusters/patches.hpp"
#include "toccata/query/deforming/frames.hpp"

using namespace toccata;
using testing::Model;
using testing::Places;

namespace {

struct Image {
  double x, y;
};

double cross(const Image& p, const Image& q) { return p.x * q.y - p.y * q.x; }
double angle(const Image& p, const Image& q) {
  return std::atan2(cross(p, q), p.x * q.x + p.y * q.y);
}

/// Where a vertex is seen from O.
Image at(const ViewPoint& p, double t) {
  return {(1 - t) * p[0] + t * p[2], (1 - t) * p[1] + t * p[3]};
}

/// Whether all faces have a positive volume with O, and their solid angles add up to at most that
/// of the sphere: the claim of point_view.hpp in other words.
bool is_star(const Features& f, const PointView& view, std::span<const Index> patch, double t) {
  double sum = 0;
  for (const Index face : patch) {
    const auto corner = [&](int k) {
      const auto [flat, depth] = view(f.oriented()[face][k]);
      const Image p = at(flat, t);
      return Vec3d{p.x, p.y, (1 - t) * depth[0] + t * depth[2]};
    };
    const Vec3d a = unit(corner(0)), b = unit(corner(1)), c = unit(corner(2));
    const double volume = dot(a, cross(b, c));
    if (!(volume > 0)) return false;
    sum += 2 * std::atan2(volume, 1 + dot(a, b) + dot(b, c) + dot(c, a));
  }
  return sum < 4 * std::numbers::pi + 1e-6;
}

/// Whether a patch satisfies conditions (i) to (iii) of star.hpp at a time.
bool is_star(const Features& f, const StarView& view, std::span<const Index> patch, double t) {
  const std::set<Index> inside(patch.begin(), patch.end());
  double sum = 0;
  for (const Index face : patch) {
    const auto corner = [&](int k) { return at(view(f.oriented()[face][k % 3]), t); };
    const Image p = corner(0), q = corner(1), r = corner(2);
    if (!(cross({q.x - p.x, q.y - p.y}, {r.x - p.x, r.y - p.y}) > 0)) return false;
    for (int k = 0; k < 3; ++k) {
      if (inside.contains(f.across[face][k])) continue;
      if (!(cross(corner(k), corner(k + 1)) > 0)) return false;
      sum += angle(corner(k), corner(k + 1));
    }
  }
  return std::abs(sum - 2 * std::numbers::pi) < 1e-6;
}

/// Returns the size of the largest patch.
std::size_t check_patches(const Model& m) {
  const Features f = make_features(m.start.size(), m.faces, m.loose, 2);
  const StepFrames frames{m.start, m.end};
  const Patches patches = grow_patches({f, frames, LocalFrame(frames, 0).diagonal}, 2);
  std::size_t largest = 0;
  for (Index i = 0; i < patches.faces.count(); ++i) {
    const auto patch = patches.faces.part(i);
    for (const Index face : patch) CHECK(patches.owner(face) == i);
    largest = std::max(largest, patch.size());
    if (patch.size() > 1)
      for (int k = 0; k <= 8; ++k)
        CHECK(std::visit([&](const auto& view) { return is_star(f, view, patch, k / 8.0); },
                         patches.views[i]));
  }
  return largest;
}

/// Each corner of a mesh of two faces, and each way to begin them, is where a growth may go on.
void check_rotations() {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      Model m;
      m.start = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
      m.end = m.start;
      m.faces = {{0, 1, 2}, {2, 1, 3}};
      std::rotate(m.faces[0].begin(), m.faces[0].begin() + i, m.faces[0].end());
      std::rotate(m.faces[1].begin(), m.faces[1].begin() + j, m.faces[1].end());
      CHECK(check_patches(m) == 2);
    }
}

/// A face whose area vanishes at the end of the step is in no patch with another one.
void check_collapse() {
  for (int i = 0; i < 3; ++i) {
    Model m;
    m.start = m.end = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    m.end[0] = {0.5, 0.5, 0};
    m.faces = {{0, 1, 2}, {2, 1, 3}};
    std::rotate(m.faces[0].begin(), m.faces[0].begin() + i, m.faces[0].end());
    CHECK(check_patches(m) == 1);
  }
}

/// Faces that repeat a corner, and pairs of faces with the same corners, are in no patch of others.
void check_degenerate() {
  Model m;
  testing::add_sheet(m, 6, 6, [](double u, double v) { return Places({u, v, 0}, {u, v, u * v}); });
  const std::vector<Face> sheet = m.faces;
  for (std::size_t i = 0; i < sheet.size(); i += 24) {
    const auto [a, b, c] = sheet[i];
    m.faces.push_back({a, b, b});
    m.faces.push_back({b, c, b});
    m.faces.push_back({a, c, b});
  }
  CHECK(check_patches(m) > 10);
  Model both;  // sides of one triangle
  both.start = both.end = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  both.faces = {{0, 1, 2}, {0, 2, 1}};
  CHECK(check_patches(both) == 1);
}

}  // namespace

int main() {
  check_rotations();
  check_degenerate();
  check_collapse();
  Model waves;  // of several cells
  testing::add_sheet(waves, 40, 60, [](double u, double v) {
    const double z = 0.05 * std::sin(20 * u) * std::cos(25 * v);
    return Places({u, v, z}, {u + z, v, -2 * z});
  });
  CHECK(check_patches(waves) > 100);
  testing::Random random(17);
  for (int kind = 0; kind < testing::model_kinds; ++kind)
    for (int model = 0; model < 8; ++model) check_patches(testing::random_model(random, kind));
}
