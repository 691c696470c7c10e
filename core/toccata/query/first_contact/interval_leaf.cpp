// Root finding for the equations of two triangles: interval Newton steps and bisection, combined
// with the conservative advance of whole triangles.
#include "toccata/query/first_contact/interval_leaf.hpp"

#include <array>
#include <bit>

#include "toccata/base/stopwatch.hpp"
#include "toccata/narrow/interval/features.hpp"

namespace toccata {
namespace {

Triangle about(const Vec3d& center, const Triangle& t) {
  return {{t.corner[0] - center, t.corner[1] - center, t.corner[2] - center}};
}

/// Bisection of a window for all feature pairs together, earliest half first. A feature pair that
/// is excluded from a window is not tested again in its halves.
class RootSearch {
 public:
  RootSearch(const IntervalView& view, Index a, Index b, Work& work)
      : view_(view),
        triangles_{about(view.mesh_x().center(), view.mesh_x().triangle(view.x_of(a, b))),
                   about(view.mesh_y().center(), view.mesh_y().triangle(view.y_of(a, b)))},
        options_{view.pair().separation(), view.pair().tolerance(), view.pair().error()},
        work_(work) {}

  /// Returns a time in the window before which no features touch; infinite if none touch in the
  /// window. At the returned time, some may be within the tolerance.
  double first(Interval window) {
    depth_ = 0;
    push({window, all_features});
    while (depth_ > 0) {
      const Part part = parts_[--depth_];
      const double length = part.window.hi - part.window.lo;
      if (!work_.spend()) return part.window.lo;
      work_.stats.elementary_tests += std::popcount(part.open);
      const FeatureTest test = test_features(triangles_, view_.at(part.window.lo, part.window),
                                             length, options_, part.open);
      if (test.touches) return part.window.lo;
      if (!test.pending) continue;
      const double next = part.window.lo + test.step;
      if (next > part.window.hi) continue;
      if (test.step > length / 2) {
        push({{next, part.window.hi}, test.pending});
      } else if (length < shortest) {
        return part.window.lo;
      } else {
        const double middle = part.window.lo + length / 2;
        ++work_.stats.subdivisions;
        push({{middle, part.window.hi}, test.pending});
        push({{next, middle}, test.pending});
      }
    }
    return infinity;
  }

 private:
  struct Part {
    Interval window;
    FeatureSet open;
  };
  // Length of windows below which the test of the whole triangles takes over, with a new direction.
  // A grazing contact would need many shorter windows. The stack is large enough: each window on it
  // is at most half as long as the window below it.
  static constexpr double shortest = 0x1p-14;
  void push(const Part& part) { parts_[depth_++] = part; }

  const IntervalView& view_;
  TrianglePair triangles_;
  FeatureOptions options_;
  Work& work_;
  std::array<Part, 32> parts_;
  int depth_ = 0;
};

LeafSearch search(const IntervalView& view, Index a, Index b, Interval window, Work& work) {
  using Outcome = LeafSearch::Outcome;
  const MovingPair& pair = view.pair();
  RootSearch roots(view, a, b, work);
  double time = window.lo;
  for (;;) {
    // The test of the whole triangles finds an intersection at the start. Often, one direction
    // excludes the whole window.
    if (!work.spend()) return {Outcome::stalled, time, {}};
    ++work.stats.elementary_tests;
    const LeafApproach leaf = approach_leaves(pair, pair.state(time, window.hi), a, b);
    if (leaf.touches) return {Outcome::touch, time, leaf.triangles};
    const double next = time + leaf.step;
    if (next > window.hi) return {Outcome::free, window.hi, {}};
    const double root = roots.first({next, window.hi});
    if (root > window.hi) return {Outcome::free, window.hi, {}};
    // No proof advances, and the triangles do not touch.
    if (!(root > time)) return {Outcome::stalled, time, {}};
    time = root;
  }
}

}  // namespace

LeafSearch first_touch(const IntervalView& view, Index a, Index b, Interval window, Work& work) {
  Stopwatch watch(view.pair().options().timed);
  const LeafSearch found = search(view, a, b, window, work);
  work.stats.seconds_elementary += watch.lap();
  return found;
}

}  // namespace toccata
