// The first contact among candidate pairs of a scene.
#pragma once

#include "toccata/query/setting/known_contacts.hpp"
#include "toccata/query/setting/many_bodies.hpp"
#include "toccata/query/setting/open_pairs.hpp"
#include "toccata/walk/earliest_first.hpp"

namespace toccata {

/// method="auto" for scenes: one best-first traversal of all candidate pairs. Reuses its buffers
/// across queries; one per thread.
class SceneSearch {
 public:
  /// Returns the first contact. The world must outlive the last `resume`. `known` may be null.
  SceneContact run(const ManyBodies& setting, std::vector<Candidate> candidates,
                   const KnownContacts* known = nullptr);

  /// Continues the last `run`, which ended in a contact, with a smaller separation for all pairs.
  /// All proofs so far are also valid for it.
  SceneContact resume(double separation);

 private:
  void search();

  std::optional<ManyBodies> setting_;
  std::vector<Candidate> candidates_;
  OpenPairs<ManyBodies> pairs_;
  EarliestFirst<OpenPairs<ManyBodies>> walk_;
  SceneContact found_;
};

/// Returns the first contact among candidate pairs, by the method of the options. `known` serves
/// sequences with method="auto"; it may be null.
SceneContact first_contact_among(const ManyBodies& setting, std::vector<Candidate> candidates,
                                 const KnownContacts* known = nullptr);

}  // namespace toccata
