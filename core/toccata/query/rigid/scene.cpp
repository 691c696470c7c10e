#include "toccata/query/rigid/scene.hpp"

#include <algorithm>
#include <utility>

#include "toccata/base/expects.hpp"
#include "toccata/base/of_thread.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {

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

SceneContact Scene::search(std::vector<SceneCandidate> candidates, const SceneQuery& query) const {
  return query.options.method == Method::automatic
             ? of_thread<SceneSearch>().run(world_, std::move(candidates), query)
             : search_pairs(world_, candidates, query);
}

bool Scene::Memory::recall(const SceneQuery& query, SceneContact& found) {
  const std::lock_guard lock(mutex_);
  if (!known_ || !known_->asked.asks_the_same(query)) return false;
  found = known_->found;
  return true;
}

void Scene::Memory::keep(const SceneQuery& query, const SceneContact& found) {
  auto known = std::make_shared<Known>(Known{query, found});
  // Work that is done once is told once, but it takes from the budget of every answer.
  known->found.contact.stats = Stats{.work = found.contact.stats.work};
  known->found.pairs_tested = 0;
  const std::lock_guard lock(mutex_);
  known_ = std::move(known);
}

SceneContact Scene::resting_contact(const SceneQuery& query) const {
  SceneContact found;
  if (resting_.recall(query, found)) return found;
  found = search(broad_.resting(world_, query), query);
  resting_.keep(query, found);
  return found;
}

Scene Scene::scaled(std::vector<Mesh>& meshes, int exponent) const {
  std::vector<const Mesh*> places;
  std::vector<Motion> motions;
  meshes.reserve(world_.size());
  for (Index i = 0; i < static_cast<Index>(world_.size()); ++i) {
    places.push_back(&meshes.emplace_back(world_.body(i).mesh.scaled(exponent)));
    motions.push_back(world_.body(i).motion.scaled(exponent));
  }
  return Scene(World(std::move(places), std::move(motions)), broad_.ignored());
}

SceneContact Scene::first_contact_scaled(const SceneQuery& query, int exponent) const {
  std::vector<Mesh> meshes;
  SceneContact found = scaled(meshes, exponent).first_contact(query.scaled(exponent));
  found.contact = scaled_back(found.contact, query.options, exponent);
  return found;
}

SceneContact Scene::first_contact(const SceneQuery& query) const {
  if (const int exponent = scaling_for(world_.extent())) [[unlikely]]
    return first_contact_scaled(query, exponent);
  Stopwatch watch(query.options.timed);
  const SceneContact resting = resting_contact(query);
  if (resting.contact.status != Status::free) return resting;
  // Pairs beyond the separation need not be reported, whatever tolerance they choose. But pairs
  // that start near each other are asked about other separations.
  const bool is_plain = query.options.initial == Initial::report;
  std::vector<SceneCandidate> candidates = broad_.moving(world_, is_plain ? query : widened(query));
  const double seconds = watch.lap();
  SceneQuery rest = query;
  rest.options.budget -= std::min(resting.contact.stats.work, rest.options.budget - 1);
  SceneContact found = search(std::move(candidates), rest);
  found.contact.stats += resting.contact.stats;
  found.contact.stats.seconds_broad_phase += seconds;
  found.pairs_tested += resting.pairs_tested;
  if (found.contact.status == Status::free)
    found.contact.tolerance = std::max(found.contact.tolerance, resting.contact.tolerance);
  // If no pair was tested.
  if (found.contact.tolerance == 0) found.contact.tolerance = default_tolerance();
  return found;
}

double Scene::default_tolerance() const {
  const double error = world_.error();
  return toccata::default_tolerance(contact_share, world_.radii().of_pairs(),
                                    error_of_pair(error, error));
}

std::vector<BodyIndices> Scene::near_at_start(double distance) const {
  std::vector<BodyIndices> found;
  SceneQuery query;
  query.options.separation = distance;
  for (const SceneCandidate& candidate : within_reach(query))
    if (candidate.earliest == 0) found.push_back(candidate.bodies);
  return found;
}

}  // namespace toccata
