#include "toccata/motion/spline.hpp"

#include <algorithm>

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

/// Slopes at the knots: of the parabola through three neighbours, of the chord at both ends.
std::vector<Vec3d> slopes(std::span<const double> times, const std::vector<Vec3d>& chords) {
  const std::size_t count = chords.size();
  std::vector<Vec3d> rates(count + 1);
  for (std::size_t i = 0; i < count; ++i) rates[i] = chords[i] * (1 / (times[i + 1] - times[i]));
  std::vector<Vec3d> result(count + 1);
  result[0] = rates[0];
  result[count] = rates[count - 1];
  for (std::size_t i = 1; i < count; ++i) {
    const double before = times[i] - times[i - 1], after = times[i + 1] - times[i];
    result[i] = (rates[i - 1] * after + rates[i] * before) * (1 / (before + after));
  }
  return result;
}

}  // namespace

Spline::Spline(std::span<const double> times, std::span<const Pose> poses) {
  expects(times.size() == poses.size() && times.size() >= 2, "times",
          "expected as many times as poses, at least two");
  expects(times.front() == 0 && times.back() == 1, "times", "expected to run from 0 to 1");
  const std::size_t count = times.size() - 1;
  std::vector<Vec3d> moves(count), turns(count);
  for (std::size_t i = 0; i < count; ++i) {
    expects(times[i] < times[i + 1], "times", "expected strictly rising numbers", times[i + 1]);
    moves[i] = poses[i + 1].translation - poses[i].translation;
    turns[i] = rotation_between(poses[i].rotation, poses[i + 1].rotation);
  }
  const auto velocities = slopes(times, moves), spins = slopes(times, turns);
  for (std::size_t i = 0; i < count; ++i) {
    pieces_.push_back(make_piece(times[i], times[i + 1], poses[i], poses[i + 1],
                                 {velocities[i], velocities[i + 1]}, {spins[i], spins[i + 1]}));
  }
  bound_positions();
}

/// What depends on squares of lengths.
void Spline::bound_positions() {
  extent_ = 0;
  for (Piece& piece : pieces_) {
    piece.acceleration = acceleration_of(piece);
    for (const Vec3d& term : piece.position) extent_ = std::max(extent_, norm(term));
  }
}

double Spline::acceleration_of(const Piece& piece) {
  // The second derivative is linear in u: the larger end bounds it.
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

Spline::Piece Spline::make_piece(double start, double end, const Pose& a, const Pose& b,
                                 const Vec3d (&velocity)[2], const Vec3d (&spin)[2]) {
  const double h = end - start;
  Piece piece;
  piece.start = start;
  piece.length = h;
  const Vec3d chord = b.translation - a.translation, v0 = velocity[0] * h, v1 = velocity[1] * h;
  piece.position[0] = a.translation;
  piece.position[1] = v0;
  piece.position[2] = chord * 3.0 - v0 * 2.0 - v1;
  piece.position[3] = v0 + v1 - chord * 2.0;

  piece.rotation = to_matrix(to_quat(a.rotation));
  piece.turn[0] = spin[0] * (h / 3);
  piece.turn[2] = spin[1] * (h / 3);
  const Quat rest = conjugate(exp_rotation(piece.turn[2])) * to_quat(b.rotation) *
                    conjugate(to_quat(a.rotation)) * conjugate(exp_rotation(piece.turn[0]));
  piece.turn[1] = log_rotation(normalized(rest));
  // With weights b0' = 3(1-u)^2, b1' = 6u(1-u), b2' = 3u^2 the spin is at most
  // 3 max(w0, w2) + 1.5 w1, since b0' + b2' <= 3. Its derivative has the terms |b''| w <= 6 w and
  // the products of two rates, whose weights peak at b0'b1', b1'b2' <= 1.9 and b0'b2' <= 9/16.
  const double w0 = norm(piece.turn[0]), w1 = norm(piece.turn[1]), w2 = norm(piece.turn[2]);
  const double speed = 3 * std::max(w0, w2) + 1.5 * w1;
  const double change = 6 * (w0 + w1 + w2) + 1.9 * w1 * (w0 + w2) + 0.5625 * w0 * w2;
  piece.turning = (speed * speed + change) / (h * h) * (1 + 0x1p-40);
  return piece;
}

const Spline::Piece& Spline::piece(double t) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), t,
                                      [](double time, const Piece& p) { return time < p.start; });
  return after == pieces_.begin() ? *after : *(after - 1);
}

Pose Spline::pose(double t) const { return state(t, t).pose; }

MotionState Spline::state(double t, double end) const {
  const Piece& p = piece(t);
  const double u = (t - p.start) / p.length, v = 1 - u;
  MotionState state;
  const auto& c = p.position;
  state.pose.translation = c[0] + (c[1] + (c[2] + c[3] * u) * u) * u;
  state.velocity = (c[1] + (c[2] * 2.0 + c[3] * (3 * u)) * u) * (1 / p.length);

  const Mat3d first = to_matrix(exp_rotation(p.turn[0] * (1 - v * v * v)));
  const Mat3d second = to_matrix(exp_rotation(p.turn[1] * (u * u * (3 - 2 * u))));
  const Mat3d third = to_matrix(exp_rotation(p.turn[2] * (u * u * u)));
  state.pose.rotation = third * (second * (first * p.rotation));
  const Vec3d inner = p.turn[1] * (6 * u * v) + second * (p.turn[0] * (3 * v * v));
  state.spin = (p.turn[2] * (3 * u * u) + third * inner) * (1 / p.length);
  for (const Piece* q = &p; q != pieces_.data() + pieces_.size() && q->start <= end; ++q) {
    state.acceleration = std::max(state.acceleration, q->acceleration);
    state.turning = std::max(state.turning, q->turning);
  }
  return state;
}

double Spline::error(double reach) const {
  double shortest = 1;
  for (const Piece& p : pieces_) shortest = std::min(shortest, p.length);
  // As for Twist, with more roundings; u = (t - start) / length magnifies that of t. The last factor
  // also keeps the bound above 2^-48 of all speeds, which are at most 6 extents and 14 reaches per
  // length of a piece: `MovingPair` relies on that.
  return 0x1p-43 * (4 * extent_ + 8 * reach) * (1 + 0x1p-3 / shortest);
}

}  // namespace toccata
