// Saved states of a simulation: everything that changes from step to step, as numbers.
#pragma once

#include <span>
#include <vector>

#include "toccata/dynamics/world/body_table.hpp"
#include "toccata/dynamics/world/contact_rows.hpp"

namespace toccata {

/// Counters of a simulation.
struct StepCounters {
  Count steps = 0;
  Index next_group = 0;  ///< number of the next bodies to fall asleep together
};

/// Returns the state as numbers, in the order of names.
std::vector<double> save_state(const StepCounters& counters, BodyTable& table,
                               std::vector<SimulatedPair>& pairs);

/// Restores the state of the same bodies, and of pairs with contacts. Checks the numbers of an
/// untrusted state like those of a new start, and certifies none of its bodies. Throws
/// `invalid_argument`, and changes nothing, for a state of other bodies.
StepCounters restore_state(std::span<const double> state, bool is_trusted, BodyTable& table,
                           std::vector<SimulatedPair>& pairs);

}  // namespace toccata
