// Two features that touch at the start because a crack runs between them: first contact after that.
#pragma once

#include "toccata/narrow/linear_contact.hpp"

namespace toccata {

/// The first contact after the start of features that have a point in common there: at least one
/// difference of their vertices is zero at the start, and not at the end. Contact at 0 if they are
/// not shown to come apart from there. The separation does not count: they begin within it.
template <PairKind kind>
LinearContact contact_after_start(const LinearPair& pair, const LinearOptions& options,
                                  double cutoff);

}  // namespace toccata
