// Contacts of a deforming mesh during one step, in which vertices move linearly from one frame to
// the next. The methods differ in their search for candidate pairs, not in the tests.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "toccata/narrow/linear/contact.hpp"
#include "toccata/query/deforming/features.hpp"
#include "toccata/query/deforming/frames.hpp"
#include "toccata/walk/contact.hpp"

namespace toccata {

/// Methods to find candidate pairs. docs/methods.md compares them.
enum class StepMethod : std::uint8_t { automatic, bvh, clusters };

constexpr Count no_budget = std::numeric_limits<Count>::max();

struct StepOptions {
  StepMethod method = StepMethod::automatic;
  double separation = 0;  ///< distance that counts as contact
  double tolerance = 0;   ///< 0: a millionth of the diagonal of the box around both frames
  bool all_contacts = false;
  unsigned threads = 1;
  Count budget = no_budget;  ///< largest number of planes that all tests may try together
};

/// Ignored pairs, in addition to pairs that share a vertex.
struct Exceptions {
  std::vector<Index> identity;  ///< vertices of equal identity count as one; empty: all differ
  std::vector<Index> group;     ///< group of each vertex, 0..group_count - 1; empty: one group
  Index group_count = 0;
  std::vector<bool> ignored;  ///< group_count x group_count, symmetric
};

/// A contact of two features: a vertex and a face, or two edges.
struct PairContact {
  Index a, b;
  LinearContact contact;
};

using PairContacts = UninitializedVector<PairContact>;

/// Pairs of an edge and a face.
using EdgeFaces = UninitializedVector<std::array<Index, 2>>;

struct StepStats {
  Count bv_tests = 0;  ///< number of tests of bounding volumes, including volumes of features
  Count elementary_tests = 0;  ///< number of pairs of features that reached the certified test
  /// Number of patches, and of clusters of merged patches. Both are 0 without clusters.
  Count leaf_clusters = 0, intermediate_clusters = 0;
  double seconds_clustering = 0, seconds_hierarchy = 0, seconds_traversal = 0;
};

/// Leaf and intermediate cluster of each face, by ids that need not be consecutive.
struct FaceClusters {
  AtomicIndices patches, clusters;

  Index patch(Index face) const { return patches[face].load(std::memory_order_relaxed); }
  Index cluster(Index face) const { return clusters[face].load(std::memory_order_relaxed); }
};

/// Answer for a step. `safe_until` and `toc` as in `Contact`. Pairs are sorted by their ids.
struct StepContacts {
  Status status = Status::free;
  double toc = infinity;
  double safe_until = 1;
  double tolerance = 0;
  PairContacts vertex_face, edge_edge;  ///< the earliest contact, or all
  EdgeFaces initial_edge_face;          ///< edges that pierce faces at the start
  /// Data of the earliest contact. `feature` is `Feature::none` without a contact.
  Feature feature = Feature::none;
  PairContact earliest{-1, -1, {}};
  Vec3d point_a = nowhere, point_b = nowhere, normal = nowhere;
  StepStats stats;
  std::shared_ptr<const FaceClusters> clusters;  ///< null if the method made none
};

struct StepMemory;

/// Computes the contacts of a step. `workspace` may come from any other step. If another thread is
/// using it, this step makes its own. It has no influence on the pairs that touch, but on which of
/// the pairs that only come within the tolerance are reported.
StepContacts step_contacts(const Features& features, const Exceptions& exceptions,
                           const StepFrames& frames, const StepOptions& options,
                           StepMemory& workspace);
StepContacts step_contacts(const Features& features, const Exceptions& exceptions,
                           const StepFrames& frames, const StepOptions& options);

}  // namespace toccata
