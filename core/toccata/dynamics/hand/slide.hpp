// Proposals for a body moved by hand: the displacement nearest to the wanted one that keeps a
// distance from others. It is Gauss' projection on the linearized constraints of all proximities;
// the certifier checks it afterwards.
#pragma once

#include <array>

#include "toccata/dynamics/solver/projection.hpp"
#include "toccata/walk/proximities.hpp"

namespace toccata {

/// Translation of a body's center and rotation vector about it, world axes; or a velocity, or a
/// wrench.
struct Displacement {
  Vec3d linear{0, 0, 0}, angular{0, 0, 0};
};

constexpr Displacement operator*(const Displacement& d, double s) {
  return {d.linear * s, d.angular * s};
}

/// A body of the world that is carried from one pose to another during a substep.
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

/// The sliding body and the bodies around it.
struct Slider {
  const Mesh& mesh;
  std::span<const Carried> others;
  Pose pose;
  Vec3d center;   ///< center of mass, world
  Mat3d inertia;  ///< per unit of mass, world axes
};

/// Limits of linearized constraints.
struct SlideLimits {
  double shell;     ///< distance to keep
  double recovery;  ///< largest displacement out of the shell
  double translation, angle;

  /// Returns the largest portion of a displacement within the limits of translation and angle.
  double part_of(const Displacement& d) const;
};

/// Solves a sequence of projections. Near an equilibrium on curved contacts, linearized constraints
/// overshoot and the solution oscillates. A step that reverses the previous one is therefore
/// damped, by a secant estimate from the last two problems.
class Slide {
 public:
  /// Forgets the previous step.
  void restart() { has_last_ = false; }
  /// Takes note of the executed portion of the last solution.
  void executed(const Displacement& step) { last_step_ = step, has_last_ = true; }

  /// Returns the displacement nearest to `wanted`. `proximities` has all features of the body (a)
  /// and of others (b) that may meet.
  Displacement solve(const Slider& slider, std::span<const Proximity> proximities,
                     const Displacement& wanted, const SlideLimits& limits);

  /// Returns the velocity nearest to `velocity` in the mass metric that approaches no contact, so
  /// kinetic energy does not rise. Others have moved during `duration`.
  Displacement stop(const Slider& slider, std::span<const Proximity> proximities,
                    const Displacement& velocity, double duration);
  /// Returns the nearest acceleration in the same way. Contacts that separate at more than `least`
  /// speed do not constrain it.
  Displacement hold(const Slider& slider, std::span<const Proximity> proximities,
                    const Displacement& velocity, const Displacement& acceleration, double least);

  /// Returns the executable portion of the last displacement that satisfies all rows. Others may
  /// move by this portion only.
  double share() const { return share_; }
  /// Returns whether no displacement makes room for the others: they would crush the body.
  bool is_crushed() const { return is_crushed_; }
  /// Returns the force and torque of contacts that changed the wanted displacement.
  const Displacement& wrench() const { return wrench_; }

 private:
  void set_metric(const Mat3d& inertia);
  void set_rows(const Slider& slider, std::span<const Proximity> proximities,
                const SlideLimits& limits);
  void correct(const Slider& slider, std::span<const Proximity> proximities,
               const Displacement& by);
  Displacement project(const Displacement& wanted);
  void find_wrench();
  void set_rows_of_contacts(const Slider& slider, std::span<const Proximity> proximities);
  double damping(const Mat3d& inertia, const Displacement& whole) const;

  Projector projector_;
  std::array<double, 36> metric_{};
  std::vector<double> rows_, bounds_, corrected_;
  std::vector<double> pushes_;  // by row: displacement by moving bodies
  bool is_crushed_ = false;
  double share_ = 1;
  Displacement wrench_;
  Displacement last_whole_, last_step_;
  bool has_last_ = false;
};

}  // namespace toccata
