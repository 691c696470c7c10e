// The motion of one body that is nearest to a wanted one and keeps others at a distance: Gauss'
// projection on rows of all that is near. A proposal: nothing here is certified.
#pragma once

#include <array>

#include "toccata/dynamics/solver/projection.hpp"
#include "toccata/walk/proximities.hpp"

namespace toccata {

/// How a body moves: its center, and about its center; world axes.
struct Displacement {
  Vec3d linear{0, 0, 0}, angular{0, 0, 0};
};

constexpr Displacement operator*(const Displacement& d, double s) {
  return {d.linear * s, d.angular * s};
}

/// A body that others slide along: it is carried from one pose to another meanwhile.
struct Carried {
  const Mesh* mesh;
  Pose before, after;
  bool moves;

  Vec3d moved(const Vec3d& point) const {
    if (!moves) return point;
    return after * transposed_times(before.rotation, point - before.translation);
  }
  Vec3d turned(const Vec3d& v) const {
    return moves ? after.rotation * transposed_times(before.rotation, v) : v;
  }
};

/// The body that slides, and what is around it.
struct Slider {
  const Mesh& mesh;
  std::span<const Carried> others;
  Pose pose;
  Vec3d center;   ///< of mass, world
  Mat3d inertia;  ///< by mass, world axes
};

/// How far linear rows are trusted.
struct SlideLimits {
  double shell;     ///< the distance that is kept
  double recovery;  ///< how far what is nearer is pushed out at most
  double way, angle;

  /// Which part of a displacement is within way and angle.
  double part_of(const Displacement& d) const;
};

/// Solves one problem after the other in the same memory. Near an equilibrium on curved contacts
/// rows lead too far, there and back again for ever: a turn back is taken only as far as the last
/// two problems say.
class Slide {
 public:
  /// What comes next has nothing to do with what was before.
  void restart() { has_last_ = false; }
  /// What was made of the last solution.
  void executed(const Displacement& step) { last_step_ = step, has_last_ = true; }

  /// Near are all features of the body (a) and of others (b) that it could meet.
  Displacement solve(const Slider& slider, std::span<const Proximity> near,
                     const Displacement& wanted, const SlideLimits& limits);

  /// Returns the velocity nearest to `velocity` in the mass metric that approaches no contact in
  /// `near`, so that no energy is gained. Others have been carried during `duration`.
  Displacement stop(const Slider& slider, std::span<const Proximity> near,
                    const Displacement& velocity, double duration);
  /// The same for an acceleration: contacts that are left at more than `least` speed do not hold.
  Displacement hold(const Slider& slider, std::span<const Proximity> near,
                    const Displacement& velocity, const Displacement& acceleration, double least);

  /// Which part of a displacement that keeps all rows the solution is: it keeps them if others are
  /// carried by that part only.
  double share() const { return share_; }
  /// Whether no displacement makes room for the others: they would crush the body.
  bool is_crushed() const { return is_crushed_; }
  /// Force and torque of contacts on the body, that changed the wanted displacement.
  const Displacement& wrench() const { return wrench_; }

 private:
  void set_metric(const Mat3d& inertia);
  void set_rows(const Slider& slider, std::span<const Proximity> near, const SlideLimits& limits);
  void correct(const Slider& slider, std::span<const Proximity> near, const Displacement& by);
  Displacement project(const Displacement& wanted);
  void find_wrench();
  void set_rows_of_contacts(const Slider& slider, std::span<const Proximity> near);
  double damping(const Mat3d& inertia, const Displacement& whole) const;

  Projector projector_;
  std::array<double, 36> metric_{};
  std::vector<double> rows_, bounds_, corrected_;
  std::vector<double> pushes_;  // how far each row is pushed by what moves
  bool is_crushed_ = false;
  double share_ = 1;
  Displacement wrench_;
  Displacement last_whole_, last_step_;
  bool has_last_ = false;
};

}  // namespace toccata
