// What is inside a solid, against windings of whole numbers along other rays.
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/bvh/closed_surfaces.hpp"

using namespace toccata;

namespace {

using Whole = __int128;
using Point = std::array<std::int64_t, 3>;

struct Model {
  std::vector<Point> points;
  std::vector<Face> faces;
};

int volume_sign(const Point& p, const Point& a, const Point& b, const Point& c) {
  const auto d = [&p](const Point& q, int k) { return static_cast<Whole>(q[k] - p[k]); };
  Whole volume = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    volume += d(a, i) * (d(b, j) * d(c, k) - d(b, k) * d(c, j));
  }
  return volume == 0 ? 0 : volume > 0 ? 1 : -1;
}

/// How often the model winds around p: crossings of a segment to a point far away that meets no
/// edge and no corner. Nothing if p is on the surface.
std::optional<int> winding(const Model& m, const Point& p, testing::Random& random) {
  for (int tries = 0; tries < 50; ++tries) {
    Point q;
    for (int k = 0; k < 3; ++k)
      q[k] = static_cast<std::int64_t>(random.uniform(1e6, 2e6)) * (random.below(2) ? 1 : -1);
    int sum = 0;
    bool clear = true;
    for (const Face& f : m.faces) {
      const Point &a = m.points[f[0]], &b = m.points[f[1]], &c = m.points[f[2]];
      const int x = volume_sign(p, q, a, b), y = volume_sign(p, q, b, c);
      const int z = volume_sign(p, q, c, a);
      if ((x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0)) {
        const int from = volume_sign(p, a, b, c), to = volume_sign(q, a, b, c);
        if (from == 0 && to == 0) continue;  // flat, or beside the segment; edges are met elsewhere
        if (x == 0 || y == 0 || z == 0 || from == 0) clear = false;
        else if (from != to) sum += from;
      }
    }
    if (clear) return sum;
  }
  return {};
}

Point random_point(testing::Random& random, int size) {
  return {random.below(2 * size + 1) - size, random.below(2 * size + 1) - size,
          random.below(2 * size + 1) - size};
}

/// A box with corners on a grid, its faces outward.
Model box(const Point& lo, const Point& hi) {
  Model m;
  for (int i = 0; i < 8; ++i)
    m.points.push_back({i & 4 ? hi[0] : lo[0], i & 2 ? hi[1] : lo[1], i & 1 ? hi[2] : lo[2]});
  m.faces = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
             {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  return m;
}

/// A prism over a star of many corners, which rays along the axes meet in edges and corners.
Model star(testing::Random& random, int corners) {
  Model m;
  for (int layer = 0; layer < 2; ++layer)
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * 3.14159265358979 * i / corners, r = i % 2 ? 4 : 9;
      m.points.push_back(
          {layer * 8 - 4, std::lround(r * std::cos(angle)), std::lround(r * std::sin(angle))});
    }
  m.points.push_back({-4, 0, 0}), m.points.push_back({4, 0, 0});
  for (Index i = 0; i < corners; ++i) {
    const Index j = (i + 1) % corners;
    m.faces.push_back({2 * corners, j, i});
    m.faces.push_back({2 * corners + 1, corners + i, corners + j});
    if (random.below(2)) {
      m.faces.push_back({i, j, corners + j}), m.faces.push_back({i, corners + j, corners + i});
    } else {
      m.faces.push_back({i, j, corners + i}), m.faces.push_back({j, corners + j, corners + i});
    }
  }
  return m;
}

/// Own corners for each face, in random order.
Model soup(const Model& m, testing::Random& random) {
  Model result;
  std::vector<std::size_t> order(m.faces.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(static_cast<int>(i))]);
  for (const std::size_t i : order) {
    const int turn = random.below(3);
    Face face;
    for (int k = 0; k < 3; ++k) {
      face[k] = static_cast<Index>(result.points.size());
      result.points.push_back(m.points[m.faces[i][(k + turn) % 3]]);
    }
    result.faces.push_back(face);
  }
  return result;
}

Model flipped(Model m, testing::Random& random) {
  for (Face& face : m.faces)
    if (random.below(2)) std::swap(face[1], face[2]);
  return m;
}

Vec3d scaled(const Point& p, double scale) {
  return {static_cast<double>(p[0]) * scale, static_cast<double>(p[1]) * scale,
          static_cast<double>(p[2]) * scale};
}

Mesh mesh(const Model& m, double scale) {
  std::vector<Vec3d> vertices;
  for (const Point& p : m.points) vertices.push_back(scaled(p, scale));
  return Mesh(vertices, m.faces, true);
}

/// However faces are turned, ordered and joined, a shell contains what it winds around.
void windings_are_found() {
  testing::Random random(41);
  int inside = 0, outside = 0;
  for (int round = 0; round < 60; ++round) {
    const Model model = round % 2 ? star(random, 6 + 2 * random.below(8))
                                  : box({-5, -3, -random.below(5) - 1}, {7, 4, 6});
    const double scale = std::ldexp(1.0, std::array{0, 40, -60, -300, -900}[round % 5]);
    const Mesh meshes[] = {mesh(model, scale), mesh(soup(model, random), scale),
                           mesh(flipped(model, random), scale),
                           mesh(soup(flipped(model, random), random), scale)};
    for (int k = 0; k < 60; ++k) {
      const Point p = random_point(random, 8);
      const std::optional<int> truth = winding(model, p, random);
      for (const Mesh& m : meshes) {
        CHECK(m.solid().is_near(m, scaled(p, scale), 0x1p-30 * scale) == !truth);
        if (truth) CHECK(m.solid().contains(m, scaled(p, scale)) == (*truth != 0));
      }
      if (truth) (*truth != 0 ? inside : outside) += 1;
    }
  }
  CHECK(inside > 300 && outside > 300);
}

Model together(const std::vector<Model>& models) {
  Model all;
  for (const Model& m : models) {
    const Index first = static_cast<Index>(all.points.size());
    all.points.insert(all.points.end(), m.points.begin(), m.points.end());
    for (const Face& f : m.faces) all.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
  }
  return all;
}

Model inside_out(Model m) {
  for (Face& face : m.faces) std::swap(face[1], face[2]);
  return m;
}

bool contains(const Model& m, const Point& p) {
  const Mesh whole = mesh(m, 1);
  return whole.solid().contains(whole, scaled(p, 1));
}

void shells_are_united() {
  testing::Random random(42);
  const Model a = box({0, 0, 0}, {10, 10, 10}), b = box({4, 5, 6}, {20, 20, 20});
  const Point both{7, 8, 9}, in_a{2, 2, 2}, in_b{15, 15, 15}, in_none{15, 2, 2};
  for (int round = 0; round < 8; ++round) {
    const Model x = round & 1 ? inside_out(a) : a, y = round & 2 ? inside_out(b) : b;
    Model all = round & 4 ? together({x, y}) : together({y, x});
    if (random.below(2)) all = soup(all, random);
    CHECK(contains(all, both) && contains(all, in_a) && contains(all, in_b));
    CHECK(!contains(all, in_none));
  }
  // Neighbours that share an edge, a wall, or everything.
  for (const Model& other : {box({10, 10, 0}, {20, 20, 10}), box({10, 0, 0}, {20, 10, 10}), a})
    for (int round = 0; round < 8; ++round) {
      Model all = together({round & 1 ? inside_out(a) : a, round & 2 ? inside_out(other) : other});
      if (round & 4) all = soup(flipped(all, random), random);
      CHECK(contains(all, {3, 4, 5}) && !contains(all, {3, 14, 5}));
      CHECK(contains(all, {15, 15, 5}) == (other.points[0][1] == 10));
      CHECK(contains(all, {15, 5, 5}) == (other.points[0] == Point{10, 0, 0}));
    }
}

void cavities_are_outside() {
  const Model block = box({0, 0, 0}, {20, 20, 20}), hole = box({5, 5, 5}, {15, 15, 15});
  const Model core = box({8, 8, 8}, {12, 12, 12}), lip = box({2, 7, 7}, {7, 13, 13});
  for (const bool turned : {false, true}) {
    const auto way = [&](const Model& m, bool outward) {
      return outward != turned ? m : inside_out(m);
    };
    for (const Model& m : {together({way(block, true), way(hole, false)}),
                           together({way(hole, false), way(block, true)})}) {
      CHECK(contains(m, {2, 2, 2}) && !contains(m, {10, 10, 10}) && !contains(m, {30, 2, 2}));
    }
    const Model full = together({way(core, true), way(block, true), way(hole, false)});
    CHECK(contains(full, {10, 10, 10}) && contains(full, {2, 2, 2}));
    CHECK(!contains(full, {6, 10, 10}));
    // What faces the same way fills; so does what sticks into the hole from the wall.
    CHECK(contains(together({way(block, true), way(hole, true)}), {10, 10, 10}));
    const Model ribbed = together({way(block, true), way(hole, false), way(lip, true)});
    CHECK(contains(ribbed, {6, 10, 10}) && !contains(ribbed, {10, 10, 10}));
  }
  // A shell that only reaches into another one is no cavity, whatever its direction.
  const Model bumpy = together({block, inside_out(box({15, 5, 5}, {25, 15, 15}))});
  CHECK(contains(bumpy, {18, 10, 10}) && contains(bumpy, {23, 10, 10}));
}

template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void what_is_not_closed_is_refused() {
  Model open = box({0, 0, 0}, {1, 1, 1});
  open.faces.pop_back();
  CHECK(refusal([&] { mesh(open, 1); }) ==
        "solid: expected a closed mesh, got 3 edges with an odd number of faces, the first between "
        "vertices 1 and 3");
  // A segment bounds nothing, and a face twice counts once.
  Model thick = box({0, 0, 0}, {1, 1, 1});
  thick.faces.push_back({0, 7, 7}), thick.faces.push_back(thick.faces[3]);
  CHECK(refusal([&] { mesh(thick, 1); }).empty());
  // A Klein bottle: a strip of squares whose second seam is turned over.
  Model klein;
  const int n = 4;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) klein.points.push_back({3 * i + j * j, 5 * j + i * i, i * j + i});
  const auto at = [&](int i, int j) {
    if (i == n) i = 0, j = n - j;
    return static_cast<Index>(i * n + j % n);
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      klein.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      klein.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  const std::string answer = refusal([&] { mesh(klein, 1); });
  CHECK(answer.starts_with("solid: expected an orientable mesh, got "));
}

void solids_by_part() {
  const Model a = box({0, 0, 0}, {10, 10, 10}), b = box({20, 0, 0}, {30, 10, 10});
  Model all = together({a, b});
  all.faces.pop_back();
  std::vector<Vec3d> vertices;
  for (const Point& p : all.points) vertices.push_back(scaled(p, 1));
  std::vector<Index> numbers(all.faces.size(), 0);
  std::fill_n(numbers.begin(), 12, 7);
  const Mesh mixed(vertices, all.faces, numbers);
  CHECK(mixed.solid().contains(mixed, {5, 4, 3}) && !mixed.solid().contains(mixed, {25, 4, 3}));
  CHECK(mixed.solid().is_near(mixed, {10, 4, 3}, 0));
  CHECK(!mixed.solid().is_near(mixed, {30, 4, 3}, 0));
  numbers[11] = 8;
  CHECK(!refusal([&] { Mesh(vertices, all.faces, numbers); }).empty());
}

/// Numbers of the faces after open parts were left out; all had `number` before.
std::vector<Index> kept(const Model& m, Index number) {
  std::vector<Vec3d> vertices;
  for (const Point& p : m.points) vertices.push_back(scaled(p, 0.1));
  std::vector<Index> numbers(m.faces.size(), number);
  keep_closed_parts(vertices, m.faces, numbers);
  Mesh(vertices, m.faces, std::span<const Index>(numbers));  // accepts them
  return numbers;
}

void open_parts_are_left_out() {
  testing::Random random(5);
  const Model whole = box({0, 0, 0}, {10, 10, 10}), inner = box({2, 2, 2}, {8, 8, 8});
  Model open = box({20, 0, 0}, {30, 10, 10});
  open.faces.pop_back();
  const auto count = [](const std::vector<Index>& numbers, Index number) {
    return std::count(numbers.begin(), numbers.end(), number);
  };
  const std::vector<Index> all = kept(together({open, whole, inner}), 7);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == (i < 11 ? 0 : 7));
  for (int round = 0; round < 20; ++round) {
    const Model m = flipped(soup(together({whole, open, inner}), random), random);
    CHECK(count(kept(m, 3), 3) == 24 && count(kept(m, 3), 0) == 11);
  }
  CHECK(count(kept(open, 1), 0) == 11);
  // Faces without a number stay without one, and invalid arrays are left to the mesh.
  CHECK(count(kept(whole, 0), 0) == 12);
  std::vector<Vec3d> vertices(3);
  std::vector<Face> faces{{0, 1, 3}};
  std::vector<Index> numbers{1};
  keep_closed_parts(vertices, faces, numbers);
  CHECK(numbers[0] == 1);
  faces[0] = {0, 1, 2}, vertices[1].x = std::numeric_limits<double>::quiet_NaN();
  keep_closed_parts(vertices, faces, numbers);
  CHECK(numbers[0] == 1);
}

/// Shells by the hundreds, each in the next and facing the other way: the search for cavities ends,
/// and everything within the outermost one is material.
void deep_nests_are_filled() {
  for (const bool deep : {false, true}) {
    const int layers = deep ? 1000 : 4;
    std::vector<Model> parts;
    for (int i = 1; i <= layers; ++i) {
      parts.push_back(box({-2 * i, -2 * i, -2 * i}, {2 * i, 2 * i, 2 * i}));
      if (i % 2)
        for (Face& face : parts.back().faces) std::swap(face[1], face[2]);
    }
    const Mesh nest = mesh(together(parts), 1);
    for (int i = 0; i < layers; ++i)
      CHECK(nest.solid().contains(nest, {2.0 * i + 1, 0.25, 0.5}) == (deep || i % 2 == 1));
  }
}

}  // namespace

int main() {
  windings_are_found();
  shells_are_united();
  cavities_are_outside();
  what_is_not_closed_is_refused();
  solids_by_part();
  open_parts_are_left_out();
  deep_nests_are_filled();
}
