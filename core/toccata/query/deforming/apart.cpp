// Whether two elements are apart, before their features are tested.
#include <algorithm>
#include <bit>

#include "toccata/query/deforming/tester.hpp"

namespace toccata {
namespace {

/// Of a direction: the square of a shorter one has lost digits.
constexpr double smallest = 1e-140;

/// The corners of an element at the start, and up to when it is looked at.
struct ElementPath {
  using Three = std::array<Vec3d, 3>;
  Three start, then;

  ElementPath(const StepFrames& frames, const Face& f, const Vec3d& origin, double time) {
    for (int k = 0; k < 3; ++k) {
      start[k] = frames.start[f[k]] - origin;
      then[k] = start[k] + (frames.end[f[k]] - frames.start[f[k]]) * time;
    }
  }
  /// In between.
  Vec3d normal() const {
    const auto from_first = [this](int k) { return (start[k] - start[0]) + (then[k] - then[0]); };
    return cross(from_first(1), from_first(2));
  }
};

ElementPath::Three sides_of(const ElementPath::Three& p) {
  return {p[1] - p[0], p[2] - p[1], p[0] - p[2]};
}

/// Four vectors side by side.
Vec3q side_by_side(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  return {Quad{a.x, b.x, c.x, d.x}, Quad{a.y, b.y, c.y, d.y}, Quad{a.z, b.z, c.z, d.z}};
}

/// Where three corners are along four directions.
struct Extent {
  Quad lo, hi;

  Extent(const Vec3q& n, const ElementPath::Three& p) {
    const Quad a = dot(n, p[0]), b = dot(n, p[1]), c = dot(n, p[2]);
    lo = min(min(a, b), c);
    hi = max(max(a, b), c);
  }
};

/// How far two elements are apart along four directions; negative where they overlap.
struct Heights {
  Quad at_start, lasting;  ///< the latter on the same side up to the end of their paths

  Heights(const Vec3q& n, const ElementPath& p, const ElementPath& q) {
    const Extent p0(n, p.start), p1(n, p.then), q0(n, q.start), q1(n, q.then);
    const Quad above = p0.lo - q0.hi, below = q0.lo - p0.hi;
    at_start = max(above, below);
    lasting = max(min(above, p1.lo - q1.hi), min(below, q1.lo - p1.hi));
  }
};

bool share_vertex(const Face& a, const Face& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](Index v) { return v == b[0] || v == b[1] || v == b[2]; });
}

}  // namespace

/// Bounds how fast a point of one element approaches one of the other.
double Tester::speed_between(const Face& a, const Face& b) const {
  const auto motion = [this](Index v) { return problem_.frames.end[v] - problem_.frames.start[v]; };
  const Vec3d base = motion(b[0]);
  const auto fastest = [&](const Face& f) {
    double speed = 0;
    for (const Index v : f) speed = std::max(speed, norm(motion(v) - base));
    return speed;
  };
  return (fastest(a) + fastest(b)) * (1 + 0x1p-40);
}

// Heights over a vertex are of the size of the diagonal, and a dot product, the way up to the
// cutoff included, errs by less than 16 roundings of that. What is positive at two times lies above
// the line between them.
//
// Which directions were at hand, and how low the cutoff is by now, depends on the order of work. So
// a pair is left out only if its test would not report it, whatever the cutoff. Unless a budget
// runs out, for which there is one order of work, it reports no pair beyond the tolerance. With a
// gap g above the separation and a speed v, each step of the test is at least g / v long: it is not
// settled if that is more, and at the cutoff before it loses patience.
Apart Tester::are_apart(const Face& a, const Face& b, double diagonal) {
  const LinearOptions& linear = problem_.linear;
  if (share_vertex(a, b)) return Apart::no;
  ++stats.bv_tests;
  const double cutoff = problem_.cutoff.load(std::memory_order_relaxed);
  const Vec3d& origin = problem_.frames.start[b[0]];
  const ElementPath p(problem_.frames, a, origin, cutoff), q(problem_.frames, b, origin, cutoff);
  const double rounding = 0x1p-47 * diagonal;
  const double least = linear.separation * (1 + 0x1p-40) + rounding;
  const double step = std::max(cutoff / (patience / 2), 8 * settled);
  // The gap that is enough, as far as it is known: the speed takes time.
  double enough = linear.tolerance;
  bool has_speed = false;
  Apart found = Apart::no;
  const auto separates = [&](const Vec3q& n) {
    const Quad length = sqrt(dot(n, n));
    const QuadMask counts = length > smallest;
    const Heights heights(n, p, q);
    if (bits(counts & (heights.at_start > length * rounding)) == 0) return false;
    found = Apart::at_start;
    const Quad gap = heights.lasting - length * least;
    const QuadMask positive = counts & (gap > Quad{});
    if (bits(positive) == 0) return false;
    unsigned lasting = bits(positive & (gap > length * enough));
    if (lasting == 0 && !has_speed) {
      has_speed = true;
      enough = std::min(enough, step * speed_between(a, b));
      lasting = bits(positive & (gap > length * enough));
    }
    if (lasting == 0) return false;
    trace_.separating = lane(n, std::countr_zero(lasting));
    return true;
  };
  const auto sides_separate = [&](const ElementPath::Three& at_p, const ElementPath::Three& at_q) {
    const auto [u, v, w] = sides_of(at_q);
    const Vec3q sides = side_by_side(u, v, w, w);
    const auto [x, y, z] = sides_of(at_p);
    return separates(cross(x, sides)) || separates(cross(y, sides)) || separates(cross(z, sides));
  };
  const Vec3d normal = p.normal();
  // The counters of all contacts do not depend on the order of work, as those of the first one do.
  const Vec3d& last = problem_.all_contacts ? normal : trace_.separating;
  if (separates(side_by_side(last, normal, q.normal(), normal))) return Apart::lastingly;
  // Two triangles that are apart are so along a normal, or along a direction across two sides; in
  // one plane these are their normal, and the tests of features are left.
  if (sides_separate(p.then, q.then)) return Apart::lastingly;
  // After a short time they are about where they were.
  constexpr double late = 0x1p-4;
  return cutoff > late && sides_separate(p.start, q.start) ? Apart::lastingly : found;
}

}  // namespace toccata
