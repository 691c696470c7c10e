// Random deforming models that touch themselves, or do not.
#pragma once

#include <cmath>
#include <numbers>

#include "random_bodies.hpp"
#include "toccata/query/deforming/features.hpp"

namespace toccata::testing {

struct Model {
  std::vector<Vec3d> start, end;
  std::vector<Face> faces;
  std::vector<Edge> loose;
};

/// A grid of rows x columns quads; place(u, v) in [0, 1]^2 gives both positions of a vertex.
template <class Place>
void add_sheet(Model& m, Index rows, Index columns, const Place& place) {
  const Index first = static_cast<Index>(m.start.size()), width = columns + 1;
  for (Index i = 0; i <= rows; ++i)
    for (Index j = 0; j <= columns; ++j) {
      const auto [p, q] = place(static_cast<double>(i) / rows, static_cast<double>(j) / columns);
      m.start.push_back(p);
      m.end.push_back(q);
    }
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      const Index a = first + i * width + j, b = a + width;
      m.faces.push_back({a, b, b + 1});
      m.faces.push_back({a, b + 1, a + 1});
    }
}

using Places = std::pair<Vec3d, Vec3d>;

/// A ramp that winds around the z axis; its floors pass through each other or do not.
inline Model spiral(Random& random) {
  Model m;
  const double turns = random.uniform(1.2, 3), rise = random.uniform(0.05, 0.3);
  const double collapse = random.uniform(-1, 1), inner = random.uniform(0.02, 0.4);
  add_sheet(m, 3, 30, [&](double u, double v) {
    const double angle = 2 * std::numbers::pi * turns * v, r = inner + u;
    const Vec3d p{r * std::cos(angle), r * std::sin(angle), rise * angle};
    return Places(p, Vec3d{p.x, p.y, collapse * p.z} + random.point(0.02));
  });
  return m;
}

/// A sheet that is rolled up, or folded until its halves meet.
inline Model folded(Random& random) {
  Model m;
  const double before = random.uniform(0, 4), after = random.uniform(0, 9);
  const double noise = random.uniform(0, 0.03);
  const auto bent = [](double u, double v, double angle) {
    if (angle < 1e-3) return Vec3d{u, v, 0};
    const double r = 1 / angle;
    return Vec3d{r * std::sin(angle * u), v, r * (1 - std::cos(angle * u))};
  };
  add_sheet(m, 12, 5, [&](double u, double v) {
    return Places(bent(u, v, before), bent(u, v, after) + random.point(noise));
  });
  return m;
}

/// A flat sheet that is sheared and pulled in its plane, until it may turn over.
inline Model sheared(Random& random) {
  Model m;
  const Vec3d x{random.uniform(-1, 1.5), random.uniform(-1, 1), 0};
  const Vec3d y{random.uniform(-1, 1), random.uniform(-1, 1.5), 0};
  const double wave = random.below(2) * 0.1;
  add_sheet(m, 7, 7, [&](double u, double v) {
    const Vec3d end = x * u + y * v;
    return Places({u, v, 0}, end + Vec3d{0, 0, wave * std::sin(9 * u) * std::cos(7 * v)});
  });
  return m;
}

/// Two closed tubes and random strings and particles between them.
inline Model tubes(Random& random) {
  Model m;
  for (int k = 0; k < 2; ++k) {
    const Vec3d offset = random.point(0.6), motion = random.point(0.8);
    const double squeeze = random.uniform(0.1, 1.5);
    add_sheet(m, 6, 9, [&](double u, double v) {
      const double angle = 2 * std::numbers::pi * v;
      const Vec3d p = Vec3d{2 * u - 1, std::cos(angle), std::sin(angle)} * 0.5;
      return Places(p + offset, Vec3d{p.x, p.y * squeeze, p.z} + offset + motion);
    });
  }
  for (int k = 0; k < 12; ++k) {
    const Index v = static_cast<Index>(m.start.size());
    for (int i = 0; i < 2; ++i) {
      m.start.push_back(random.point(1));
      m.end.push_back(random.point(1));
    }
    m.loose.push_back({v, k % 3 == 0 ? v : v + 1});
  }
  return m;
}

/// Unconnected triangles, some of them twice, turned over, or without an area.
inline Model soup(Random& random) {
  Model m;
  for (Index i = 0; i < 40; ++i) {
    const Vec3d at = random.point(1), motion = random.point(0.5);
    for (int k = 0; k < 3; ++k) {
      m.start.push_back(at + random.point(0.3));
      m.end.push_back(m.start.back() + motion + random.point(0.1));
    }
    m.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    if (i % 10 == 6) m.faces.push_back(m.faces.back());
    if (i % 10 == 7) m.faces.push_back({3 * i, 3 * i + 2, 3 * i + 1});
    if (i % 10 == 8) m.faces.push_back({3 * i, 3 * i + 1, 3 * i});
    if (i % 10 == 9) m.faces.push_back({3 * i, 3 * i + 1, 3 * i - 2});
  }
  return m;
}

/// A sphere of rings of faces around its poles, which may wind around the axis several times; then
/// its poles are branch points. place(polar angle, azimuth) gives both positions of a vertex.
/// Without a lid, the faces at the far pole are missing.
struct BallShape {
  Index rings, columns;
  int turns = 1;
  bool lid = true;
};

template <class Place>
void add_ball(Model& m, const BallShape& shape, const Place& place) {
  const auto [rings, columns, turns, lid] = shape;
  const Index first = static_cast<Index>(m.start.size());
  const auto add = [&](double polar, double azimuth) {
    const auto [p, q] = place(polar, azimuth);
    m.start.push_back(p);
    m.end.push_back(q);
  };
  for (Index i = 1; i < rings; ++i)
    for (Index j = 0; j < columns; ++j)
      add(std::numbers::pi * i / rings, 2 * std::numbers::pi * turns * j / columns);
  const Index near = static_cast<Index>(m.start.size()), far = near + 1;
  add(0, 0);
  if (lid) add(std::numbers::pi, 0);
  for (Index j = 0; j < columns; ++j) {
    const Index a = first + j, b = first + (j + 1) % columns, last = (rings - 2) * columns;
    m.faces.push_back({near, a, b});
    if (lid) m.faces.push_back({far, b + last, a + last});
    for (Index i = 0; i + 2 < rings; ++i) {
      const Index c = a + i * columns, d = b + i * columns;
      m.faces.push_back({c, c + columns, d + columns});
      m.faces.push_back({c, d + columns, d});
    }
  }
}

inline Vec3d on_sphere(double polar, double azimuth) {
  return {std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth),
          std::cos(polar)};
}

/// Balls with waves and noise that turn, grow, flatten or turn inside out, and may meet.
inline Model balls(Random& random) {
  Model m;
  for (int k = 0; k < 2; ++k) {
    const Vec3d offset = random.point(0.8), motion = random.point(0.4);
    const double wave = random.uniform(0, 0.25), noise = random.below(2) * random.uniform(0, 0.05);
    const double spin = random.uniform(-1, 1), least = random.below(3) == 0 ? -0.8 : 0.5;
    const Vec3d scale{random.uniform(least, 1.3), random.uniform(0.5, 1.3), random.uniform(0.5, 1)};
    const Index size = 5 + random.below(4);
    add_ball(m, {size, size + 2, 1, random.below(3) > 0}, [&](double polar, double azimuth) {
      const Vec3d p = on_sphere(polar, azimuth) * (0.5 + wave * std::cos(3 * polar + azimuth));
      const Vec3d q{p.x * std::cos(spin) - p.y * std::sin(spin),
                    p.x * std::sin(spin) + p.y * std::cos(spin), p.z};
      const Vec3d end{q.x * scale.x, q.y * scale.y, q.z * scale.z};
      return Places(p + offset + random.point(noise), end + offset + motion + random.point(noise));
    });
  }
  return m;
}

/// Surfaces that cover a sphere twice or more, with and without a hole. Seen from the middle, all
/// faces face outwards, but the layers pass through each other or do so during the step.
inline Model covers(Random& random) {
  Model m;
  const int turns = 2 + random.below(2);
  const double before = random.uniform(-0.3, 0.3), after = random.uniform(-0.3, 0.3);
  const double turn = random.uniform(0, 6);
  const Index rings = 4 + random.below(4);
  const bool lid = random.below(2) == 0;
  const Vec3d motion = random.point(0.5);
  add_ball(m, {rings, 7 * turns, turns, lid}, [&](double polar, double azimuth) {
    const double layer = std::sin(polar) * std::cos((azimuth + turn) / turns);
    const Vec3d p = on_sphere(polar, azimuth);
    return Places(p * (1 + before * layer), p * (1 + after * layer) + motion);
  });
  if (random.below(2) == 0)  // a hole in one layer, at any face
    m.faces.erase(m.faces.begin() + random.below(static_cast<int>(m.faces.size())));
  return m;
}

/// Turns a share of the faces over.
inline void turn_over(Model& m, Random& random, double share) {
  for (Face& face : m.faces)
    if (random.uniform(0, 1) < share) std::swap(face[0], face[random.below(2) + 1]);
}

constexpr int model_kinds = 7;

inline Model random_model(Random& random, int kind) {
  constexpr Model (*makers[])(Random&) = {spiral, folded, sheared, tubes, soup, balls, covers};
  Model m = makers[kind](random);
  if (random.below(3) == 0) turn_over(m, random, random.uniform(0, 1));
  return m;
}

}  // namespace toccata::testing
