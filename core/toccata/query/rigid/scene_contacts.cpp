// All contacts of a scene, not only the first.
#include <algorithm>

#include "toccata/base/parallel_for.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/query/rigid/first_contact.hpp"
#include "toccata/query/rigid/scene.hpp"

namespace toccata {

SceneContacts::SceneContacts(const std::vector<SceneContact>& rows) : contacts(rows.size()) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    contacts.set(i, rows[i].contact);
    body_a.push_back(rows[i].body_a);
    body_b.push_back(rows[i].body_b);
  }
}

/// Returns a query whose tolerance is at least what any pair chooses, for the broad phase alone.
SceneQuery Scene::widened(const SceneQuery& query) const {
  SceneQuery wide = query;
  if (wide.options.tolerance == 0) wide.options.tolerance = default_tolerance();
  return wide;
}

/// All pairs that a query of two bodies may find in contact, sorted by indices.
std::vector<SceneCandidate> Scene::within_reach(const SceneQuery& query) const {
  if (const int exponent = scaling_for(world_.extent())) [[unlikely]] {
    std::vector<Mesh> meshes;
    return scaled(meshes, exponent).within_reach(query.scaled(exponent));
  }
  const SceneQuery wide = widened(query);
  std::vector<SceneCandidate> found = broad_.resting(world_, wide);
  const std::vector<SceneCandidate> moving = broad_.moving(world_, wide);
  found.insert(found.end(), moving.begin(), moving.end());
  std::sort(found.begin(), found.end(),
            [](const SceneCandidate& s, const SceneCandidate& t) { return s.bodies < t.bodies; });
  return found;
}

std::vector<SceneContact> Scene::contacts_at(const SceneQuery& query, double time) const {
  std::vector<SceneContact> rows;
  for (const SceneCandidate& candidate : within_reach(query)) {
    if (candidate.earliest > time) continue;
    const auto [a, b] = candidate.bodies;
    for (const Contact& contact :
         toccata::contacts_at(world_.body(a), world_.body(b), query.of(candidate.bodies), time))
      rows.push_back({contact, a, b});
  }
  return rows;
}

std::vector<SceneContact> Scene::contacts(const SceneQuery& query, unsigned threads) const {
  const std::vector<SceneCandidate> candidates = within_reach(query);
  std::vector<SceneContact> rows(candidates.size());
  parallel_for(candidates.size(), 4, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [a, b] = candidates[i].bodies;
      const Options own = query.of(candidates[i].bodies);
      rows[i] = {toccata::first_contact(world_.body(a), world_.body(b), own), a, b};
    }
  });
  std::erase_if(rows, [](const SceneContact& r) { return r.contact.status == Status::free; });
  std::stable_sort(rows.begin(), rows.end(), [](const SceneContact& s, const SceneContact& t) {
    return s.contact.toc < t.contact.toc;
  });
  return rows;
}

}  // namespace toccata
