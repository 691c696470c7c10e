// Distance of two hulls by the algorithm of Gilbert, Johnson and Keerthi (1988), and a search for
// better directions if rounding spoils the result.
#include "toccata/geometry/hull.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/math/twofold.hpp"

namespace toccata {
namespace {

constexpr int most_steps = 16;
// A gap is wide enough if it falls short of the distance by at most this fraction of the distance,
// and by at most this fraction of the room. A loss of that much room hardly shortens an advance.
constexpr double part_of_distance = 1e-6, part_of_room = 1.0 / 16;

/// A vertex of the difference of two hulls, and the corners from which it results.
struct Vertex {
  Vec3d at;
  int a, b;
};

/// A point of a simplex. The weights of its corners are positive and add up to 1.
struct Nearest {
  std::array<double, 4> weight{};
  Vec3d at{};
  double norm2 = infinity;
};

/// A simplex of up to four vertices of the difference; the newest vertex is the last.
class Simplex {
 public:
  bool add(const Vertex& vertex) {
    for (int i = 0; i < count_; ++i)
      if (vertex_[i].a == vertex.a && vertex_[i].b == vertex.b) return false;
    vertex_[count_++] = vertex;
    return true;
  }

  /// Removes the vertices that do not contribute to the point closest to the origin, and returns
  /// that point. The newest vertex always contributes, so only the faces around it are tried.
  Vec3d reduce() {
    Nearest best;
    const int others = count_ - 1;
    for (int subset = 0; subset < 1 << others; ++subset) offer(subset, best);
    int kept = 0;
    for (int i = 0; i < count_; ++i)
      if (best.weight[i] > 0) {
        vertex_[kept] = vertex_[i];
        weight_[kept++] = best.weight[i];
      }
    count_ = kept;
    return best.at;
  }

  bool full() const { return count_ == 4; }

  void points(const Hull& a, const Hull& b, HullGap& result) const {
    result.point_a = result.point_b = {0, 0, 0};
    for (int i = 0; i < count_; ++i) {
      result.point_a = result.point_a + a.corner[vertex_[i].a] * weight_[i];
      result.point_b = result.point_b + b.corner[vertex_[i].b] * weight_[i];
    }
  }

 private:
  /// Offers the point closest to the origin in the affine hull of the newest vertex and a subset of
  /// the others, if it lies inside their simplex.
  void offer(int subset, Nearest& best) const {
    const Vec3d& apex = vertex_[count_ - 1].at;
    int member[3], size = 0;
    Vec3d edge[3]{};
    for (int i = 0; i < count_ - 1; ++i)
      if (subset >> i & 1) {
        member[size] = i;
        edge[size++] = vertex_[i].at - apex;
      }
    double t[3] = {0, 0, 0};
    if (!solve(edge, size, apex, t)) return;
    const double least = size == 3 ? rounding(edge, apex) : 0;
    Nearest found;
    found.at = apex;
    double rest = 1;
    for (int i = 0; i < size; ++i) {
      if (!(t[i] > least)) return;
      found.weight[member[i]] = t[i];
      found.at = found.at + edge[i] * t[i];
      rest -= t[i];
    }
    if (!(rest > least)) return;
    found.weight[count_ - 1] = rest;
    found.norm2 = toccata::norm2(found.at);
    if (found.norm2 < best.norm2) best = found;
  }

  /// Computes weights t that minimize |apex + sum of t_i edge_i|, by Cramer's rule.
  static bool solve(const Vec3d (&edge)[3], int size, const Vec3d& apex, double (&t)[3]) {
    if (size == 0) return true;
    if (size == 3) {
      const double det = dot(edge[0], cross(edge[1], edge[2]));
      for (int i = 0; i < 3; ++i)
        t[i] = -dot(apex, cross(edge[(i + 1) % 3], edge[(i + 2) % 3])) / det;
      return det != 0;
    }
    const double aa = dot(edge[0], edge[0]), a = -dot(edge[0], apex);
    if (size == 1) {
      t[0] = a / aa;
      return aa > 0;
    }
    const double bb = dot(edge[1], edge[1]), ab = dot(edge[0], edge[1]), b = -dot(edge[1], apex);
    const double det = aa * bb - ab * ab;
    t[0] = (a * bb - b * ab) / det;
    t[1] = (b * aa - a * ab) / det;
    return det > 1e-14 * aa * bb;
  }

  /// Bounds the rounding errors of the weights of a tetrahedron. If the origin is inside by less
  /// than this bound, an overlap of the hulls is not proven.
  static double rounding(const Vec3d (&edge)[3], const Vec3d& apex) {
    double size = norm1(apex);
    for (const Vec3d& e : edge) size = std::max(size, norm1(e));
    return 0x1p-48 * size * size * size / std::abs(dot(edge[0], cross(edge[1], edge[2])));
  }

  std::array<Vertex, 4> vertex_;
  std::array<double, 4> weight_{};
  int count_ = 0;
};

/// Returns the corner that is farthest in direction -n.
int lowest(const Hull& hull, const Vec3d& n) {
  int best = 0;
  double least = dot(n, hull.corner[0]);
  for (int i = 1; i < 4; ++i) {
    const double x = dot(n, hull.corner[i]);
    if (x < least) least = x, best = i;
  }
  return best;
}

/// Returns by how much a gap may fall short of the distance. Coordinates of the difference, of size
/// up to `extent`, have rounding errors of a few times 2^-53 of their size. No search recovers
/// that.
double most_loss(double distance, double room, double extent) {
  double loss = part_of_distance * distance;
  if (room > 0) loss = std::min(loss, part_of_room * room);
  return std::max(loss, 0x1p-50 * extent);
}

/// Search for a wider gap if the line between the closest points is not a good direction.
///
/// For hulls of size L at a distance d, rounding rotates this line by about 2^-52 L / d. The far
/// corners of a large hull then reduce the gap by 2^-52 L^2 / d, which exceeds d itself for d below
/// 2^-26 L. The directions tried here are perpendicular to features of the hulls up to 2^-51,
/// whatever d is, so the loss falls to 2^-51 L. A simplex with edges of both hulls is as flat as
/// one edge is short compared to the other, and rounding may hide the correct one. Therefore all
/// features are tried.
class Sharpening {
 public:
  Sharpening(const Hull& a, const Hull& b, double enough, HullGap& best)
      : a_(a), b_(b), enough_(enough), best_(best) {}

  void run() { corners() || faces(a_) || faces(b_) || edges() || across(a_, b_) || across(b_, a_); }

 private:
  static constexpr int ends[6][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {0, 3}};
  static constexpr int sides[4][2] = {{0, 1}, {0, 5}, {1, 5}, {2, 3}};  // edges of each face

  /// Offers a direction. Returns whether the gap is wide enough.
  bool offer(const Vec3d& n) {
    const double gap = dot(n, a_.corner[lowest(a_, n)] - b_.corner[lowest(b_, -n)]);
    if (gap > best_.gap) best_.gap = gap, best_.normal = n;
    return !(best_.gap < enough_);
  }
  /// Offers a direction in twofold precision and its opposite. A component of the product of exact
  /// edges errs by less than 2^-102 of its terms. The direction is therefore perpendicular to both
  /// edges up to 2^-51, unless the edges are parallel up to 2^-50. In that case `across` has a
  /// better one.
  bool offer_both(const Vec3t& v) {
    const Vec3d direction = rounded(scaled(v));
    const double length = norm(direction);
    if (!(length > 0)) return false;
    const Vec3d n = direction * (1 / length);
    return offer(n) || offer(-n);
  }

  static Vec3t edge(const Hull& hull, int k) {
    return scaled(exact_difference(hull.corner[ends[k][1]], hull.corner[ends[k][0]]));
  }
  /// Offers the lines from corner to corner.
  bool corners() {
    for (const Vec3d& p : a_.corner)
      for (const Vec3d& q : b_.corner)
        if (offer_both(exact_difference(p, q))) return true;
    return false;
  }
  bool faces(const Hull& hull) {
    return std::any_of(std::begin(sides), std::end(sides), [&](const auto& side) {
      return offer_both(cross(edge(hull, side[0]), edge(hull, side[1])));
    });
  }
  bool edges() {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        if (offer_both(cross(edge(a_, i), edge(b_, j)))) return true;
    return false;
  }
  /// Offers the lines from an edge to a corner of the other hull, perpendicular to the edge.
  bool across(const Hull& hull, const Hull& other) {
    for (int k = 0; k < 6; ++k) {
      const Vec3t along = edge(hull, k);
      for (const Vec3d& p : other.corner) {
        const Vec3t line = scaled(exact_difference(p, hull.corner[ends[k][0]]));
        if (offer_both(cross(along, scaled(cross(line, along))))) return true;
      }
    }
    return false;
  }

  const Hull &a_, &b_;
  double enough_;
  HullGap& best_;
};

}  // namespace

Hull hull_of(const Box& box) {
  const Vec3d mid = center(box), half = (box.hi - box.lo) * (0.5 * (1 + 0x1p-50));
  double side[3] = {half.x, half.y, half.z};
  const Vec3d axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int k = static_cast<int>(std::min_element(side, side + 3) - side);
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const Vec3d u = axis[i] * side[i], v = axis[j] * side[j];
  const double rounding = 0x1p-50 * (norm1(box.lo) + norm1(box.hi));
  return {{mid - u - v, mid + u - v, mid - u + v, mid + u + v}, side[k] + rounding};
}

Box box_of(const Hull& hull) {
  Box box;
  for (const Vec3d& p : hull.corner) extend(box, p);
  box = grown(box, hull.radius);
  const auto outward = [](const Vec3d& v, double (*round)(double)) {
    return Vec3d{round(v.x), round(v.y), round(v.z)};
  };
  return {outward(box.lo, below), outward(box.hi, above)};
}

double gap_along(const Vec3d& n, const Hull& a, const Hull& b) {
  return dot(n, a.corner[lowest(a, n)]) - dot(n, b.corner[lowest(b, -n)]) - a.radius - b.radius;
}

HullGap separate(const Hull& a, const Hull& b, const Vec3d& start, double reach) {
  HullGap result{{0, 0, 1}, -infinity, {}, {}};
  Simplex simplex;
  Vec3d line = start;
  if (!(norm2(line) > 0)) line = a.corner[0] - b.corner[0];
  if (!(norm2(line) > 0)) line = {0, 0, 1};
  const double margins = a.radius + b.radius;
  // From the second step on, the line connects a point of one hull with a point of the other.
  double distance = infinity, enough = -infinity;
  for (int step = 0; step < most_steps; ++step) {
    const double length = norm(line);
    if (step > 0) distance = length;
    if (!(length > 0)) break;
    const Vec3d n = line * (1 / length);
    const int i = lowest(a, n), j = lowest(b, -n);
    const Vec3d vertex = a.corner[i] - b.corner[j];
    const double gap = dot(n, vertex);
    if (gap > result.gap) result.gap = gap, result.normal = n;
    enough = length - most_loss(length, length - margins - reach, norm1(vertex));
    if (step > 0 && !(gap < enough)) break;
    if (!simplex.add({vertex, i, j})) break;
    line = simplex.reduce();
    if (simplex.full()) break;
  }
  simplex.points(a, b, result);
  // If the hulls overlap including their margins, no direction separates them.
  if (result.gap < enough && distance > margins && !simplex.full())
    Sharpening(a, b, enough, result).run();
  result.gap -= margins;
  return result;
}

}  // namespace toccata
