// Best-first refinement of pairs of parts of two elements, by earliest contact or by gap.
#include "toccata/narrow/advancement/cell_approach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "toccata/narrow/advancement/hull_approach.hpp"
#include "toccata/narrow/advancement/staying.hpp"

namespace toccata {
namespace {

// Maximum number of pairs of parts per call.
constexpr Count most_work = 1 << 16;
// Maximum number of refinements that make points and normal of a contact precise.
constexpr int most_polish = 4096;
// Maximum number of proofs per call that parts move apart. They are expensive.
constexpr int most_releases = 256;
// Number of size classes of parts; each is half as large as the previous one.
constexpr int levels = 64;
// Maximum number of alternating projections between two parts, for points in contact.
constexpr int projections = 3;
// The same if the parts may intersect.
constexpr int projections_of_crossing = 6;
// The same if only the distance matters.
constexpr int projections_of_staying = 32;
// Squared sine of the smallest angle at which surfaces intersect transversally. At smaller angles,
// tangent planes meet far away.
constexpr double least_crossing = 1.0 / 64;
// A gap of this fraction of the distance is sufficient for an advance. A larger fraction gives
// longer advances, but requires finer parts.
constexpr double tight = 0.7;
// A gap determines a normal if it exceeds the size of the hulls by this factor.
constexpr double sharp = 64;
// Advances end at this fraction of the tolerance, where normals are still well defined.
constexpr double aim = 0.125;

/// A pair of parts in the queue.
struct PartPair {
  double key;     // the smallest comes first
  double margin;  // sum of both hulls' margins; for equal keys, the smallest comes first
  Count number;   // breaks ties, so the order does not depend on the heap
  Index a, b;
  bool released;  // ignored until `step`
  double step;    // proven free of contact for this time
  HullGap gap;
};

bool later(const PartPair& x, const PartPair& y) {
  return std::tie(x.key, x.margin, x.number) > std::tie(y.key, y.margin, y.number);
}

/// Returns the diameter of a hull without its margin.
double spread(const Hull& hull) {
  return std::max(norm(hull.corner[3] - hull.corner[0]), norm(hull.corner[2] - hull.corner[1]));
}

/// Search among the parts of one pair of elements. Reuses its buffers between calls.
class Search {
 public:
  void start(const MovingElement& a, const MovingElement& b, const CellQuery& query, bool by_gap) {
    query_ = &query;
    state_a_ = &a.state;
    state_b_ = &b.state;
    a_.start(a);
    b_.start(b);
    heap_.clear();
    by_gap_ = by_gap;
    failures_.fill(0);
    tries_ = releases_ = 0;
    work_ = 0;
    best_ = {{}, {}, infinity, Feature::surface};
    push(0, 0, {});
  }

  /// Refines the pair of parts with the smallest gap until no other pair is closer than the points
  /// found.
  Closest closest(const DistanceQuery& reach) {
    while (!heap_.empty() && !(best_.distance <= reach.enough)) {
      const PartPair pair = pop();
      const double least = pair.gap.gap - reach.error;
      const double known = std::min(best_.distance, reach.below);
      if (!(least < std::min(known - reach.precision, known * (1 - reach.share)))) break;
      // The distance of the surfaces is about the distance of their hulls, up to the margin.
      if (pair.gap.gap + pair.margin < best_.distance) project(pair, reach.enough);
      if (work_ > most_work || !refine(pair)) break;
    }
    return best_;
  }

  /// Refines the pair of parts that can meet first until its gap is tight.
  CellApproach run() {
    while (!heap_.empty()) {
      const PartPair pair = pop();
      if (!(pair.step < query_->remaining) || pair.released || is_far(pair)) return free(pair);
      if (worth_projecting(pair)) {
        const double distance = project(pair, enough(pair)) + query_->error - query_->separation;
        if (distance <= query_->tolerance) {
          // A contact that may be ignored is reported in the inner half of the tolerance, so bodies
          // can leave through the outer half (`ignored`).
          if (query_->motion_a && room(pair) > 0.5 * query_->tolerance) return free(pair);
          if (ignored(pair)) continue;
          // Points in the outer quarter have left. Finer hulls will prove that.
          const bool left = query_->motion_a && distance > 0.75 * query_->tolerance;
          if (left && work_ < most_work && refine(pair)) continue;
          return contact(pair);
        }
        if (room(pair) >= tight * distance) return free(pair);
        ++failures_[level(pair)];
      }
      if (work_ > most_work) return stalled(pair);
      if (!refine(pair)) return free(pair);
    }
    // All parts are empty.
    return {{best_, {}, infinity, infinity}, false};
  }

 private:
  /// Returns the remaining gap until contact.
  double room(const PartPair& pair) const {
    return pair.gap.gap - query_->error - query_->separation;
  }

  /// Returns whether the gap is tight already because the parts are small compared to it.
  bool is_far(const PartPair& pair) const {
    return room(pair) >= spread(a_.hull(pair.a)) + spread(b_.hull(pair.b)) + 2 * pair.margin;
  }

  /// Returns whether points are likely to prove a contact, or a tight gap. The distance of the
  /// surfaces is about the distance of the hulls, up to the margin.
  bool worth_projecting(const PartPair& pair) {
    const double likely = room(pair) + pair.margin;
    if (!(room(pair) >= tight * likely || likely <= 2 * query_->tolerance || work_ == 1))
      return false;
    // Each contact must be detected before it can be ignored.
    if (query_->motion_a) return true;
    // Points are more expensive than hulls. If the first four attempts of a size class failed, only
    // every eighth pair is tried.
    return failures_[level(pair)] < 4 || tries_++ % 8 == 0;
  }

  int level(const PartPair& pair) const {
    return std::clamp(std::ilogb(query_->tolerance / pair.margin), -8, levels - 9) + 8;
  }

  /// Returns the distance at which better points are useless, because it proves a contact or a
  /// tight gap.
  double enough(const PartPair& pair) const {
    return query_->separation - query_->error +
           std::max(0.9 * query_->tolerance, room(pair) / tight);
  }

  void push(Index a, Index b, const Vec3d& start) {
    const Hull &x = a_.hull(a), &y = b_.hull(b);
    const HullGap gap = separate(x, y, start, query_->separation + query_->error);
    const double left = gap.gap - query_->separation - query_->error;
    // Ends the advance before the separation, unless that would more than halve it.
    const double early = std::min(aim * query_->tolerance, 0.5 * left);
    const double step =
        by_gap_ ? 0 : free_time({x, *state_a_}, {y, *state_b_}, gap.normal, left - early);
    const double key = by_gap_ ? gap.gap : step;
    put({key, x.radius + y.radius, work_++, a, b, false, step, gap});
  }

  void put(const PartPair& pair) {
    heap_.push_back(pair);
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  PartPair pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const PartPair pair = heap_.back();
    heap_.pop_back();
    return pair;
  }

  /// Replaces a pair by pairs of the children of its coarser part with the other part.
  bool refine(const PartPair& pair) {
    const bool whole_a = a_.is_whole(pair.a), whole_b = b_.is_whole(pair.b);
    if (whole_a && whole_b) return false;
    const bool split_a = !whole_a && (whole_b || a_.hull(pair.a).radius >= b_.hull(pair.b).radius);
    if (split_a)
      a_.for_children(pair.a, [&](Index child) { push(child, pair.b, pair.gap.normal); });
    else b_.for_children(pair.b, [&](Index child) { push(pair.a, child, pair.gap.normal); });
    return true;
  }

  /// Returns a distance between close points of both surfaces: the points of the hulls, projected
  /// alternately until the distance is at most `enough`. Keeps the closest points found.
  double project(const PartPair& pair, double enough) {
    // A contact that may be ignored is a touch, with tangent planes that are almost parallel.
    const bool may_cross = pair.gap.gap < 0 && !(query_->time > query_->start) && !query_->motion_a;
    const int most = may_cross ? projections_of_crossing : projections;
    double least = infinity;
    Vec3d near = pair.gap.point_b;
    for (int k = 0; k < most && !(least <= enough); ++k) {
      const SurfacePoint x = a_.point(pair.a, near), y = b_.point(pair.b, x.position);
      const double distance = norm(x.position - y.position) + x.slack + y.slack;
      if (!(distance < least)) break;
      least = distance;
      if (distance < best_.distance) best_ = {x.position, y.position, distance, Feature::surface};
      near = may_cross ? meeting_point(near, x.position, y.position) : y.position;
    }
    return least;
  }

  /// Returns the point where the tangent planes of both surfaces meet, closest to y. For
  /// intersecting surfaces, alternating projections approach each other by about the same factor
  /// each time. Starting from this point, they converge quadratically, like Newton's method. Since
  /// x is closest to `from`, and y to x, the normals are u and v. Then y + s u + t v is in both
  /// planes if
  ///   u . (y - x) + s u . u + t u . v = 0   and   s u . v + t v . v = 0.
  static Vec3d meeting_point(const Vec3d& from, const Vec3d& x, const Vec3d& y) {
    const Vec3d u = from - x, v = x - y;
    const double uu = norm2(u), vv = norm2(v), uv = dot(u, v), det = uu * vv - uv * uv;
    if (!(det > least_crossing * uu * vv)) return y;
    return y + u * (uv * vv / det) - v * (uv * uv / det);
  }

  /// Returns close points of two parts at a time of the motions.
  NearPoints points_at(const PartPair& pair, double time) const {
    const Pose at_a = query_->motion_a->pose(time), at_b = query_->motion_b->pose(time);
    const double enough = 0x1p-7 * query_->tolerance;
    NearPoints found{infinity, {}, {}};
    Vec3d near =
        separate(at_a * a_.body_hull(pair.a), at_b * b_.body_hull(pair.b), pair.gap.normal).point_b;
    for (int k = 0; k < projections_of_staying; ++k) {
      const SurfacePoint x = a_.point(pair.a, near, at_a);
      const SurfacePoint y = b_.point(pair.b, x.position, at_b);
      const double distance = norm(x.position - y.position) + x.slack + y.slack;
      const bool is_worth_it = distance + query_->error < found.distance - enough;
      found.distance = std::min(found.distance, distance + query_->error);
      if (!is_worth_it) break;
      near = y.position;
    }
    return found;
  }

  /// Returns whether a pair in contact is ignored. If so, the pair or its children return to the
  /// queue. Parts are ignored while they move apart and have not left. They must move along a
  /// direction in which their hulls are as far apart as the bodies at the start, less their margins
  /// and at most a quarter of the tolerance.
  bool ignored(const PartPair& pair) {
    if (!query_->motion_a) return false;
    // Coarse hulls overlap more than the surfaces, and may be in touch at the start if the surfaces
    // touch only later.
    const bool coarse = 8 * pair.margin > query_->tolerance && work_ < most_work;
    if (coarse && query_->time > 0 && refine(pair)) return true;
    if (++releases_ > most_releases) return false;
    const double near = query_->separation + query_->tolerance;
    const double gap = query_->start_distance - 0.25 * query_->tolerance;
    const CarriedHull x{a_.body_hull(pair.a), *query_->motion_a};
    const CarriedHull y{b_.body_hull(pair.b), *query_->motion_b};
    double release = release_time(x, y, {near + query_->error, gap, query_->error},
                                  query_->start_distance, query_->time);
    if (query_->time < release)
      release = stays_near(x, y, release, {near - 0.25 * query_->tolerance, near}, false,
                           [&](double time) { return points_at(pair, time); });
    if (!(query_->time < release)) return coarse && refine(pair);
    PartPair waiting = pair;
    waiting.key = waiting.step = release - query_->time;
    waiting.released = true;
    put(waiting);
    return true;
  }

  CellApproach stalled(const PartPair& first) const {
    return {{best_, first.gap.normal, first.gap.gap, 0}, false};
  }

  CellApproach free(const PartPair& first) {
    // An advance that is lost in rounding does not count.
    if (!(query_->time + first.step > query_->time)) return stalled(first);
    if (!(best_.distance < infinity)) project(first, std::numeric_limits<double>::max());
    return {{best_, first.gap.normal, first.gap.gap, first.step}, false};
  }

  /// Refines the closest parts until they are much finer than the gap, for an accurate normal. At
  /// the start surfaces may intersect. Later they cannot, because they were apart before.
  CellApproach contact(const PartPair& touching) {
    PartPair pair = touching;
    if (!(query_->time > query_->start))
      return {{best_, all_three(not_a_number), pair.gap.gap, 0}, true};
    by_gap_ = true;
    for (PartPair& other : heap_) other.key = other.gap.gap;
    std::make_heap(heap_.begin(), heap_.end(), later);
    for (int k = 0; k < most_polish && refine(pair) && !heap_.empty(); ++k) {
      pair = pop();
      const double gap = pair.gap.gap - query_->error;
      if (gap > 0 && std::min(gap, query_->tolerance) >= sharp * pair.margin) {
        project(pair, 0);
        return {{best_, pair.gap.normal, pair.gap.gap, 0}, true};
      }
      if (pair.margin < query_->error) break;
    }
    return {{best_, closing_direction(pair), pair.gap.gap, 0}, true};
  }

  /// Returns a normal without an accurate gap. For flat hulls, it is the direction of smallest
  /// overlap, oriented so that the bodies approach along it. Hulls of boxes have no such direction;
  /// the normal then follows from the points.
  Vec3d closing_direction(const PartPair& pair) const {
    const Hull &x = a_.hull(pair.a), &y = b_.hull(pair.b);
    const Vec3d line = best_.point_a - best_.point_b;
    if (10 * pair.margin > spread(x) + spread(y) && norm(line) > query_->error) return unit(line);
    const Vec3d n = widest_direction(x, y);
    const Vec3d relative = velocity_at(*state_a_, best_.point_a) -
                           velocity_at(*state_b_, best_.point_b);
    return dot(n, relative) > 0 ? -n : n;
  }

  const CellQuery* query_ = nullptr;
  const MotionState *state_a_ = nullptr, *state_b_ = nullptr;
  ElementParts a_, b_;
  std::vector<PartPair> heap_;
  bool by_gap_ = false;                 // ordered by gap instead of step
  std::array<int, levels> failures_{};  // failed projections, by size class
  int tries_ = 0, releases_ = 0;
  Count work_ = 0;
  Closest best_{};
};

/// Returns the search of this thread, which reuses its buffers from call to call.
Search& search_of_thread() {
  thread_local Search search;
  return search;
}

}  // namespace

CellApproach approach(const MovingElement& a, const MovingElement& b, const CellQuery& query) {
  Search& search = search_of_thread();
  search.start(a, b, query, false);
  return search.run();
}

Closest closest(const MovingElement& a, const MovingElement& b, const DistanceQuery& query) {
  const CellQuery at_once{0, query.precision, query.error, 0, 0, 0};
  Search& search = search_of_thread();
  search.start(a, b, at_once, true);
  return search.closest(query);
}

}  // namespace toccata
