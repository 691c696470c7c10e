// Integrals over meshes: by volume for closed surfaces, by area for others.
#include "toccata/dynamics/body/mass.hpp"

#include <optional>

#include "toccata/base/expects.hpp"
#include "toccata/dynamics/body/spatial.hpp"
#include "toccata/dynamics/body/symmetric.hpp"

namespace toccata {
namespace {

/// Integrals over a body, in the units of its scaled corners.
struct Integrals {
  double size = 0;       ///< volume or area
  double sum = 0;        ///< of absolute sizes of all simplices
  Vec3d first{0, 0, 0};  ///< integral of x
  Mat3d second{};        ///< integral of x x^T
};

/// Adds a tetrahedron with a corner at the origin, or a triangle. For a simplex with k corners p
/// (the origin included), center c and size V: the integral of x is V c, and the integral of x x^T
/// is V / (k (k + 1)) times the sum of p p^T over all corners plus (k c) (k c)^T.
void add(Integrals& integrals, const Triangle& t, double size, double corners) {
  const auto& [a, b, c] = t.corner;
  const Vec3d total = a + b + c;
  integrals.size += size;
  integrals.sum += std::abs(size);
  integrals.first = integrals.first + total * (size / corners);
  const Mat3d squares = outer(a, a) + outer(b, b) + outer(c, c) + outer(total, total);
  integrals.second = integrals.second + squares * (size / (corners * (corners + 1)));
}

/// A mesh with corners relative to an origin near it, scaled to a size of about 1. This keeps
/// precision far from the mesh's own origin and in small units.
struct ScaledMesh {
  const Mesh& mesh;
  Vec3d origin;
  double scale;

  Triangle triangle(Index face) const {
    const Triangle t = mesh.triangle(face);
    const auto scaled = [&](const Vec3d& v) { return (v - origin) * scale; };
    return {{scaled(t.corner[0]), scaled(t.corner[1]), scaled(t.corner[2])}};
  }
};

double volume_below(const Triangle& t) {
  return dot(t.corner[0], cross(t.corner[1], t.corner[2])) / 6;
}
double area(const Triangle& t) {
  return norm(cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0])) / 2;
}

/// Returns the sign of each closed surface's volume, as `ClosedSurfaces` orients it; 0 for a
/// surface that lies in the material of others.
std::vector<int> signs_of_shells(const ScaledMesh& body) {
  const ClosedSurfaces& shells = body.mesh.solid().closed_surfaces();
  std::vector<double> volume(shells.all.size());
  for (std::size_t i = 0; i < shells.of_face.size(); ++i)
    if (const Index shell = shells.of_face[i]; shell != 0)
      volume[std::abs(shell) - 1] += (shell > 0 ? 1 : -1) *
                                     volume_below(body.triangle(static_cast<Index>(i)));
  std::vector<int> signs;
  for (std::size_t k = 0; k < volume.size(); ++k) {
    const int outward = volume[k] < 0 ? -1 : 1;
    const bool filled = body.mesh.solid().is_filled(body.mesh, static_cast<Index>(k));
    signs.push_back(filled ? 0 : shells.all[k].cut_from < 0 ? outward : -outward);
  }
  return signs;
}

Integrals volume_integrals(const ScaledMesh& body, const std::vector<int>& signs) {
  const ClosedSurfaces& shells = body.mesh.solid().closed_surfaces();
  Integrals integrals;
  for (std::size_t i = 0; i < shells.of_face.size(); ++i) {
    const Index shell = shells.of_face[i];
    if (shell == 0) continue;
    const Triangle t = body.triangle(static_cast<Index>(i));
    add(integrals, t, signs[std::abs(shell) - 1] * (shell > 0 ? 1 : -1) * volume_below(t), 4);
  }
  return integrals;
}

Integrals area_integrals(const ScaledMesh& body) {
  Integrals integrals;
  for (std::size_t i = 0; i < body.mesh.faces().size(); ++i) {
    const Triangle t = body.triangle(static_cast<Index>(i));
    add(integrals, t, area(t), 3);
  }
  return integrals;
}

/// Integrates twice, first for the center and then about it: the inertia is then no difference of
/// large numbers. Returns nothing if the size is within rounding.
template <class Integrate>
std::optional<MassProperties> integrated(ScaledMesh body, double density, int power,
                                         const Integrate& integrate) {
  const Integrals rough = integrate(body);
  const double count = static_cast<double>(body.mesh.faces().size());
  if (!(rough.size > 0x1p-50 * (16 + count) * rough.sum)) return {};
  body.origin = body.origin + rough.first * (1 / (rough.size * body.scale));
  const Integrals fine = integrate(body);
  const double unit = 1 / body.scale, mass = density * fine.size * std::pow(unit, power);
  // Corrects for the rounding error of the center.
  const Vec3d rest = fine.first * (1 / fine.size);
  const Mat3d second = fine.second * (1 / fine.size) + outer(rest, rest) * -1.0;
  const Mat3d spread = identity3 * trace(second) + second * -1.0;
  return MassProperties{mass, body.origin + rest * unit, symmetric(spread * (mass * unit * unit))};
}

std::optional<MassProperties> by_volume(const ScaledMesh& body, double density) {
  const std::vector<int> signs = signs_of_shells(body);
  return integrated(body, density, 3,
                    [&](const ScaledMesh& b) { return volume_integrals(b, signs); });
}

bool can_face_outward(const Solid& solid) {
  for (const ClosedSurface& shell : solid.closed_surfaces().all)
    if (!shell.oriented) return false;
  return true;
}

/// Returns the same mesh as a solid, or nothing if it is not closed.
std::optional<Mesh> closed(const Mesh& mesh) try {
  return Mesh(mesh.vertices(), mesh.faces(), true);
} catch (const std::invalid_argument&) {
  return {};
}

std::optional<MassProperties> find_properties(const Mesh& mesh, double density) {
  const ScaledMesh body{mesh, mesh.center(), scale_for(mesh.radius())};
  if (!mesh.solid().empty()) {
    expects(can_face_outward(mesh.solid()), "mesh",
            "expected a solid whose faces can be turned one way");
    return by_volume(body, density);
  }
  if (const std::optional<Mesh> solid = closed(mesh); solid && can_face_outward(solid->solid()))
    if (auto found = by_volume({*solid, body.origin, body.scale}, density)) return found;
  return integrated(body, density, 2, area_integrals);
}

/// Returns whether a symmetric matrix plus `more` times the identity is positive definite.
bool is_positive(const Mat3d& m, double more) { return cholesky(m + identity3 * more).has_value(); }

}  // namespace

void check(const MassProperties& properties) {
  const auto& [mass, center, inertia] = properties;
  expects(std::isfinite(mass) && mass > 0, "mass", "expected a finite number above 0", mass);
  expects(is_finite(center), "center", "expected finite numbers");
  expects(is_finite(inertia.x) && is_finite(inertia.y) && is_finite(inertia.z), "inertia",
          "expected finite numbers");
  const double size = std::max({largest(inertia.x), largest(inertia.y), largest(inertia.z)});
  expects(size > 0, "inertia", "expected a positive definite matrix, got zeros");
  const Mat3d scaled = inertia * scale_for(size);
  const double skew =
      largest({scaled.x.y - scaled.y.x, scaled.x.z - scaled.z.x, scaled.y.z - scaled.z.y});
  expects(skew <= 1e-9, "inertia", "expected a symmetric matrix (to within 1e-9 of its size)",
          skew);
  const Mat3d even = symmetric(scaled);
  expects(is_positive(even, -1e-14), "inertia", "expected a positive definite matrix");
  // The integral of x x^T over the mass is trace / 2 - inertia. Its eigenvalues are half of the sum
  // of two principal moments minus the third.
  expects(is_positive(identity3 * (trace(even) / 2) + even * -1.0, 1e-9), "inertia",
          "expected no principal moment above the sum of the other two");
}

MassProperties mass_properties(const Mesh& mesh, double density) {
  expects(std::isfinite(density) && density > 0, "density", "expected a finite number above 0",
          density);
  expects(mesh.surface() == nullptr, "mesh", "expected triangles, got a curved surface");
  const std::optional<MassProperties> found = mesh.radius() > 0 ? find_properties(mesh, density)
                                                                : std::nullopt;
  expects(found.has_value(), "mesh",
          mesh.solid().empty() ? "expected a volume or an area, got neither"
                               : "expected a solid with a volume, got none");
  const bool fits = std::isfinite(found->mass) && found->mass > tiny &&
                    cholesky(found->inertia).has_value() && is_finite(found->inertia.x) &&
                    is_finite(found->inertia.y) && is_finite(found->inertia.z);
  expects(fits, "mesh", "expected a mass and an inertia that are neither too small nor too large");
  return *found;
}

}  // namespace toccata
