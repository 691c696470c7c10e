// Contacts of few bodies without friction by Gauss' projection, which is exact for all mass ratios.
#pragma once

#include "toccata/dynamics/solver/contact_solver.hpp"
#include "toccata/dynamics/solver/projection.hpp"

namespace toccata {

/// Projection of the velocities of few bodies onto their contacts. Reuses its buffers across calls.
class SmallProjection {
 public:
  static bool is_small(std::size_t bodies, std::size_t contacts) {
    return bodies <= 6 && contacts <= 400;
  }

  /// Finds the velocities nearest to the given ones with all contacts at or above their targets.
  /// Returns whether there are any.
  bool solve(const BodyVelocities& bodies, const ContactPoints& contacts);

  /// Copies the solution to the velocities.
  void set_velocities(BodyVelocities& bodies) const;
  /// Copies the normal impulses of the solution; friction impulses remain.
  void set_pressures(ContactPoints& contacts) const;

 private:
  void set_bodies(const BodyVelocities& bodies);
  void set_rows(const BodyVelocities& bodies, const ContactPoints& contacts);

  Projector projector_;
  std::vector<double> metric_, target_, rows_, bounds_;
};

}  // namespace toccata
