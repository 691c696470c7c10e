// Contacts of earlier queries, as coherence for the next queries of a sequence.
//
// The triangles of the last contact give an early upper bound of the time of contact (motion
// coherence of Tang et al. 2013, section 5.3.1). They are hints: any two triangles give a valid
// bound, so the setting may change between queries.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>

#include "toccata/base/claim.hpp"
#include "toccata/base/interruption.hpp"
#include "toccata/query/setting/start.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/pair_source.hpp"

namespace toccata {

/// The elements of the last contact of each pair of bodies. Concurrent queries work without them.
class KnownContacts {
 public:
  InUse in_use;

  /// Key of a pair: link, link or -1, body of the world or -1. In a scene: body, -1, body.
  using Bodies = std::array<Index, 3>;

  void keep(const Bodies& bodies, const ElementPair& elements) { known_[bodies] = elements; }
  bool empty() const { return known_.empty(); }

  /// Returns the elements of a pair's last contact, if both still exist.
  template <Setting S>
  std::optional<ElementPair> of(const S& setting, const Candidate& candidate) const {
    if (known_.empty()) return std::nullopt;
    const bool is_link = candidate.links >= 0;
    const auto found =
        known_.find({candidate.a, is_link ? candidate.b : -1, is_link ? -1 : candidate.b});
    if (found == known_.end()) return std::nullopt;
    const ElementPair elements = found->second;
    if (!has_element(setting.mesh_a(candidate), elements.a) ||
        !has_element(setting.mesh_b(candidate), elements.b))
      return std::nullopt;
    return elements;
  }

 private:
  static bool has_element(const Mesh& mesh, Index element) {
    const std::size_t count = mesh.surface() ? mesh.cells().size() : mesh.faces().size();
    return static_cast<std::size_t>(element) < count;
  }

  std::map<Bodies, ElementPair> known_;
};

/// Two elements that touch at `time`.
struct Recalled {
  double time;
  Candidate candidate;
  ElementPair elements;
  TriangleApproach triangles;
};

/// Advances two elements that are apart before `time`, until they touch or reach the cutoff. Gives
/// up after a few advances, or when the budget runs out.
template <TraversedPair Bodies>
std::optional<Recalled> advance_known(Bodies& bodies, const Candidate& candidate,
                                      const ElementPair& elements, Options& options, Stats& stats) {
  constexpr int most_advances = 64;
  double time = candidate.first_window();
  for (int k = 0; k < most_advances && time < options.cutoff && spend(options.budget); ++k) {
    const Span window = bodies.window(time);
    ++stats.elementary_tests;
    const LeafApproach leaf =
        approach_leaves(bodies.pair(), bodies.at(window), elements.a, elements.b);
    if (leaf.touches) return Recalled{time, candidate, elements, leaf.triangles};
    if (!(leaf.step > 0)) break;
    const bool ends = window.end < std::min(options.cutoff, 1.0);
    time = ends ? std::min(time + leaf.step, window.end) : time + leaf.step;
  }
  return std::nullopt;
}

/// Returns the earliest contact of elements that touched in earlier queries. Makes its time the
/// cutoff, and subtracts the work from the budget.
template <Setting S>
std::optional<Recalled> recall_earliest(S& setting, std::span<const Candidate> candidates,
                                        const KnownContacts& known, Options& options,
                                        Stats& stats) {
  std::optional<Recalled> earliest;
  for (const Candidate& candidate : candidates) {
    const std::optional<ElementPair> elements = known.of(setting, candidate);
    if (!elements) continue;
    typename S::Bodies bodies(setting, candidate);
    if (bodies.is_at_rest()) continue;
    if (const auto found = advance_known(bodies, candidate, *elements, options, stats)) {
      earliest = found;
      options.cutoff = found->time;
    }
  }
  return earliest;
}

/// Makes a recalled contact the answer. The caller has proven that all pairs are free before it.
template <Setting S>
void conclude_recalled(S& setting, const Recalled& recalled, typename S::Found& found) {
  const auto& [time, candidate, elements, triangles] = recalled;
  record(found.contact, time, elements.a, elements.b, triangles);
  const typename S::Bodies bodies(setting, candidate);
  name_contact(setting, candidate, bodies.pair(), found);
}

}  // namespace toccata
