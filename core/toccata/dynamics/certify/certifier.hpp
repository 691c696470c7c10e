// The certificate of one body's motion among the bodies of a world: a manipulator executes its
// proposals only as far as `first_contact` certifies them.
#pragma once

#include <algorithm>
#include <vector>

#include "toccata/broad/world.hpp"
#include "toccata/query/rigid/near_memory.hpp"

namespace toccata {

/// Lower bounds of the distances to the bodies of a world at the start of a motion. Only the
/// nearest bodies are measured; `rest` applies to all others.
struct StartDistances {
  std::vector<double> known;  ///< by body; infinity where only `rest` applies
  double rest = 0;

  double of(Index i) const { return std::min(known[i], rest); }
};

/// Proof that until time `until` the body stays farther than `separation` from all others.
struct Certificate {
  double until, separation;
  bool is_free;        ///< the whole motion is free, its end included
  Contact first = {};  ///< contact at `until`, unless the motion is free
  Index body = -1;     ///< body of the world in contact
};

/// A motion of the body, with the times of the world meanwhile.
struct WorldMotion {
  const Motion& motion;
  Interval window;  ///< times of the world at its start and end
};

/// Certifies motions of one body among others, and keeps coherence data between queries. Bodies of
/// the world with a motion rest at the current time, unless a query has a window. Mesh and world
/// must outlive the certifier. Not thread-safe.
///
/// Each body of the world has its own separation, a portion of the distance at the start, so no
/// query starts in contact. Distances below the resolution may not shrink, and no others may shrink
/// below a quarter of it. Rounding errors therefore never hide the motions that lead away from a
/// contact.
class Certifier {
 public:
  Certifier(const Mesh& body, const World& world);

  const World& world() const { return world_; }
  std::size_t size() const { return world_.size(); }
  /// Moves the bodies of the world to a time.
  void set_time(double time);
  double time() const { return time_; }
  /// Returns body i at rest at the current time.
  Body other(Index i) const { return {world_.body(i).mesh, still_[i]}; }
  Motion other_during(Index i, const Interval& window) const;

  /// Appends the proximities between the body at the start of a motion and body i of the world.
  void list_proximities(const Motion& motion, Index i, double distance, const NearScope& scope,
                        std::vector<Proximity>& found);

  /// Certifies a motion with the given distances at its start. No separation exceeds
  /// `most_separation`.
  Certificate certify(const WorldMotion& moving, const StartDistances& start,
                      double most_separation);

  /// Returns the separation that remains for a motion that repeats the proven beginning of another
  /// one; at most 0 if nothing is proven.
  double certify_beginning(const WorldMotion& whole, const Certificate& certificate,
                           const WorldMotion& beginning, const StartDistances& start) const;

  /// Returns the resolution: the distance between the body on a motion and body i below which
  /// rounding errors matter.
  double resolution(const Motion& motion, Index i) const;

 private:
  struct Question;
  bool is_within(const WorldMotion& moving, Index i, double distance) const;
  Contact query(const WorldMotion& moving, Index i, const Question& question);
  bool is_farther_at_end(const WorldMotion& moving, Index i, double distance) const;
  bool keeps_small_distances(const WorldMotion& moving, const StartDistances& start) const;

  const Mesh& body_;
  const World& world_;
  double time_ = 0;
  std::vector<Motion> still_;          // by body of the world
  std::vector<NearMemory> coherence_;  // by body of the world
};

}  // namespace toccata
