// Sort and sweep along x, in packs of eight boxes.
#include "toccata/broad/scene_broad.hpp"

#include "toccata/walk/siblings.hpp"

namespace toccata {
namespace {

/// Returns the start of the first window in which the boxes of two bodies come within a distance;
/// infinite without such a window.
double first_window(const BodySet& world, const BodyIndices& bodies, double distance) {
  for (int k = 0; k < BodySet::windows; ++k) {
    const Interval window{static_cast<double>(k) / BodySet::windows,
                          static_cast<double>(k + 1) / BodySet::windows};
    if (near(world.box(bodies.first, window), world.box(bodies.second, window), distance))
      return window.lo;
  }
  return LaneTimes::never;
}

}  // namespace

/// One search, with its result.
struct SceneBroadPhase::Search {
  const BodySet& world;
  const SceneQuery& query;
  std::vector<Candidate> found;
};

SceneBroadPhase::SceneBroadPhase(const BodySet& world, std::vector<BodyIndices> ignored) {
  ignore(std::move(ignored));
  update(world, true);
}

void SceneBroadPhase::ignore(std::vector<BodyIndices> pairs) {
  ignored_ = std::move(pairs);
  std::sort(ignored_.begin(), ignored_.end());
}

void SceneBroadPhase::update(const BodySet& world, bool rest_changed) {
  if (rest_changed) {
    fixed_.choose(world, true);
    fixed_.sort(world);
    moving_.choose(world, false);
  }
  moving_.sort(world);
}

void SceneBroadPhase::SortedBoxes::choose(const BodySet& world, bool fixed) {
  order.clear();
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i)
    if (world.is_fixed(i) == fixed) order.push_back({0, i});
}

void SceneBroadPhase::SortedBoxes::sort(const BodySet& world) {
  for (std::pair<float, Index>& entry : order)
    entry.first = box_of(world.packs(), entry.second).lo.x;
  std::sort(order.begin(), order.end());
  packs.clear();
  for (std::size_t k = 0; k < order.size(); ++k)
    append(packs, static_cast<Index>(k), box_of(world.packs(), body(k)));
}

/// Finds the bodies that `body` may touch, from index `first` of the sorted boxes on.
void SceneBroadPhase::add_candidates(const SortedBoxes& boxes, std::size_t first, Index body,
                                     Search& search) const {
  const BodySet& world = search.world;
  const Boxf box = outward(grown(world.box(body), search.query.reach(body)));
  unsigned later = ~0u << first % lanes;
  for (std::size_t p = first / lanes; p < boxes.packs.size(); ++p, later = ~0u) {
    if (boxes.packs[p].lo.x[0] > box.hi.x) return;
    for_lanes(later & meets(boxes.packs[p], box), [&](int lane) {
      const BodyIndices pair = std::minmax(body, boxes.body(p * lanes + lane));
      const double earliest = first_window(world, pair, search.query.reach(pair));
      if (earliest < LaneTimes::never && !ignores(pair))
        search.found.push_back({earliest, pair.first, pair.second, -1, windows_from(earliest)});
    });
  }
}

std::vector<Candidate> SceneBroadPhase::resting(const BodySet& world,
                                                const SceneQuery& query) const {
  Search search{world, query, {}};
  for (std::size_t k = 0; k < fixed_.order.size(); ++k)
    add_candidates(fixed_, k + 1, fixed_.body(k), search);
  std::sort(search.found.begin(), search.found.end(), comes_earlier);
  return std::move(search.found);
}

std::vector<Candidate> SceneBroadPhase::moving(const BodySet& world,
                                               const SceneQuery& query) const {
  Search search{world, query, {}};
  for (std::size_t k = 0; k < moving_.order.size(); ++k) {
    add_candidates(moving_, k + 1, moving_.body(k), search);
    add_candidates(fixed_, 0, moving_.body(k), search);
  }
  std::sort(search.found.begin(), search.found.end(), comes_earlier);
  return std::move(search.found);
}

}  // namespace toccata
