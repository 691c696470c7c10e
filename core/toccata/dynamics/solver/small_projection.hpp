// Contacts of few bodies without friction: Gauss' projection, which is exact whatever they weigh.
#pragma once

#include "toccata/dynamics/solver/contact_solver.hpp"
#include "toccata/dynamics/solver/projection.hpp"

namespace toccata {

/// Keeps its memory from call to call.
class SmallProjection {
 public:
  static bool is_small(std::size_t bodies, std::size_t contacts) {
    return bodies <= 6 && contacts <= 400;
  }

  /// Velocities that are nearest to those given, with all contacts at their targets or above.
  /// Returns whether there are such.
  bool solve(const BodyVelocities& bodies, const ContactPoints& contacts);

  /// Takes over the solution.
  void set_velocities(BodyVelocities& bodies) const;
  /// Takes over what presses; friction stays as it is.
  void set_pressures(ContactPoints& contacts) const;

 private:
  void set_bodies(const BodyVelocities& bodies);
  void set_rows(const BodyVelocities& bodies, const ContactPoints& contacts);

  Projector projector_;
  std::vector<double> metric_, target_, rows_, bounds_;
};

}  // namespace toccata
