// Separating axis tests of two elements, which exclude their feature pairs without elementary
// tests.
#include <algorithm>
#include <bit>

#include "toccata/query/deforming/tester.hpp"

namespace toccata {
namespace {

/// Length of the shortest usable direction. The squares of shorter vectors lose digits.
constexpr double smallest = 1e-140;

/// Corners of an element at the start and at the cutoff.
struct ElementPath {
  using Three = std::array<Vec3d, 3>;
  Three start, then;

  ElementPath(const StepFrames& frames, const Face& f, const Vec3d& origin, double time) {
    for (int k = 0; k < 3; ++k) {
      start[k] = frames.start[f[k]] - origin;
      then[k] = start[k] + (frames.end[f[k]] - frames.start[f[k]]) * time;
    }
  }
  /// Returns the normal at half of the time, up to a factor.
  Vec3d normal() const {
    const auto from_first = [this](int k) { return (start[k] - start[0]) + (then[k] - then[0]); };
    return cross(from_first(1), from_first(2));
  }
};

ElementPath::Three sides_of(const ElementPath::Three& p) {
  return {p[1] - p[0], p[2] - p[1], p[0] - p[2]};
}

/// Returns a quad of four vectors.
Vec3q side_by_side(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  return {Quad{a.x, b.x, c.x, d.x}, Quad{a.y, b.y, c.y, d.y}, Quad{a.z, b.z, c.z, d.z}};
}

/// Extent of three corners along four directions.
struct ElementExtent {
  Quad lo, hi;

  ElementExtent(const Vec3q& n, const ElementPath::Three& p) {
    const Quad a = dot(n, p[0]), b = dot(n, p[1]), c = dot(n, p[2]);
    lo = min(min(a, b), c);
    hi = max(max(a, b), c);
  }
};

/// Gaps of two elements along four directions, on the side on which the smaller of the two gaps is
/// larger; negative if they overlap.
struct Heights {
  Quad start, then;

  Heights(const Vec3q& n, const ElementPath& p, const ElementPath& q) {
    const ElementExtent p0(n, p.start), p1(n, p.then), q0(n, q.start), q1(n, q.then);
    const Quad above_0 = p0.lo - q0.hi, below_0 = q0.lo - p0.hi;
    const Quad above_1 = p1.lo - q1.hi, below_1 = q1.lo - p1.hi;
    const QuadMask above = min(above_0, above_1) > min(below_0, below_1);
    start = select(above, above_0, below_0);
    then = select(above, above_1, below_1);
  }
};

bool share_vertex(const Face& a, const Face& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](Index v) { return v == b[0] || v == b[1] || v == b[2]; });
}

/// Bounds the speed at which a point of one element approaches a point of the other.
double speed_between(const StepFrames& frames, const Face& a, const Face& b) {
  const auto motion = [&](Index v) { return frames.end[v] - frames.start[v]; };
  const Vec3d base = motion(b[0]);
  const auto fastest = [&](const Face& f) {
    double speed = 0;
    for (const Index v : f) speed = std::max(speed, norm(motion(v) - base));
    return speed;
  };
  return (fastest(a) + fastest(b)) * (1 + 0x1p-40);
}

/// Two elements from the start up to the cutoff.
///
/// Proves that they are apart: heights relative to a vertex are at most the diagonal, and a dot
/// product, including the displacement up to the cutoff, errs by less than 16 rounding errors of
/// this size. A gap that is positive at two times is positive between them.
///
/// The available directions and the cutoff depend on the order of work. Therefore a pair is
/// excluded only if its elementary tests would not report it, whatever the cutoff. They report no
/// pair beyond the tolerance, unless a budget runs out; with a budget, there is only one order of
/// work.
class ElementPair {
 public:
  ElementPair(const StepProblem& problem, const Face& a, const Face& b, double diagonal)
      : frames_(problem.frames),
        a_(a),
        b_(b),
        cutoff_(problem.cutoff.load(std::memory_order_relaxed)),
        tolerance_(problem.linear.tolerance),
        rounding_(0x1p-47 * diagonal),
        least_(problem.linear.separation * (1 + 0x1p-40) + rounding_),
        p_(frames_, a, frames_.start[b[0]], cutoff_),
        q_(frames_, b, frames_.start[b[0]], cutoff_) {}

  /// Tries the direction `first`, if given, and the directions of the two elements.
  ApartFor try_all(const Vec3d* first) {
    const Vec3d normal = p_.normal();
    // After a short time, the sides have hardly changed.
    const bool late = cutoff_ > 0x1p-4;
    if (are_apart_along(side_by_side(first ? *first : normal, normal, q_.normal(), normal)) ||
        are_apart_across(p_.then, q_.then) || (late && are_apart_across(p_.start, q_.start)))
      return ApartFor::lastingly;
    return at_start_ ? ApartFor::at_start : ApartFor::no;
  }
  /// Returns the direction that separated the elements.
  const Vec3d& direction() const { return direction_; }

 private:
  /// Returns whether one of four directions separates the elements up to the cutoff.
  bool are_apart_along(const Vec3q& n) {
    const Quad length = sqrt(dot(n, n)), zero{};
    const QuadMask counts = length > smallest;
    const Heights heights(n, p_, q_);
    if (bits(counts & (heights.start > length * rounding_)) == 0) return false;
    at_start_ = true;
    const Gaps gaps{heights.start - length * least_, heights.then - length * least_};
    const QuadMask open = counts & (gaps.start > zero) & (gaps.then > zero);
    if (bits(open) == 0) return false;
    unsigned found = bits(open & (min(gaps.start, gaps.then) > length * tolerance_));
    if (found == 0) found = bits(open & pass_unseen(gaps, length));
    if (found == 0) return false;
    direction_ = lane(n, std::countr_zero(found));
    return true;
  }

  /// Does the same for the cross products of two sides, one of each element, at one time. Two
  /// separate triangles are separated by a normal or by such a direction. If they are coplanar,
  /// these directions are their normal, and the feature tests decide.
  bool are_apart_across(const ElementPath::Three& at_p, const ElementPath::Three& at_q) {
    const auto [u, v, w] = sides_of(at_q);
    const Vec3q sides = side_by_side(u, v, w, w);
    const auto [x, y, z] = sides_of(at_p);
    return are_apart_along(cross(x, sides)) || are_apart_along(cross(y, sides)) ||
           are_apart_along(cross(z, sides));
  }

  /// Distances beyond the separation, at the start and at the cutoff.
  struct Gaps {
    Quad start, then;
  };

  /// Returns whether the elementary test reports no contact of the pair within the tolerance
  /// either.
  ///
  /// The test reports a contact if its advances are too short, or if it takes more advances than
  /// its patience. Half of the patience is reserved for rounding. With a speed v, an advance at a
  /// gap g takes at least g / v. Let g be the line between two gaps, which changes by w. Up to the
  /// cutoff c, v c / g advances suffice for the smaller of the gaps. With each advance, a growing
  /// gap grows by a factor of at least 1 + w / v until it is beyond the tolerance, and a falling
  /// gap falls by a factor of at least 1 - w / v. In n advances, both change by more than a factor
  /// of (1 + n w / v / 4)^4.
  QuadMask pass_unseen(const Gaps& gaps, const Quad& length) {
    constexpr double most = patience / 2;
    if (speed_ < 0) speed_ = speed_between(frames_, a_, b_);
    const Quad speed = length * speed_, less = min(gaps.start, gaps.then);
    const Quad more =
        select(gaps.then > gaps.start, min(gaps.then, length * tolerance_), gaps.start);
    const Quad root = abs(gaps.then - gaps.start) / (speed * cutoff_) * (most / 4 - 1) + 1;
    const Quad square = root * root;
    const QuadMask few = (less * most > speed * cutoff_) | (less * square * square > more);
    return few & (less > speed * (8 * settled));
  }

  const StepFrames& frames_;
  const Face &a_, &b_;
  double cutoff_, tolerance_, rounding_, least_;
  ElementPath p_, q_;
  double speed_ = -1;  ///< unknown if negative; computed on demand
  bool at_start_ = false;
  Vec3d direction_{0, 0, 0};
};

}  // namespace

ApartFor Tester::are_apart(const Face& a, const Face& b, double diagonal) {
  if (share_vertex(a, b)) return ApartFor::no;
  ++stats.bv_tests;
  ElementPair pair(problem_, a, b, diagonal);
  // With all contacts, the counters must not depend on the order of work. With the first contact
  // they do anyway.
  const ApartFor apart = pair.try_all(problem_.all_contacts ? nullptr : &trace_.separating);
  if (apart == ApartFor::lastingly) trace_.separating = pair.direction();
  return apart;
}

}  // namespace toccata
