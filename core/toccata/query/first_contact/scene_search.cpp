// First contact of a scene: a common queue for method="auto", or pair by pair for other methods.
#include "toccata/query/first_contact/scene_search.hpp"

#include <algorithm>

#include "toccata/base/of_thread.hpp"
#include "toccata/query/first_contact/first_contact.hpp"
#include "toccata/query/setting/start.hpp"

namespace toccata {
namespace {

/// Searches one pair after the other, each up to the earliest contact so far.
SceneContact search_pairs(const ManyBodies& setting, std::span<const Candidate> candidates) {
  SceneContact best;
  ManyBodies left = setting;
  Options& rest = left.query.options;
  for (const Candidate& candidate : candidates) {
    if (candidate.earliest >= rest.cutoff) break;
    ++best.pairs_tested;
    Contact contact = first_contact(left.world.body(candidate.a), left.world.body(candidate.b),
                                    left.options_of(candidate));
    rest.budget = std::max(rest.budget - contact.stats.work, Count{1});
    contact.stats += best.contact.stats;
    const double tolerance = std::max(best.contact.tolerance, contact.tolerance);
    best.contact.stats = contact.stats;
    best.contact.tolerance = tolerance;
    if (contact.status == Status::free) continue;
    // The broad phase may have proven more than an interrupted traversal.
    if (contact.status == Status::undecided)
      contact.toc = contact.safe_until = std::max(contact.toc, candidate.earliest);
    // If a pair is undecided from a time on, the answer is undecided from this time on. Only
    // earlier contacts of other pairs still count.
    best.contact = contact;
    ManyBodies::name(candidate, best);
    rest.cutoff = contact.toc;
    if (contact.toc <= 0) break;
  }
  return best;
}

}  // namespace

SceneContact SceneSearch::run(const ManyBodies& setting, std::vector<Candidate> candidates,
                              const KnownContacts* known) {
  candidates_ = std::move(candidates);
  setting_.emplace(setting);
  Options& options = setting_->query.options;
  found_ = {};
  if (has_unclear(*setting_, candidates_, options, found_)) {
    found_.pairs_tested = 1;
    return found_;
  }
  std::optional<Recalled> recalled;
  if (known)
    recalled = recall_earliest(*setting_, candidates_, *known, options, found_.contact.stats);
  pairs_.start(*setting_, candidates_);
  walk_.start(pairs_, options.cutoff, options.budget);
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    walk_.add(static_cast<Index>(i), candidates_[i].earliest);
  search();
  if (recalled && found_.contact.status == Status::free)
    conclude_recalled(*setting_, *recalled, found_);
  test_inside(*setting_, candidates_, found_);
  return found_;
}

SceneContact SceneSearch::resume(double separation) {
  setting_->query.options.separation = separation;
  pairs_.set_separation(separation);
  found_.contact = Contact{.stats = found_.contact.stats};
  found_.body_a = found_.body_b = -1;
  search();
  return found_;
}

void SceneSearch::search() {
  Contact& contact = found_.contact;
  while (!walk_.is_over() && contact.status == Status::free) walk_.step(contact);
  found_.pairs_tested = pairs_.size();
  if (contact.status == Status::free) {
    contact.tolerance = pairs_.largest_tolerance(setting_->query.options.tolerance);
  } else {
    const Index last = walk_.last_pair();
    name_contact(*setting_, pairs_.candidate(last), pairs_[last].pair(), found_);
  }
}

SceneContact first_contact_among(const ManyBodies& setting, std::vector<Candidate> candidates,
                                 const KnownContacts* known) {
  return setting.query.options.method == Method::automatic
             ? of_thread<SceneSearch>().run(setting, std::move(candidates), known)
             : search_pairs(setting, candidates);
}

}  // namespace toccata
