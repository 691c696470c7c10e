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

/// Bisection of a window, earliest part first, for all feature pairs together: a pair that is
/// excluded from a window is never looked at again in its parts.
class RootSearch {
 public:
  RootSearch(const IntervalView& view, Index a, Index b, Work& work)
      : view_(view),
        triangles_{about(view.mesh_x().center(), view.mesh_x().triangle(view.x_of(a, b))),
                   about(view.mesh_y().center(), view.mesh_y().triangle(view.y_of(a, b)))},
        options_{view.pair().separation(), view.pair().tolerance(), view.pair().error()},
        work_(work) {}

  /// A time in the window before which no features touch, or one after it. At that time some may
  /// be within the tolerance.
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
  // Shorter parts are handed back to the triangles as a whole, whose direction may turn: a grazing
  // contact would need many of them. Each part on the stack is at most half as long as the one
  // below it, so that those longer than this are few.
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
    // The triangles as a whole: they may cross at the very start, and one direction often excludes
    // the whole window at once.
    if (!work.spend()) return {Outcome::stalled, time, {}};
    ++work.stats.elementary_tests;
    const LeafApproach leaf = approach_leaves(pair, pair.state(time, window.hi), a, b);
    if (leaf.touches) return {Outcome::touch, time, leaf.triangles};
    const double next = time + leaf.step;
    if (next > window.hi) return {Outcome::free, window.hi, {}};
    const double root = roots.first({next, window.hi});
    if (root > window.hi) return {Outcome::free, window.hi, {}};
    // Neither proof gets any further, nor do the triangles touch.
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
