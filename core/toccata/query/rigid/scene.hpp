// Contacts among many moving bodies.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "toccata/broad/scene_broad.hpp"
#include "toccata/motion/rows.hpp"
#include "toccata/query/clearance.hpp"
#include "toccata/query/rigid/scene_search.hpp"

namespace toccata {

/// Contacts side by side, with who is in contact.
struct SceneContacts {
  Contacts contacts;
  std::vector<Index> body_a, body_b;

  explicit SceneContacts(const std::vector<SceneContact>& rows);
};

struct SceneClearance : Clearance {
  Index body_a = -1, body_b = -1;
};

/// The bodies of a world against each other, but for ignored pairs. Shared by all threads: it
/// changes only by `move`, `ignore` and `update`, while nobody asks.
class Scene {
 public:
  Scene(World world, std::vector<BodyIndices> ignored)
      : world_(std::move(world)), broad_(world_, std::move(ignored)) {}

  const World& world() const { return world_; }

  /// Not less than the tolerance that a first contact of any pair has by default.
  double default_tolerance() const;

  /// Motions of one body, or of all, change. Questions may be asked after the next `update`.
  void move(Index body, const Motion& motion);
  void move(const MotionRows& motions);
  /// These pairs are ignored from now on, and no others.
  void ignore(std::vector<BodyIndices> pairs);
  void update();
  bool is_moved() const { return moved_; }

  /// The earliest contact of all pairs. What stays is compared with what stays once, and not again
  /// as long as the question is the same.
  SceneContact first_contact(const SceneQuery& query) const;

  /// The contacts of all pairs at a time, up to which none is in contact.
  std::vector<SceneContact> contacts_at(const SceneQuery& query, double time) const;

  /// The first contact of each pair that is not proven free, with the budget for each of them:
  /// ordered by time, then by indices. Rows do not depend on the number of threads.
  std::vector<SceneContact> contacts(const SceneQuery& query, unsigned threads) const;

  /// How near any two bodies come to each other.
  SceneClearance clearance(const ClearanceQuestion& question) const;

  /// Pairs whose boxes are within `distance` at t = 0, those that are ignored aside; in order.
  std::vector<BodyIndices> near_at_start(double distance) const;

 private:
  SceneContact resting_contact(const SceneQuery& query) const;
  SceneContact search(std::vector<SceneCandidate> candidates, const SceneQuery& query) const;
  Scene scaled(std::vector<Mesh>& meshes, int exponent) const;
  SceneContact first_contact_scaled(const SceneQuery& query, int exponent) const;
  SceneQuery widened(const SceneQuery& query) const;
  std::vector<SceneCandidate> within_reach(const SceneQuery& query) const;

  /// What is known of bodies that stay; copies know nothing.
  class Memory {
   public:
    Memory() = default;
    Memory(const Memory&) {}

    bool recall(const SceneQuery& query, SceneContact& found);
    void keep(const SceneQuery& query, const SceneContact& found);
    void forget() { known_.reset(); }

   private:
    struct Known {
      SceneQuery asked;
      SceneContact found;
    };
    std::mutex mutex_;
    std::shared_ptr<const Known> known_;
  };

  World world_;
  SceneBroadPhase broad_;
  bool moved_ = false;
  mutable Memory resting_;
};

}  // namespace toccata
