// The end of every walk over a deforming mesh: tests of candidate pairs, and what they found.
#pragma once

#include <atomic>

#include "toccata/query/deforming/step.hpp"

namespace toccata {

/// What all threads of one query share.
struct StepProblem {
  const Features& features;
  const Exceptions& exceptions;
  StepFrames frames;
  LinearOptions linear;
  bool all_contacts;
  StepMemory& memory;
  Count budget = no_budget;
  /// First contact: no pair is interesting after this time. It only falls, so a stale value is
  /// safe.
  mutable std::atomic<double> cutoff{1};

  /// What was left of a budget would depend on who comes first. So one thread takes all from it, in
  /// an order that depends on nothing but the question.
  bool has_budget() const { return budget != no_budget; }
};

/// How long two elements are known to be apart: not at all; at the start, so that no edge of one
/// passes through the other there; or up to the cutoff and so far that none of their features would
/// be reported.
enum class ApartFor : std::uint8_t { no, at_start, lastingly };

/// Tests pairs for one thread and keeps what touches. Apart in memory from those of other threads,
/// since it counts all the time.
class alignas(128) Tester {
 public:
  explicit Tester(const StepProblem& problem) : problem_(problem) {}

  void vertex_face(Index vertex, Index face);
  void edge_edge(Index a, Index b);
  /// Whether the edge passes through the face at the start, or from the start on.
  void edge_face(Index edge, Index face);

  /// Whether two elements are apart along their normals, across two of their sides or, for the
  /// first contact, along the direction that showed the last pair to be apart. `diagonal` bounds
  /// the distances of all vertices.
  ApartFor are_apart(const Face& a, const Face& b, double diagonal);

  /// Rounded up, and by more than the rounding of the packed test.
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

/// Joins what the threads found, sorts it and finds the earliest.
StepContacts collect(const StepProblem& problem, std::span<Tester> testers);

}  // namespace toccata
