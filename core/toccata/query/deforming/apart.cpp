// Whether two elements are apart, before their features are tested.
#include <algorithm>

#include "toccata/query/deforming/tester.hpp"

namespace toccata {
namespace {

/// Of a direction: in products with a shorter one digits would be lost.
constexpr double smallest = 1e-250;

using Corners = std::array<Vec3d, 3>;

/// The corners of an element at the start, and up to when it is looked at.
struct ElementPath {
  Corners start, then;

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

/// How far the one is above the other along a direction; negative if they overlap.
double gap_along(const Vec3d& n, const Corners& a, const Corners& b) {
  const auto along = [&n](const Corners& p) {
    return std::array{dot(n, p[0]), dot(n, p[1]), dot(n, p[2])};
  };
  const auto [a0, a1, a2] = along(a);
  const auto [b0, b1, b2] = along(b);
  return std::min({a0, a1, a2}) - std::max({b0, b1, b2});
}

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
// a pair is left out only if its test would not report it, whatever the cutoff. It reports no pair
// beyond the tolerance, unless it runs out of a small budget. With a gap g above the separation and
// a speed v, each step of the test is at least g / v long: it is not settled if that is more, and
// at the cutoff before it loses patience.
bool Tester::are_apart(const Face& a, const Face& b, double diagonal) {
  const LinearOptions& linear = problem_.linear;
  if (linear.budget < patience || share_vertex(a, b)) return false;
  ++stats.bv_tests;
  const double cutoff = problem_.cutoff.load(std::memory_order_relaxed);
  const Vec3d& origin = problem_.frames.start[b[0]];
  const ElementPath p(problem_.frames, a, origin, cutoff), q(problem_.frames, b, origin, cutoff);
  const double least = linear.separation * (1 + 0x1p-40) + 0x1p-47 * diagonal;
  const auto separates = [&](const Vec3d& n) {
    const double height =
        std::max(std::min(gap_along(n, p.start, q.start), gap_along(n, p.then, q.then)),
                 std::min(gap_along(n, q.start, p.start), gap_along(n, q.then, p.then)));
    const double length = norm(n), gap = height - length * least;
    if (gap <= 0 || length < smallest) return false;
    if (gap > length * linear.tolerance && linear.budget >= LinearOptions{}.budget) return true;
    const double step = std::max(cutoff / (patience / 2), 8 * settled);
    return gap > length * step * speed_between(a, b);
  };
  // The counters of all contacts do not depend on the order of work, as those of the first one do.
  if (!problem_.all_contacts && separates(direction_)) return true;
  for (const Vec3d& n : {p.normal(), q.normal()})
    if (separates(n)) {
      direction_ = n;
      return true;
    }
  return false;
}

}  // namespace toccata
