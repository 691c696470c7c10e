#include "toccata/narrow/advancement/cell_approach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "toccata/narrow/advancement/hull_approach.hpp"
#include "toccata/narrow/advancement/staying.hpp"

namespace toccata {
namespace {

constexpr Count most_work = 1 << 16;  // pairs of parts per call
constexpr int most_polish = 4096;     // refinements to make points and normal of a contact precise
constexpr int most_releases = 256;    // proofs per call that parts move apart: they are expensive
constexpr int levels = 64;            // of sizes of parts, each half of the one before
constexpr int projections = 3;        // back and forth between two parts, for points in contact
constexpr int projections_of_crossing = 6;  // the same where the parts may cross
constexpr int projections_of_staying = 32;  // the same where nothing but the distance counts
// Squared sine of the angle at which surfaces cross. At smaller ones, planes meet far away.
constexpr double least_crossing = 1.0 / 64;
// A gap that is this part of the distance is worth a step: a larger one makes steps longer, but
// takes finer parts.
constexpr double tight = 0.7;
constexpr double sharp = 64;  // hulls are finer than the gap by this factor before it is a normal
// Steps aim at this part of the tolerance, where normals are still well defined.
constexpr double aim = 0.125;

struct PartPair {
  double key;     // least comes first
  double margin;  // of both hulls; of pairs with the same key, the finest comes first
  Count number;   // breaks ties, so that the order does not depend on the heap
  Index a, b;
  bool released;  // ignored until `step`
  double step;    // no contact for so long
  HullGap gap;
};

bool later(const PartPair& x, const PartPair& y) {
  return std::tie(x.key, x.margin, x.number) > std::tie(y.key, y.margin, y.number);
}

/// How far a point of the hull can be from another, less the margin.
double spread(const Hull& hull) {
  return std::max(norm(hull.corner[3] - hull.corner[0]), norm(hull.corner[2] - hull.corner[1]));
}

/// The search among the parts of one pair of elements; keeps its memory between calls.
class Search {
 public:
  void start(const MovingElement& a, const MovingElement& b, const CellQuestion& question,
             bool by_gap) {
    question_ = &question;
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

  /// Refines the pair of parts with the least gap until no other is closer than the points found.
  Closest closest(const ReachQuestion& reach) {
    while (!heap_.empty() && !(best_.distance <= reach.enough)) {
      const PartPair pair = pop();
      const double least = pair.gap.gap - reach.error;
      const double known = std::min(best_.distance, reach.below);
      if (!(least < std::min(known - reach.precision, known * (1 - reach.share)))) break;
      // The surfaces are about as far apart as their hulls, give or take the margin.
      if (pair.gap.gap + pair.margin < best_.distance) probe(pair, reach.enough);
      if (work_ > most_work || !refine(pair)) break;
    }
    return best_;
  }

  /// Refines the pair of parts that can meet first until its gap is tight.
  CellApproach run() {
    while (!heap_.empty()) {
      const PartPair pair = pop();
      if (!(pair.step < question_->remaining) || pair.released || is_far(pair)) return free(pair);
      if (worth_probing(pair)) {
        const double distance = probe(pair, enough(pair)) + question_->error -
                                question_->separation;
        if (distance <= question_->tolerance) {
          // A contact that may have to be ignored is reported in the inner half of the tolerance,
          // so that bodies can leave through the outer half (`ignored`).
          if (question_->motion_a && room(pair) > 0.5 * question_->tolerance) return free(pair);
          if (ignored(pair)) continue;
          // Points in the outer quarter have left; finer hulls show it.
          const bool left = question_->motion_a && distance > 0.75 * question_->tolerance;
          if (left && work_ < most_work && refine(pair)) continue;
          return contact(pair);
        }
        if (room(pair) >= tight * distance) return free(pair);
        ++failures_[level(pair)];
      }
      if (work_ > most_work) return stalled(pair);
      if (!refine(pair)) return free(pair);
    }
    // All parts turned out to be empty.
    return {{best_, {}, infinity, infinity}, false};
  }

 private:
  /// What is left of the gap until contact.
  double room(const PartPair& pair) const {
    return pair.gap.gap - question_->error - question_->separation;
  }

  /// Whether the gap is tight already because the parts are small compared to it.
  bool is_far(const PartPair& pair) const {
    return room(pair) >= spread(a_.hull(pair.a)) + spread(b_.hull(pair.b)) + 2 * pair.margin;
  }

  /// Whether points can be expected to show a contact, or a gap that is tight. The distance of the
  /// surfaces is about that of the hulls, give or take the margin.
  bool worth_probing(const PartPair& pair) {
    const double likely = room(pair) + pair.margin;
    if (!(room(pair) >= tight * likely || likely <= 2 * question_->tolerance || work_ == 1))
      return false;
    if (question_->motion_a) return true;  // every contact must be seen before it can be ignored
    // Points cost more than hulls: where the first few of a size failed, every eighth has a try.
    return failures_[level(pair)] < 4 || tries_++ % 8 == 0;
  }

  int level(const PartPair& pair) const {
    return std::clamp(std::ilogb(question_->tolerance / pair.margin), -8, levels - 9) + 8;
  }

  /// A distance that is worth no better points: it shows a contact, or that the gap is tight.
  double enough(const PartPair& pair) const {
    return question_->separation - question_->error +
           std::max(0.9 * question_->tolerance, room(pair) / tight);
  }

  void push(Index a, Index b, const Vec3d& guess) {
    const Hull &x = a_.hull(a), &y = b_.hull(b);
    const HullGap gap = separate(x, y, guess, question_->separation + question_->error);
    const double left = gap.gap - question_->separation - question_->error;
    // Stop short of the separation as long as that costs no more than half of the step.
    const double early = std::min(aim * question_->tolerance, 0.5 * left);
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

  /// Replaces a pair by the children of its coarser part against the other.
  bool refine(const PartPair& pair) {
    const bool whole_a = a_.is_whole(pair.a), whole_b = b_.is_whole(pair.b);
    if (whole_a && whole_b) return false;
    const bool split_a = !whole_a && (whole_b || a_.hull(pair.a).radius >= b_.hull(pair.b).radius);
    if (split_a)
      a_.for_children(pair.a, [&](Index child) { push(child, pair.b, pair.gap.normal); });
    else b_.for_children(pair.b, [&](Index child) { push(pair.a, child, pair.gap.normal); });
    return true;
  }

  /// A distance between points of both surfaces close to each other: those of the hulls, projected
  /// back and forth until it is `enough`. Keeps the closest points of all.
  double probe(const PartPair& pair, double enough) {
    // A contact that may be ignored is a touch, where tangent planes hardly cross.
    const bool may_cross = pair.gap.gap < 0 && !(question_->time > question_->start) &&
                           !question_->motion_a;
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

  /// Where the tangent planes of both surfaces meet, next to y. Projections of surfaces that cross
  /// come closer to each other by about the same factor each time; from this point on they converge
  /// quadratically, as Newton's method does. x is closest to `from`, and y to x, so that the
  /// normals are u and v. Then y + s u + t v is in both planes if
  ///   u . (y - x) + s u . u + t u . v = 0   and   s u . v + t v . v = 0.
  static Vec3d meeting_point(const Vec3d& from, const Vec3d& x, const Vec3d& y) {
    const Vec3d u = from - x, v = x - y;
    const double uu = norm2(u), vv = norm2(v), uv = dot(u, v), det = uu * vv - uv * uv;
    if (!(det > least_crossing * uu * vv)) return y;
    return y + u * (uv * vv / det) - v * (uv * uv / det);
  }

  /// Returns points of two parts at a time of the motions, close to each other.
  NearPoints points_at(const PartPair& pair, double time) const {
    const Pose at_a = question_->motion_a->pose(time), at_b = question_->motion_b->pose(time);
    const double enough = 0x1p-7 * question_->tolerance;
    NearPoints found{infinity, {}, {}};
    Vec3d near =
        separate(at_a * a_.body_hull(pair.a), at_b * b_.body_hull(pair.b), pair.gap.normal).point_b;
    for (int k = 0; k < projections_of_staying; ++k) {
      const SurfacePoint x = a_.point(pair.a, near, at_a);
      const SurfacePoint y = b_.point(pair.b, x.position, at_b);
      const double distance = norm(x.position - y.position) + x.slack + y.slack;
      const bool is_worth_it = distance + question_->error < found.distance - enough;
      found.distance = std::min(found.distance, distance + question_->error);
      if (!is_worth_it) break;
      near = y.position;
    }
    return found;
  }

  /// Whether a pair that touches does not count (yet). Then it is put back, or its children are.
  /// Parts are ignored while they move apart, along a direction in which their hulls are as far
  /// apart as the bodies start, less their margins and a quarter of the tolerance at most, and have
  /// not left.
  bool ignored(const PartPair& pair) {
    if (!question_->motion_a) return false;
    // Coarse hulls overlap more than the surfaces do, and may start in touch where those come to
    // it.
    const bool coarse = 8 * pair.margin > question_->tolerance && work_ < most_work;
    if (coarse && question_->time > 0 && refine(pair)) return true;
    if (++releases_ > most_releases) return false;
    const double near = question_->separation + question_->tolerance;
    const double gap = question_->start_distance - 0.25 * question_->tolerance;
    const CarriedHull x{a_.body_hull(pair.a), *question_->motion_a};
    const CarriedHull y{b_.body_hull(pair.b), *question_->motion_b};
    double release = release_time(x, y, {near + question_->error, gap, question_->error},
                                  question_->start_distance, question_->time);
    if (question_->time < release)
      release = stays_near(x, y, release, {near - 0.25 * question_->tolerance, near}, false,
                           [&](double time) { return points_at(pair, time); });
    if (!(question_->time < release)) return coarse && refine(pair);
    PartPair waiting = pair;
    waiting.key = waiting.step = release - question_->time;
    waiting.released = true;
    put(waiting);
    return true;
  }

  CellApproach stalled(const PartPair& first) const {
    return {{best_, first.gap.normal, first.gap.gap, 0}, false};
  }

  CellApproach free(const PartPair& first) {
    // A step that rounding swallows is none.
    if (!(question_->time + first.step > question_->time)) return stalled(first);
    if (!(best_.distance < infinity)) probe(first, std::numeric_limits<double>::max());
    return {{best_, first.gap.normal, first.gap.gap, first.step}, false};
  }

  /// Refines the closest parts until they are much finer than the gap, for a sharp normal. At the
  /// start surfaces may cross; later on they do not, since they were apart before.
  CellApproach contact(const PartPair& touching) {
    PartPair pair = touching;
    if (!(question_->time > question_->start))
      return {{best_, all_three(not_a_number), pair.gap.gap, 0}, true};
    by_gap_ = true;
    for (PartPair& other : heap_) other.key = other.gap.gap;
    std::make_heap(heap_.begin(), heap_.end(), later);
    for (int k = 0; k < most_polish && refine(pair) && !heap_.empty(); ++k) {
      pair = pop();
      const double gap = pair.gap.gap - question_->error;
      if (gap > 0 && std::min(gap, question_->tolerance) >= sharp * pair.margin) {
        probe(pair, 0);
        return {{best_, pair.gap.normal, pair.gap.gap, 0}, true};
      }
      if (pair.margin < question_->error) break;
    }
    return {{best_, closing_direction(pair), pair.gap.gap, 0}, true};
  }

  /// A normal without a sharp gap. Flat hulls: the direction in which they overlap least, turned so
  /// that the bodies close along it. Hulls of boxes say nothing; then the points must do.
  Vec3d closing_direction(const PartPair& pair) const {
    const Hull &x = a_.hull(pair.a), &y = b_.hull(pair.b);
    const Vec3d line = best_.point_a - best_.point_b;
    if (10 * pair.margin > spread(x) + spread(y) && norm(line) > question_->error)
      return unit(line);
    const Vec3d n = widest_direction(x, y);
    const Vec3d relative = velocity_at(*state_a_, best_.point_a) -
                           velocity_at(*state_b_, best_.point_b);
    return dot(n, relative) > 0 ? -n : n;
  }

  const CellQuestion* question_ = nullptr;
  const MotionState *state_a_ = nullptr, *state_b_ = nullptr;
  ElementParts a_, b_;
  std::vector<PartPair> heap_;
  bool by_gap_ = false;                 // order by gap instead of step
  std::array<int, levels> failures_{};  // probes that showed nothing, by size of the parts
  int tries_ = 0, releases_ = 0;
  Count work_ = 0;
  Closest best_{};
};

/// Keeps its memory from call to call.
Search& search_of_thread() {
  thread_local Search search;
  return search;
}

}  // namespace

CellApproach approach(const MovingElement& a, const MovingElement& b,
                      const CellQuestion& question) {
  Search& search = search_of_thread();
  search.start(a, b, question, false);
  return search.run();
}

Closest closest(const MovingElement& a, const MovingElement& b, const ReachQuestion& question) {
  const CellQuestion at_once{0, question.precision, question.error, 0, 0, 0};
  Search& search = search_of_thread();
  search.start(a, b, at_once, true);
  return search.closest(question);
}

}  // namespace toccata
