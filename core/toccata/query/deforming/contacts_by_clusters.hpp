// Method "clusters", after He et al. 2015: patches that provably do not touch themselves, a tree of
// 16-DOPs over them, and trees below them that are built only where a walk gets there.
#pragma once

#include "toccata/query/deforming/kdop_walk.hpp"

namespace toccata {

StepContacts contacts_by_clusters(const StepProblem& problem, const LocalFrame& local,
                                  unsigned threads);

/// The same with clusters that are renewed, if the last step was one of the same mesh.
StepContacts contacts_by_kept_clusters(const StepProblem& problem, const LocalFrame& local,
                                       unsigned threads);

}  // namespace toccata
