#include "toccata/query/rigid/scene.hpp"

#include <algorithm>
#include <tuple>

#include "toccata/base/of_thread.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/query/rigid/first_contact.hpp"
#include "toccata/query/rigid/scene_pairs.hpp"
#include "toccata/walk/earliest_first.hpp"
#include "toccata/walk/inside.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

bool asks_the_same(const Options& a, const Options& b) {
  return a.method == b.method && a.initial == b.initial && a.separation == b.separation &&
         a.tolerance == b.tolerance && a.budget == b.budget && a.cutoff == b.cutoff && a.w == b.w;
}

/// The first of the windows in which the boxes of two bodies come within a distance, as a
/// time; infinite if there is none.
double first_window(const World& world, const BodyIndices& bodies, double distance) {
  for (int k = 0; k < World::windows; ++k) {
    const Interval window{static_cast<double>(k) / World::windows,
                          static_cast<double>(k + 1) / World::windows};
    if (near(world.box(bodies.first, window), world.box(bodies.second, window), distance))
      return window.lo;
  }
  return LaneTimes::never;
}

/// Method by name: one pair after the other, none beyond the earliest contact so far.
SceneContact search_pairs(const World& world, std::span<const SceneCandidate> candidates,
                          const Options& options) {
  SceneContact best;
  Options rest = options;
  for (const SceneCandidate& candidate : candidates) {
    if (candidate.earliest >= rest.cutoff) break;
    ++best.pairs_tested;
    const auto [a, b] = candidate.bodies;
    Contact contact = first_contact(world.body(a), world.body(b), rest);
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

/// A body that starts inside a solid touches nothing.
void look_inside(const World& world, std::span<const SceneCandidate> candidates,
                 const Options& options, SceneContact& found) {
  if (found.contact.toc <= 0) return;
  for (const SceneCandidate& candidate : candidates) {
    if (candidate.earliest > 0) break;
    const auto [a, b] = candidate.bodies;
    if (world.body(a).mesh.solid().empty() && world.body(b).mesh.solid().empty()) continue;
    const MovingPair pair(world.body(a), world.body(b), options);
    if (!starts_inside(pair, found.contact.safe_until)) continue;
    found.contact = inside_at_start(found.contact.stats);
    found.contact.tolerance = pair.tolerance();
    found.body_a = a, found.body_b = b;
    return;
  }
}

struct SceneWalk {
  ScenePairs pairs;
  EarliestFirst<ScenePairs> walk;
};

/// All pairs in one queue.
SceneContact search_together(const World& world, std::span<const SceneCandidate> candidates,
                             const Options& options) {
  auto& [pairs, walk] = of_thread<SceneWalk>();
  SceneContact found;
  Contact& contact = found.contact;
  pairs.start(world, candidates, options);
  walk.start(pairs, options.cutoff, options.budget);
  for (std::size_t i = 0; i < candidates.size(); ++i)
    walk.add(static_cast<Index>(i), candidates[i].earliest);
  while (!walk.is_over() && contact.status == Status::free) walk.step(contact);
  found.pairs_tested = pairs.size();
  if (contact.status != Status::free) {
    const Index last = walk.last_pair();
    std::tie(found.body_a, found.body_b) = pairs.bodies(last);
    contact.tolerance = pairs.pair(last).tolerance();
    classify_start(contact);
  } else {
    contact.tolerance = options.tolerance;
    for (Index i = 0; i < pairs.size(); ++i)
      contact.tolerance = std::max(contact.tolerance, pairs.pair(i).tolerance());
  }
  return found;
}

}  // namespace

Scene::Scene(const World& world, std::vector<BodyIndices> ignored)
    : world_(world),
      ignored_(std::move(ignored)),
      fixed_(sorted(world, true)),
      moving_(sorted(world, false)) {
  std::sort(ignored_.begin(), ignored_.end());
}

Scene::SortedBoxes Scene::sorted(const World& world, bool fixed) {
  SortedBoxes result;
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i)
    if (world.is_fixed(i) == fixed) result.bodies.push_back(i);
  std::sort(result.bodies.begin(), result.bodies.end(), [&](Index i, Index j) {
    return std::pair(box_of(world.packs(), i).lo.x, i) <
           std::pair(box_of(world.packs(), j).lo.x, j);
  });
  for (std::size_t k = 0; k < result.bodies.size(); ++k)
    append(result.packs, static_cast<Index>(k), box_of(world.packs(), result.bodies[k]));
  return result;
}

/// Bodies from place `first` on that `body` may touch.
void Scene::add_candidates(const SortedBoxes& boxes, std::size_t first, Index body, double distance,
                           std::vector<SceneCandidate>& found) const {
  Box widened = world_.box(body, {0, 1});
  widened.lo = widened.lo - Vec3d{distance, distance, distance};
  widened.hi = widened.hi + Vec3d{distance, distance, distance};
  const Boxf box = outward(widened);
  unsigned later = ~0u << first % lanes;
  for (std::size_t p = first / lanes; p < boxes.packs.size(); ++p, later = ~0u) {
    if (boxes.packs[p].lo.x[0] > box.hi.x) return;
    for_lanes(later & meets(boxes.packs[p], box), [&](int lane) {
      const BodyIndices pair = std::minmax(body, Index{boxes.bodies[p * lanes + lane]});
      const double earliest = first_window(world_, pair, distance);
      if (earliest < LaneTimes::never &&
          !std::binary_search(ignored_.begin(), ignored_.end(), pair))
        found.push_back({earliest, pair});
    });
  }
}

std::vector<SceneCandidate> Scene::resting_candidates(double distance) const {
  std::vector<SceneCandidate> found;
  for (std::size_t k = 0; k < fixed_.bodies.size(); ++k)
    add_candidates(fixed_, k + 1, fixed_.bodies[k], distance, found);
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<SceneCandidate> Scene::moving_candidates(double distance) const {
  std::vector<SceneCandidate> found;
  for (std::size_t k = 0; k < moving_.bodies.size(); ++k) {
    add_candidates(moving_, k + 1, moving_.bodies[k], distance, found);
    add_candidates(fixed_, 0, moving_.bodies[k], distance, found);
  }
  std::sort(found.begin(), found.end());
  return found;
}

SceneContact Scene::search(std::vector<SceneCandidate> candidates, const Options& options) const {
  SceneContact found = options.method == Method::automatic
                           ? search_together(world_, candidates, options)
                           : search_pairs(world_, candidates, options);
  if (options.method == Method::automatic) look_inside(world_, candidates, options, found);
  return found;
}

SceneContact Scene::resting_contact(const Options& options) const {
  {
    const std::lock_guard lock(mutex_);
    if (resting_ && asks_the_same(resting_->asked, options)) return resting_->found;
  }
  const double distance = options.separation + options.tolerance;
  auto known =
      std::make_shared<Resting>(Resting{options, search(resting_candidates(distance), options)});
  const SceneContact found = known->found;
  known->found.contact.stats = {};
  known->found.pairs_tested = 0;
  const std::lock_guard lock(mutex_);
  resting_ = std::move(known);
  return found;
}

SceneContact Scene::first_contact_scaled(const Options& options, int exponent) const {
  std::vector<Mesh> meshes;
  std::vector<const Mesh*> places;
  std::vector<Motion> motions;
  meshes.reserve(world_.size());
  for (Index i = 0; i < static_cast<Index>(world_.size()); ++i) {
    places.push_back(&meshes.emplace_back(world_.body(i).mesh.scaled(exponent)));
    motions.push_back(world_.body(i).motion.scaled(exponent));
  }
  const World world(std::move(places), std::move(motions));
  SceneContact found = Scene(world, ignored_).first_contact(scaled(options, exponent));
  found.contact = scaled_back(found.contact, options, exponent);
  return found;
}

SceneContact Scene::first_contact(const Options& options) const {
  if (const int exponent = scaling_for(world_.extent())) [[unlikely]]
    return first_contact_scaled(options, exponent);
  Stopwatch watch(options.timed);
  const SceneContact resting = resting_contact(options);
  if (resting.contact.status != Status::free) return resting;
  std::vector<SceneCandidate> candidates =
      moving_candidates(options.separation + options.tolerance);
  const double seconds = watch.lap();
  SceneContact found = search(std::move(candidates), options);
  found.contact.stats += resting.contact.stats;
  found.contact.stats.seconds_broad_phase += seconds;
  found.pairs_tested += resting.pairs_tested;
  if (found.contact.status == Status::free)
    found.contact.tolerance = std::max(found.contact.tolerance, resting.contact.tolerance);
  // If no pair was looked at: what the largest body would choose.
  if (found.contact.tolerance == 0) found.contact.tolerance = 1e-6 * world_.radius();
  return found;
}

std::vector<BodyIndices> Scene::near_at_start(double distance) const {
  std::vector<BodyIndices> found;
  for (const auto& candidates : {resting_candidates(distance), moving_candidates(distance)})
    for (const SceneCandidate& candidate : candidates)
      if (candidate.earliest == 0) found.push_back(candidate.bodies);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace toccata
