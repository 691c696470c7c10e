// Contacts of a deforming mesh during one step: vertices move on straight lines from one frame to
// the next. The methods differ in how they find candidates, not in the tests.
#pragma once

#include <limits>
#include <vector>

#include "toccata/narrow/linear/contact.hpp"
#include "toccata/query/deforming/features.hpp"
#include "toccata/query/deforming/frames.hpp"
#include "toccata/walk/contact.hpp"

namespace toccata {

/// Ways to find the pairs of features that may touch; docs/methods.md compares them.
enum class StepMethod : std::uint8_t { automatic, bvh, clusters };

constexpr Count no_budget = std::numeric_limits<Count>::max();

struct StepOptions {
  StepMethod method = StepMethod::automatic;
  double separation = 0;  ///< distance that counts as contact
  double tolerance = 0;   ///< 0: a millionth of the diagonal of the box around both frames
  bool all_contacts = false;
  unsigned threads = 1;
  Count budget = no_budget;  ///< planes that all tests of the step may try together
};

/// Which pairs are not tested, beyond those that share a vertex.
struct Exceptions {
  std::vector<Index> identity;  ///< vertices of equal identity count as one; empty: all differ
  std::vector<Index> group;     ///< of each vertex, 0..group_count - 1; empty: one group
  Index group_count = 0;
  std::vector<bool> ignored;  ///< group_count x group_count, symmetric
};

/// Two features that touch: vertex and face, or two edges.
struct PairContact {
  Index a, b;
  LinearContact contact;
};

using PairContacts = UninitializedVector<PairContact>;

/// Edges and faces.
using EdgeFaces = UninitializedVector<std::array<Index, 2>>;

struct StepStats {
  Count bv_tests = 0;          ///< pairs of bounding volumes, those of features included
  Count elementary_tests = 0;  ///< pairs of features that reached the certified test
  Count leaf_clusters = 0, intermediate_clusters = 0;
  double seconds_clustering = 0, seconds_hierarchy = 0, seconds_traversal = 0;
};

/// `safe_until` and `toc` as in `Contact`. Pairs are sorted by their ids.
struct StepContacts {
  Status status = Status::free;
  double toc = infinity;
  double safe_until = 1;
  double tolerance = 0;
  PairContacts vertex_face, edge_edge;  ///< the earliest, or all
  EdgeFaces initial_edge_face;          ///< edges that pierce faces at the start
  /// Of the earliest contact; `feature` is none when there is no such pair.
  Feature feature = Feature::none;
  PairContact earliest{-1, -1, {}};
  Vec3d point_a = nowhere, point_b = nowhere, normal = nowhere;
  StepStats stats;
};

struct StepMemory;

/// `memory` may have served any other step; if it serves one at this moment, this step gets its
/// own. It has no influence on which pairs touch, only on which are reported of those that come
/// within the tolerance and do not touch.
StepContacts step_contacts(const Features& features, const Exceptions& exceptions,
                           const StepFrames& frames, const StepOptions& options,
                           StepMemory& memory);
StepContacts step_contacts(const Features& features, const Exceptions& exceptions,
                           const StepFrames& frames, const StepOptions& options);

}  // namespace toccata
