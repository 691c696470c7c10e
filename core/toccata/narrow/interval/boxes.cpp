// Separating axis tests of moving boxes with bounds that are linear in time.
#include "toccata/narrow/interval/boxes.hpp"

#include "toccata/narrow/box_axes.hpp"

namespace toccata {
namespace {

/// A bound value + slope * s for times s in [-1, 1].
struct Line {
  Pack value, slope;
};

/// Returns the chord of |value + slope * s|, which is an upper bound because the function is
/// convex.
Line magnitude(const Line& line) {
  const Pack start = abs(line.value - line.slope), end = abs(line.value + line.slope);
  return {(end + start) * 0.5f, (end - start) * 0.5f};
}

Line operator*(const Line& line, Pack factor) { return {line.value * factor, line.slope * factor}; }
Line operator+(const Line& a, const Line& b) { return {a.value + b.value, a.slope + b.slope}; }

/// Ranges at both ends of the window during which some axis separates the boxes.
struct Cuts {
  Pack from = broadcast(-1), to = broadcast(1);

  /// Uses that the boxes are apart by at least |distance| - reach - remainder along one axis.
  void cut(const Line& distance, const Line& reach, Pack remainder) {
    const Pack room = abs(distance.value) - reach.value - remainder;
    const Pack rate = flip_sign(distance.slope, distance.value) - reach.slope;
    const Pack zero = room / (abs(rate) + 1e-30f);
    const Mask closing = rate < 0.f;
    from = max(from, select(closing, zero, broadcast(-1)));
    to = min(to, select(closing, broadcast(1), -zero));
  }
};

/// The data that the tests of the fifteen axes share.
class Boxes {
 public:
  Boxes(const BoxLanes& x, const BoxLanes& y, const RelativeTaylor<float>& m, const BoxWindow& w)
      : ex_{x.axes.x, x.axes.y, x.axes.z},
        hx_{x.half.x, x.half.y, x.half.z},
        hy_{y.half.x, y.half.y, y.half.z},
        window_(w) {
    const Mat3p rotation{lift(m.rotation.x), lift(m.rotation.y), lift(m.rotation.z)};
    const Vec3p axes_y[3] = {y.axes.x, y.axes.y, y.axes.z}, spin = lift(m.spin);
    const Vec3p point = rotation * y.center + lift(m.offset);
    line_ = point - x.center;
    velocity_ = cross(spin, point) + lift(m.drift);
    for (int i = 0; i < 3; ++i) {
      ey_[i] = rotation * axes_y[i];
      dey_[i] = cross(spin, ey_[i]) * w.half;
      at_[i] = {dot(ex_[i], line_), dot(ex_[i], velocity_) * w.half};
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        cosine_[i][j] = {dot(ex_[i], ey_[j]), dot(ex_[i], dey_[j])};
        size_[i][j] = magnitude(cosine_[i][j]);
      }
    speed_ = norm(velocity_);
    distance_ = norm(line_);
    set_remainders(m, bend(m, point, w.half));
  }

  Cuts cuts() const {
    Cuts cuts;
    const BoxRadii<Line, Pack> radii{size_, hx_, hy_};
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      const Line radius_y = radii.of_y(i);
      cuts.cut(at_[i], {radius_y.value + hx_[i], radius_y.slope}, remainder_x_ + separation());
      const Line radius_x = radii.of_x(i);
      const Line at{dot(ey_[i], line_),
                    dot(ey_[i], velocity_) * window_.half + dot(dey_[i], line_)};
      cuts.cut(at, {radius_x.value + hy_[i], radius_x.slope}, remainder_y_ + separation());
      for (int j = 0; j < 3; ++j) {
        const Line &p = cosine_[i1][j], &q = cosine_[i2][j];
        const Line along{at_[i2].value * p.value - at_[i1].value * q.value,
                         at_[i2].value * p.slope - at_[i1].value * q.slope +
                             (at_[i2].slope * p.value - at_[i1].slope * q.value)};
        cuts.cut(along, radii.across(i, j), remainder_cross_ + separation() * axis_length(i, j));
      }
    }
    return cuts;
  }

  /// Returns the relative velocity at the center of the smaller box. The center of a long body that
  /// rotates may be at rest.
  Vec3p passing(Mask x_is_smaller, const Vec3f& spin) const {
    return velocity_ - select(x_is_smaller, cross(lift(spin), line_), Vec3p{});
  }

  /// Returns the sum of the boxes' extents along a velocity, times the path in half the window.
  Pack extent_times_path(const Vec3p& velocity) const {
    Pack sum{};
    for (int i = 0; i < 3; ++i)
      sum += hx_[i] * abs(dot(ex_[i], velocity)) + hy_[i] * abs(dot(ey_[i], velocity));
    return sum * window_.half;
  }

  Pack distance() const { return distance_; }
  /// Bounds the deviation of the centers from a straight path in half the window.
  Pack bent() const { return bent_; }
  /// Bounds the deviation by rotation of a point at distance 1.
  Pack turned() const { return turned_; }

 private:
  Pack separation() const { return broadcast(window_.separation); }

  /// Bounds |ex_i x ey_j| over the window from above, by the smallest |cosine|.
  Pack axis_length(int i, int j) const {
    if (!(window_.separation > 0)) return Pack{};
    const Line& c = cosine_[i][j];
    const Pack least = max(abs(c.value) - abs(c.slope) - turned_, Pack{});
    return sqrt(max(1 + 0x1p-18f - least * least, Pack{}));
  }

  /// Computes the remainders, for the second order of the motion and for rounding. With T the line
  /// between the centers and F an axis of y, |(F . T)''| <= |T''| + 2 |F'| |T'| + |F''| |T|, and
  /// the same for an axis e x F. A cosine errs by at most |F''| / 2, and so does its term of the
  /// boxes' reach.
  void set_remainders(const RelativeTaylor<float>& m, Pack bend) {
    const float h = window_.half, second = 0.5f * h * h * (1 + 0x1p-16f);
    turned_ = broadcast(second * m.turn2);
    bent_ = second * bend;
    const Pack fastest = speed_ + h * bend, farthest = distance_ + h * fastest;
    const Pack size_x = hx_[0] + hx_[1] + hx_[2], size_y = hy_[0] + hy_[1] + hy_[2];
    // Any sum of products of these magnitudes has fewer than 2^6 rounding errors. The axes of boxes
    // are orthonormal only to 2^-22, and the formulas of the cross products assume exact
    // orthonormality.
    const Pack rounding = 0x1p-18f *
                          ((distance_ + size_x + size_y) * (1 + h * m.turn) + h * speed_);
    const Pack fixed_axis = window_.slack + rounding + second * bend;
    const Pack rotating_axis = fixed_axis + second * (2 * m.turn * fastest + m.turn2 * farthest);
    remainder_x_ = fixed_axis + turned_ * size_y;
    remainder_y_ = rotating_axis + turned_ * size_x;
    remainder_cross_ = remainder_y_ + turned_ * size_y;
  }

  Vec3p ex_[3];
  Pack hx_[3], hy_[3];
  BoxWindow window_;
  Vec3p ey_[3], dey_[3];   // axes of y, and their change in half the window
  Vec3p line_, velocity_;  // from the center of x to the center of y
  Line at_[3];             // line_ along the axes of x
  Line cosine_[3][3], size_[3][3];
  Pack speed_, distance_, turned_, bent_;
  Pack remainder_x_, remainder_y_, remainder_cross_;
};

}  // namespace

BoxLanes one_lane(const WideNode& node, int lane) {
  const Volume v = volume<VolumeKind::box>(node, lane);
  return {{broadcast(v.axes.x), broadcast(v.axes.y), broadcast(v.axes.z)},
          broadcast(v.center),
          broadcast(v.half),
          broadcast(node.reach[lane])};
}

BoxWindow box_window(const RelativeTaylor<double>& motion, double half, double separation,
                     double error, double radius_x, double radius_y) {
  const double span = norm1(motion.offset) + radius_x + radius_y;
  const double speed = norm(motion.drift) + norm(motion.spin) * span;
  const double turned = half * half * motion.turn2;
  // A coordinate of a position is a sum of 4 products of factors that are rounded once: 2^-20 of
  // the coordinates would suffice. The same holds for velocities, and for the arms from which the
  // remainder is computed. In double precision, positions and velocities err by less than `error`.
  const double slack = 0x1p-19 * (span * (1 + turned) + half * speed) + 4 * error;
  return {static_cast<float>(half) * (1 + 0x1p-20f), static_cast<float>(slack) + 1e-30f,
          static_cast<float>(separation) * (1 + 0x1p-20f)};
}

BoxMeeting meet(const BoxLanes& x, const BoxLanes& y, const RelativeTaylor<float>& motion,
                const BoxWindow& window) {
  const Boxes boxes(x, y, motion, window);
  const Cuts cuts = boxes.cuts();
  const float h = window.half;
  const Pack smaller = min(x.reach, y.reach);
  const Mask x_is_smaller = x.reach < y.reach;
  const Vec3p passing = boxes.passing(x_is_smaller, motion.spin);
  const Pack moved = norm(passing) * h, turned = motion.turn * h * smaller;
  const Pack bent = boxes.bent() + select(x_is_smaller, boxes.turned() * boxes.distance(), Pack{});
  // The rotation of one body about the other is measured by the smaller body, relative to the size
  // of both. The bound of the path's curvature counts too: for violent motions it is the only term.
  const Pack share = moved * moved / (boxes.extent_times_path(passing) + 1e-30f) +
                     turned / (x.reach + y.reach + 1e-30f) +
                     bent / (smaller + 0x1p-4f * max(x.reach, y.reach) + 1e-30f);
  // Quotients are exact to 2^-20 between -1 and 1, where they matter.
  return {
      cuts.from - 0x1p-18f,  cuts.to + 0x1p-18f, 2 * share, 2 * (moved + turned + bent), smaller,
      max(x.reach, y.reach), boxes.distance()};
}

}  // namespace toccata
