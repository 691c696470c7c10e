// The bodies of a scene, as a setting.
#pragma once

#include "toccata/broad/scene_broad.hpp"
#include "toccata/query/setting/setting.hpp"
#include "toccata/walk/rigid_view.hpp"

namespace toccata {

/// A contact of two bodies of a scene.
struct SceneContact {
  Contact contact;
  Index body_a = -1, body_b = -1;
  Count pairs_tested = 0;  ///< pairs that the traversal opened
};

/// Bounds the default tolerance of all pairs of bodies of a world.
inline double largest_default_tolerance(const BodySet& world) {
  const double error = world.error();
  return default_tolerance(contact_share, world.radii().of_pairs(), error_of_pair(error, error));
}

/// All pairs of bodies of a world, except ignored pairs.
struct ManyBodies {
  struct Bodies : RigidPair {
    Bodies(const ManyBodies& setting, const Candidate& pair)
        : RigidPair(setting.world.body(pair.a), setting.world.body(pair.b),
                    setting.options_of(pair)) {}
  };
  using Found = SceneContact;

  const BodySet& world;
  const SceneBroadPhase& broad;
  SceneQuery query;

  std::vector<Candidate> find_candidates() const { return pairs_within(query); }
  std::vector<Candidate> reachable_pairs() const {
    std::vector<Candidate> found = pairs_within(widened());
    std::sort(found.begin(), found.end(), comes_first);
    return found;
  }
  std::vector<Candidate> candidates_at(double time) const {
    std::vector<Candidate> found = reachable_pairs();
    std::erase_if(found, [&](const Candidate& pair) { return pair.earliest > time; });
    return found;
  }
  Options options_of(const Candidate& pair) const { return query.of({pair.a, pair.b}); }
  static void name(const Candidate& pair, SceneContact& found) {
    found.body_a = pair.a, found.body_b = pair.b;
  }
  static std::optional<Pose> frame_of(const Candidate&, double) { return std::nullopt; }
  static Index second_of(const Candidate& pair) { return pair.b; }
  const Mesh& mesh_a(const Candidate& pair) const { return world.body(pair.a).mesh; }
  const Mesh& mesh_b(const Candidate& pair) const { return world.body(pair.b).mesh; }

  /// Returns all pairs, at rest or moving, that may come within the reach of a query.
  std::vector<Candidate> pairs_within(const SceneQuery& reach) const {
    std::vector<Candidate> found = broad.resting(world, reach);
    const std::vector<Candidate> moving = broad.moving(world, reach);
    found.insert(found.end(), moving.begin(), moving.end());
    return found;
  }
  /// Returns the query with a tolerance that no pair exceeds, for the broad phase alone.
  SceneQuery widened() const {
    SceneQuery wide = query;
    if (wide.options.tolerance == 0) wide.options.tolerance = largest_default_tolerance(world);
    return wide;
  }
};

static_assert(Setting<ManyBodies>);

}  // namespace toccata
