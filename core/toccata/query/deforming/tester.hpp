// Tests of candidate pairs of a deforming mesh, and collection of their results.
#pragma once

#include <atomic>

#include "toccata/query/deforming/step.hpp"

namespace toccata {

/// Data that all threads of one query share.
struct StepProblem {
  const Features& features;
  const Exceptions& exceptions;
  StepFrames frames;
  LinearOptions linear;
  bool all_contacts;
  StepMemory& workspace;
  Count budget = no_budget;
  /// For the first contact: contacts after this time are ignored. It only decreases, so an outdated
  /// value is safe.
  mutable std::atomic<double> cutoff{1};

  /// Returns whether the query has a budget. If so, one thread does all work, because the rest of a
  /// budget would otherwise depend on the order of threads.
  bool has_budget() const { return budget != no_budget; }
};

/// Time for which two elements are known to be apart: not at all; at the start, when no edge of one
/// passes through the other; or up to the cutoff, by so much that no test of their features would
/// report a contact.
enum class ApartFor : std::uint8_t { no, at_start, lastingly };

/// Tester of candidate pairs for one thread, with its results. Aligned to prevent false sharing,
/// because it updates counters all the time.
class alignas(128) Tester {
 public:
  explicit Tester(const StepProblem& problem) : problem_(problem) {}

  void vertex_face(Index vertex, Index face);
  void edge_edge(Index a, Index b);
  /// Tests whether the edge passes through the face at the start, or immediately after it.
  void edge_face(Index edge, Index face);

  /// Tests whether two elements are apart along their normals, along cross products of their sides
  /// or, for the first contact, along the direction that separated the previous pair. `diagonal`
  /// bounds the distances of all vertices.
  ApartFor are_apart(const Face& a, const Face& b, double diagonal);

  /// Returns the cutoff, rounded up by more than the rounding of the packed test.
  float cutoff() const {
    return static_cast<float>(problem_.cutoff.load(std::memory_order_relaxed)) * (1 + 0x1p-20f) +
           0x1p-20f;
  }

  PairContacts found_vertex_face, found_edge_edge;
  EdgeFaces pierced;
  StepStats stats;

 private:
  enum class Meeting : std::uint8_t { none, open, joined };

  template <PairKind kind>
  void test(const std::array<Index, 4>& points, Index a, Index b, PairContacts& found);
  template <PairKind kind>
  LinearContact contact_of(const std::array<Index, 4>& points, double cutoff);
  bool touch_later(const Edge& e, const Face& t);
  LinearOptions affordable() const;
  bool are_one(Index v, Index w) const;
  Meeting meeting(std::span<const Index> a, std::span<const Index> b) const;
  bool ignored(std::span<const Index> a, std::span<const Index> b) const;

  const StepProblem& problem_;
  Trace trace_;
};

/// Collects the results of all threads, sorts them and finds the earliest contact.
StepContacts collect(const StepProblem& problem, std::span<Tester> testers);

}  // namespace toccata
