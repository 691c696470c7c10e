// A single pair of bodies, as a setting.
#pragma once

#include "toccata/query/setting/setting.hpp"
#include "toccata/walk/rigid_view.hpp"

namespace toccata {

/// Two bodies with the options of a query.
struct TwoBodies {
  struct Bodies : RigidPair {
    Bodies(const TwoBodies& setting, const Candidate&)
        : RigidPair(setting.a, setting.b, setting.options) {}
  };
  using Found = Contact;

  Body a, b;
  Options options{};

  static std::vector<Candidate> find_candidates() { return {{0, 0, 1}}; }
  static std::vector<Candidate> reachable_pairs() { return {{0, 0, 1}}; }
  static std::vector<Candidate> candidates_at(double) { return {{0, 0, 1}}; }
  Options options_of(const Candidate&) const { return options; }
  static void name(const Candidate&, Contact&) {}
  static std::optional<Pose> frame_of(const Candidate&, double) { return std::nullopt; }
  static Index second_of(const Candidate& candidate) { return candidate.b; }
  const Mesh& mesh_a(const Candidate&) const { return a.mesh; }
  const Mesh& mesh_b(const Candidate&) const { return b.mesh; }
};

static_assert(Setting<TwoBodies>);

}  // namespace toccata
