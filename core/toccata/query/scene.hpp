// Scenes: many moving bodies, with coherence between queries for the bodies at rest.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "toccata/motion/rows.hpp"
#include "toccata/query/setting/known_contacts.hpp"
#include "toccata/query/setting/many_bodies.hpp"

namespace toccata {

/// Columns of contacts, with the bodies in contact.
struct SceneContacts {
  Contacts contacts;
  std::vector<Index> body_a, body_b;

  explicit SceneContacts(const std::vector<SceneContact>& rows);
};

/// The bodies of a world with the ignored pairs. All threads share it. It changes only by `move`,
/// `ignore` and `update`, which must not run during a query.
class Scene {
 public:
  Scene(BodySet world, std::vector<BodyIndices> ignored)
      : world_(std::move(world)), broad_(world_, std::move(ignored)) {}

  const BodySet& world() const { return world_; }
  /// Returns the bodies as a setting. The scene must outlive the setting.
  ManyBodies bodies(const SceneQuery& query = {}) const { return {world_, broad_, query}; }

  /// Changes the motion of one body, or of all. Queries are allowed after the next `update`.
  void move(Index body, const Motion& motion);
  void move(const MotionRows& motions);
  /// Replaces the ignored pairs.
  void ignore(std::vector<BodyIndices> pairs);
  void update();
  bool is_moved() const { return moved_; }

  /// Returns the earliest contact of all pairs. Bodies at rest are tested against each other only
  /// when the query has changed. `known` serves sequences of similar motions with method="auto"; it
  /// may be null.
  SceneContact first_contact(const SceneQuery& query, KnownContacts* known = nullptr) const;

 private:
  SceneContact resting_contact(const SceneQuery& query) const;
  SceneContact first_contact_of(const SceneQuery& query, const KnownContacts* known) const;

  /// The last answer about bodies at rest. Copies of the scene start without an answer.
  class LastAnswer {
   public:
    LastAnswer() = default;
    LastAnswer(const LastAnswer&) {}

    bool recall(const SceneQuery& query, SceneContact& found);
    void keep(const SceneQuery& query, const SceneContact& found);
    void forget() { known_.reset(); }

   private:
    struct Known {
      SceneQuery query;
      SceneContact found;
    };
    std::mutex mutex_;
    std::shared_ptr<const Known> known_;
  };

  BodySet world_;
  SceneBroadPhase broad_;
  bool moved_ = false;
  mutable LastAnswer resting_;
};

/// A scene with copy-on-write, shared by threads that edit it and threads that query it. A query
/// keeps its version of the scene. An edit during a query changes a copy.
class SharedScene {
 public:
  explicit SharedScene(Scene scene) : scene_(std::make_shared<Scene>(std::move(scene))) {}

  template <class Edit>
  void edit(Edit&& edit) {
    const std::lock_guard lock(mutex_);
    edit(own());
  }
  /// Returns the scene for a query, with the last edits applied.
  std::shared_ptr<const Scene> now();

 private:
  Scene& own();

  std::mutex mutex_;  // orders edits and the starts of queries
  std::shared_ptr<Scene> scene_;
};

}  // namespace toccata
