// Construction of splines without overshoot, and their states with bounds.
#include "toccata/motion/spline.hpp"

#include <algorithm>

#include "toccata/base/expects.hpp"

namespace toccata {

struct Spline::Span {
  double start, length;
  // To the next pose.
  Vec3d move, turn;
  // At both ends, multiplied by the length.
  Vec3d velocity[2];
  // Spins at both ends, multiplied by the length, in units of `turn`.
  double share_rate[2]{1, 1};
};

namespace {

bool are_equal(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Returns the rotation vector between two orientations, which is exactly zero if they are equal.
Vec3d turn_between(const Mat3d& a, const Mat3d& b) {
  if (are_equal(a.x, b.x) && are_equal(a.y, b.y) && are_equal(a.z, b.z)) return {0, 0, 0};
  return rotation_between(a, b);
}

/// Returns a slope between two adjacent pieces with which neither overshoots: the harmonic mean of
/// their slopes (Fritsch and Butland 1984), or 0 if these differ in sign.
///
/// Proves that neither overshoots: a cubic polynomial is monotone if its slopes at both ends are
/// between 0 and 3 times the slope of its chord (Fritsch and Carlson 1980). A piece of length k has
/// the weight h + 2 k beside a piece of length h. The mean is then at most 3 (h + k) / (h + 2 k) <
/// 3 times its slope.
double mean_slope(double before, double after, double h_before, double h_after) {
  if (before == 0 || after == 0 || (before > 0) != (after > 0)) return 0;
  const double w = h_before + 2 * h_after, v = h_after + 2 * h_before;
  return std::abs(before) <= std::abs(after) ? before * ((w + v) / (w + v * (before / after)))
                                             : after * ((w + v) / (v + w * (after / before)));
}

/// Returns whether two rotations are about one axis in the same direction, up to rounding. A
/// rotation vector errs by less than 2^-49. Therefore the cross product of two errs by less than
/// 2^-49 times the sum of their lengths.
bool have_one_axis(const Vec3d& a, const Vec3d& b) {
  return dot(a, b) > 0 && norm(cross(a, b)) <= 0x1p-46 * (norm(a) + norm(b));
}

Vec3d mean_slopes(const Vec3d& a, const Vec3d& b, double h, double k) {
  return {mean_slope(a.x, b.x, h, k), mean_slope(a.y, b.y, h, k), mean_slope(a.z, b.z, h, k)};
}

/// Computes the coefficients of u, u^2, u^3 of the cubic polynomial from 0 to `move`. At constant
/// rates the last two are exactly 0.
template <class T>
void hermite(const T& move, const T (&rate)[2], T* terms) {
  terms[0] = rate[0];
  terms[1] = (move - rate[0]) * 2.0 + (move - rate[1]);
  terms[2] = (rate[0] - move) + (rate[1] - move);
}

}  // namespace

std::vector<Spline::Span> Spline::spans(std::span<const double> times,
                                        std::span<const Pose> poses) {
  std::vector<Span> spans;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    expects(times[i] < times[i + 1], "times", "expected strictly rising numbers", times[i + 1]);
    const Vec3d move = poses[i + 1].translation - poses[i].translation;
    spans.push_back({times[i],
                     times[i + 1] - times[i],
                     move,
                     turn_between(poses[i].rotation, poses[i + 1].rotation),
                     {move, move}});
  }
  return spans;
}

Spline::Spline(std::span<const double> times, std::span<const Pose> poses, SplineKind kind)
    : kind_(kind) {
  expects(times.size() == poses.size() && times.size() >= 2, "times",
          "expected as many times as poses, at least two");
  expects(times.front() == 0 && times.back() == 1, "times", "expected to run from 0 to 1");
  std::vector<Span> all = spans(times, poses);
  if (kind == SplineKind::smooth)
    for (std::size_t i = 1; i < all.size(); ++i) smooth(all[i - 1], all[i]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Piece piece = make_piece(all[i], poses[i]);
    if (i > 0) {
      const Span &p = all[i - 1], &q = all[i];
      piece.spin_jump =
          norm(q.turn * (q.share_rate[0] / q.length) - p.turn * (p.share_rate[1] / p.length));
    }
    pieces_.push_back(piece);
  }
  bound_positions();
}

/// Computes the bounds that contain squares of lengths.
void Spline::bound_positions() {
  extent_ = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    piece.acceleration = acceleration_of(piece);
    if (kind_ == SplineKind::linear && i > 0) {
      const Piece& before = pieces_[i - 1];
      piece.velocity_jump =
          norm(piece.position[1] * (1 / piece.length) - before.position[1] * (1 / before.length));
    }
    has_kinks_ |= piece.velocity_jump > 0 || piece.spin_jump > 0;
    for (const Vec3d& term : piece.position) extent_ = std::max(extent_, norm(term));
  }
}

double Spline::acceleration_of(const Piece& piece) {
  // The second derivative is linear in u, so its larger end bounds it.
  const Vec3d bend = piece.position[2] * 2.0;
  return std::max(norm(bend), norm(bend + piece.position[3] * 6.0)) /
         (piece.length * piece.length) * (1 + 0x1p-40);
}

Spline Spline::scaled(int exponent) const {
  Spline spline = *this;
  for (Piece& piece : spline.pieces_)
    for (Vec3d& term : piece.position) term = toccata::scaled(term, exponent);
  spline.bound_positions();
  return spline;
}

double Spline::extent() const {
  double extent = 0;
  for (const Piece& piece : pieces_)
    for (const Vec3d& term : piece.position) extent = std::max(extent, largest(term));
  return extent;
}

/// Gives two spans a common velocity at the pose between them, with which neither overshoots. The
/// angles within a span add up to its total angle only if they are all about one axis. Therefore
/// the spin must be 0 at a pose where the axis changes.
void Spline::smooth(Span& before, Span& after) {
  const double h = before.length, k = after.length;
  const Vec3d velocity = mean_slopes(before.move * (1 / h), after.move * (1 / k), h, k);
  before.velocity[1] = velocity * h;
  after.velocity[0] = velocity * k;
  const double angle = norm(before.turn), next = norm(after.turn);
  const double spin = have_one_axis(before.turn, after.turn) ? mean_slope(angle / h, next / k, h, k)
                                                             : 0;
  before.share_rate[1] = spin > 0 ? spin * h / angle : 0;
  after.share_rate[0] = spin > 0 ? spin * k / next : 0;
}

Spline::Piece Spline::make_piece(const Span& span, const Pose& pose) {
  const double h = span.length;
  Piece piece;
  piece.start = span.start;
  piece.length = h;
  piece.position[0] = pose.translation;
  hermite(span.move, span.velocity, piece.position + 1);

  piece.rotation = to_matrix(to_quat(pose.rotation));
  piece.turn = span.turn;
  hermite(1.0, span.share_rate, piece.share);
  // The second derivative of the share is linear in u. Its first derivative is a mean of its three
  // Bernstein coefficients: the two ends and one between.
  const auto& s = piece.share;
  const double angle = norm(span.turn);
  const double rate = angle * std::max({s[0], std::abs(s[0] + s[1]), span.share_rate[1]});
  const double change = angle * std::max(std::abs(2 * s[1]), std::abs(2 * s[1] + 6 * s[2]));
  piece.turning = (rate * rate + change) / (h * h) * (1 + 0x1p-40);
  return piece;
}

const Spline::Piece& Spline::piece(double t) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), t,
                                      [](double time, const Piece& p) { return time < p.start; });
  return after == pieces_.begin() ? *after : *(after - 1);
}

MotionState Spline::state(double t, double end) const {
  const Piece& p = piece(t);
  const double u = (t - p.start) / p.length;
  MotionState state;
  const auto& c = p.position;
  state.pose.translation = c[0] + (c[1] + (c[2] + c[3] * u) * u) * u;
  state.velocity = (c[1] + (c[2] * 2.0 + c[3] * (3 * u)) * u) * (1 / p.length);

  const auto& s = p.share;
  const Vec3d turned = p.turn * ((s[0] + (s[1] + s[2] * u) * u) * u);
  state.pose.rotation = to_matrix(exp_rotation(turned)) * p.rotation;
  state.spin = p.turn * ((s[0] + (2 * s[1] + 3 * s[2] * u) * u) / p.length);
  double acceleration = 0, turning = 0;  ///< added by jumps
  for (const Piece* q = &p; q != pieces_.data() + pieces_.size() && q->start <= end; ++q) {
    state.acceleration = std::max(state.acceleration, q->acceleration);
    state.turning = std::max(state.turning, q->turning);
    if (q == &p || q->start == end) continue;
    // The middle of a window needs a weight of 4 / (end - t). Twice that also covers an `end` that
    // was rounded up by 2^-50. In even shorter windows, jumps have less effect than the rounding
    // error of positions.
    const double weight = std::max(1 / (q->start - t), 8 / (end - t)) * (1 + 0x1p-40);
    acceleration += q->velocity_jump * weight;
    turning += q->spin_jump * weight;
  }
  state.acceleration += acceleration;
  state.turning += turning;
  return state;
}

double Spline::error(double reach) const {
  double shortest = 1;
  for (const Piece& p : pieces_) shortest = std::min(shortest, p.length);
  // As for Twist, with more roundings; u = (t - start) / length magnifies the rounding of t. The
  // last factor also keeps the bound above 2^-48 of all speeds, which are at most 6 extents and 3
  // pi reaches per length of a piece. `MovingPair` relies on that.
  return 0x1p-43 * (4 * extent_ + 8 * reach) * (1 + 0x1p-3 / shortest);
}

}  // namespace toccata
