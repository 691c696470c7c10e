// Method "bvh": a tree of 16-DOPs over all elements, rebuilt for each step and walked against
// itself. It is what He et al. 2015 compare their clusters with.
#pragma once

#include "toccata/query/deforming/kdop_walk.hpp"

namespace toccata {

StepContacts contacts_by_bvh(const StepProblem& problem, const LocalFrame& local, unsigned threads);

}  // namespace toccata
