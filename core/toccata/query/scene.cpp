// Queries of scenes: bodies at rest first, then moving bodies.
#include "toccata/query/scene.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "toccata/base/expects.hpp"
#include "toccata/base/of_thread.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/first_contact/first_contact.hpp"
#include "toccata/query/first_contact/scene_search.hpp"
#include "toccata/query/setting/scaling.hpp"

namespace toccata {

SceneContacts::SceneContacts(const std::vector<SceneContact>& rows) : contacts(rows.size()) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    contacts.set(i, rows[i].contact);
    body_a.push_back(rows[i].body_a);
    body_b.push_back(rows[i].body_b);
  }
}

void Scene::move(Index body, const Motion& motion) {
  world_.move(body, motion);
  moved_ = true;
}

void Scene::move(const MotionRows& motions) {
  motions.check();
  expects(motions.size() == world_.size(), "start", "expected as many rows as bodies");
  for (Index i = 0; i < static_cast<Index>(world_.size()); ++i) move(i, motions[i]);
}

void Scene::ignore(std::vector<BodyIndices> pairs) {
  broad_.ignore(std::move(pairs));
  resting_.forget();
}

void Scene::update() {
  if (!std::exchange(moved_, false)) return;
  const bool rest_changed = world_.update();
  broad_.update(world_, rest_changed);
  if (rest_changed) resting_.forget();
}

bool Scene::LastAnswer::recall(const SceneQuery& query, SceneContact& found) {
  const std::lock_guard lock(mutex_);
  if (!known_ || !known_->query.is_same(query)) return false;
  found = known_->found;
  return true;
}

void Scene::LastAnswer::keep(const SceneQuery& query, const SceneContact& found) {
  auto known = std::make_shared<Known>(Known{query, found});
  // The work is reported once, but it counts against the budget of each answer.
  known->found.contact.stats = Stats{.work = found.contact.stats.work};
  known->found.pairs_tested = 0;
  const std::lock_guard lock(mutex_);
  known_ = std::move(known);
}

SceneContact Scene::resting_contact(const SceneQuery& query) const {
  SceneContact found;
  if (resting_.recall(query, found)) return found;
  found = first_contact_among(bodies(query), broad_.resting(world_, query));
  resting_.keep(query, found);
  return found;
}

SceneContact Scene::first_contact(const SceneQuery& query, KnownContacts* contacts) const {
  const Claim<KnownContacts> claim(contacts);
  KnownContacts* const known = claim.get();
  SceneContact found;
  if (const int exponent = scaling_for(world_.extent())) [[unlikely]] {
    const ScaledBodies copy(bodies(query), exponent);
    const ManyBodies own = copy.setting();
    const Scene scaled(own.world, own.broad.ignored());
    found = scaled_back(scaled.first_contact_of(own.query, known), query.options, exponent);
  } else {
    found = first_contact_of(query, known);
  }
  const Contact& contact = found.contact;
  if (known && contact.element_a >= 0)
    known->keep({found.body_a, -1, found.body_b}, {contact.element_a, contact.element_b});
  return found;
}

SceneContact Scene::first_contact_of(const SceneQuery& query, const KnownContacts* known) const {
  Stopwatch watch(query.options.timed);
  const SceneContact resting = resting_contact(query);
  if (resting.contact.status != Status::free) return resting;
  // Pairs beyond the separation need not be found, whatever tolerance they choose. But pairs that
  // start close to each other may get a larger separation.
  const bool is_plain = query.options.initial == Initial::report;
  std::vector<Candidate> candidates =
      broad_.moving(world_, is_plain ? query : bodies(query).widened());
  const double seconds = watch.lap();
  SceneQuery rest = query;
  rest.options.budget -= std::min(resting.contact.stats.work, rest.options.budget - 1);
  SceneContact found = first_contact_among(bodies(rest), std::move(candidates), known);
  found.contact.stats += resting.contact.stats;
  found.contact.stats.seconds_broad_phase += seconds;
  found.pairs_tested += resting.pairs_tested;
  if (found.contact.status == Status::free)
    found.contact.tolerance = std::max(found.contact.tolerance, resting.contact.tolerance);
  if (found.contact.tolerance == 0)  // no pair was tested
    found.contact.tolerance = largest_default_tolerance(world_);
  return found;
}

std::shared_ptr<const Scene> SharedScene::now() {
  const std::lock_guard lock(mutex_);
  if (scene_->is_moved()) own().update();
  return scene_;
}

/// Returns a scene that no query uses; copies the scene if a query still holds it. The caller holds
/// the mutex. Only now() hands out references, under the same mutex, so a use count of 1 cannot
/// rise meanwhile. The fence orders the reads of the last query, which decremented the count,
/// before our writes.
Scene& SharedScene::own() {
  if (scene_.use_count() > 1) scene_ = std::make_shared<Scene>(*scene_);
  else std::atomic_thread_fence(std::memory_order_acquire);
  return *scene_;
}

}  // namespace toccata
