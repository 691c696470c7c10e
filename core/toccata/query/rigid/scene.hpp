// First contact among many moving bodies.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "toccata/query/world.hpp"
#include "toccata/walk/contact.hpp"

namespace toccata {

struct SceneContact {
  Contact contact;
  Index body_a = -1, body_b = -1;
  Count pairs_tested = 0;  ///< pairs that the broad phase left, and that could be the first
};

/// Two bodies, by index (i < j).
using BodyIndices = std::pair<Index, Index>;

/// A pair that cannot touch before `earliest`.
struct SceneCandidate {
  double earliest;
  BodyIndices bodies;

  auto operator<=>(const SceneCandidate&) const = default;
};

/// The bodies of a world against each other, but for ignored pairs. Shared by all threads. The
/// world must outlive it.
class Scene {
 public:
  Scene(const World& world, std::vector<BodyIndices> ignored);

  /// The earliest contact of all pairs. What stays is compared with what stays once, and not again
  /// as long as the question is the same.
  SceneContact first_contact(const Options& options) const;

  const World& world() const { return world_; }
  /// Pairs whose boxes are within `distance` at t = 0, those that are ignored aside; in order.
  std::vector<BodyIndices> near_at_start(double distance) const;

 private:
  /// Boxes of bodies in the order of their lower ends along x, eight at a time.
  struct SortedBoxes {
    std::vector<Index> bodies;
    std::vector<BoxPack> packs;
  };

  static SortedBoxes sorted(const World& world, bool fixed);
  void add_candidates(const SortedBoxes& boxes, std::size_t first, Index body, double distance,
                      std::vector<SceneCandidate>& found) const;
  std::vector<SceneCandidate> resting_candidates(double distance) const;
  std::vector<SceneCandidate> moving_candidates(double distance) const;
  SceneContact resting_contact(const Options& options) const;
  SceneContact search(std::vector<SceneCandidate> candidates, const Options& options) const;
  SceneContact first_contact_scaled(const Options& options, int exponent) const;

  /// What is known of bodies that stay.
  struct Resting {
    Options asked;
    SceneContact found;
  };

  const World& world_;
  std::vector<BodyIndices> ignored_;  // sorted
  SortedBoxes fixed_, moving_;
  mutable std::mutex mutex_;  // of resting_
  mutable std::shared_ptr<const Resting> resting_;
};

}  // namespace toccata
