#include "toccata/query/rigid/scene_search.hpp"

#include <algorithm>
#include <tuple>

#include "toccata/query/rigid/first_contact.hpp"
#include "toccata/walk/inside.hpp"

namespace toccata {
namespace {

/// A body that starts inside a solid touches nothing.
void look_inside(const World& world, std::span<const SceneCandidate> candidates,
                 const SceneQuery& query, SceneContact& found) {
  if (found.contact.toc <= 0) return;
  for (const SceneCandidate& candidate : candidates) {
    if (candidate.earliest > 0) break;
    const auto [a, b] = candidate.bodies;
    if (world.body(a).mesh.solid().empty() && world.body(b).mesh.solid().empty()) continue;
    const MovingPair pair(world.body(a), world.body(b), query.of(candidate.bodies));
    if (!starts_inside(pair, found.contact.safe_until)) continue;
    found.contact = inside_at_start(found.contact.stats);
    found.contact.tolerance = pair.stated_tolerance();
    found.body_a = a, found.body_b = b;
    return;
  }
}

/// Whether rounding hides how a pair starts that may rest; then nothing is known.
bool has_unclear(const World& world, std::span<const SceneCandidate> candidates,
                 const SceneQuery& query, SceneContact& found) {
  if (query.options.initial != Initial::resting) return false;
  for (const SceneCandidate& candidate : candidates) {
    if (candidate.earliest > 0) break;
    const auto [a, b] = candidate.bodies;
    const MovingPair pair(world.body(a), world.body(b), query.of(candidate.bodies));
    if (!pair.is_unclear()) continue;
    found = {undecided_at_start(), a, b, 1};
    found.contact.tolerance = pair.stated_tolerance();
    return true;
  }
  return false;
}

}  // namespace

SceneContact search_pairs(const World& world, std::span<const SceneCandidate> candidates,
                          const SceneQuery& query) {
  SceneContact best;
  SceneQuery left = query;
  Options& rest = left.options;
  for (const SceneCandidate& candidate : candidates) {
    if (candidate.earliest >= rest.cutoff) break;
    ++best.pairs_tested;
    const auto [a, b] = candidate.bodies;
    Contact contact = first_contact(world.body(a), world.body(b), left.of(candidate.bodies));
    rest.budget = std::max(rest.budget - contact.stats.work, Count{1});
    contact.stats += best.contact.stats;
    const double tolerance = std::max(best.contact.tolerance, contact.tolerance);
    best.contact.stats = contact.stats;
    best.contact.tolerance = tolerance;
    if (contact.status == Status::free) continue;
    // The broad phase has proven more than a walk that was cut short.
    if (contact.status == Status::undecided)
      contact.toc = contact.safe_until = std::max(contact.toc, candidate.earliest);
    // What is undecided from a time on makes everything undecided from there on: later contacts
    // of other pairs do not count, earlier ones do.
    best.contact = contact;
    best.body_a = a, best.body_b = b;
    rest.cutoff = contact.toc;
    if (contact.toc <= 0) break;
  }
  return best;
}

SceneContact SceneSearch::run(const World& world, std::vector<SceneCandidate> candidates,
                              const SceneQuery& query) {
  candidates_ = std::move(candidates);
  query_ = query;
  found_ = {};
  if (has_unclear(world, candidates_, query_, found_)) return found_;
  pairs_.start(world, candidates_, query_);
  walk_.start(pairs_, query.options.cutoff, query.options.budget);
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    walk_.add(static_cast<Index>(i), candidates_[i].earliest);
  search();
  look_inside(world, candidates_, query_, found_);
  return found_;
}

SceneContact SceneSearch::resume(double separation) {
  query_.options.separation = separation;
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
  if (contact.status != Status::free) {
    const Index last = walk_.last_pair();
    std::tie(found_.body_a, found_.body_b) = pairs_.bodies(last);
    contact.tolerance = pairs_.pair(last).stated_tolerance();
    classify_start(contact);
  } else {
    contact.tolerance = query_.options.tolerance;
    for (Index i = 0; i < pairs_.size(); ++i)
      contact.tolerance = std::max(contact.tolerance, pairs_.pair(i).stated_tolerance());
  }
}

}  // namespace toccata
