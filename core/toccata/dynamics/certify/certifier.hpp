// Certificates of substeps: proposals of solvers are executed only as far as `first_contact`
// certifies them.
//
// One rule chooses the separation of each pair from its distance at the start. Two certifiers
// apply the rule, because their callers need different proofs:
//
// * `certify` is for the pairs of a simulation. Its answer must not depend on coherence data: a
//   restored simulation continues bit by bit without them. Bodies that make full turns in a substep
//   need enclosing balls, and a budget.
// * `Certifier` is for one body among all bodies of a world, such as a manipulator. It also returns
//   the first contact, and cuts each query off at the earliest contact so far. Its motions have
//   times of the world.
#pragma once

#include <algorithm>
#include <vector>

#include "toccata/broad/body_set.hpp"
#include "toccata/dynamics/body/simulated_body.hpp"
#include "toccata/query/pair_coherence.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

constexpr double shell_in_radii = 1e-3;     ///< default shell
constexpr double touching_in_shells = 1.5;  ///< features within this distance take part in impacts
constexpr double recovery_in_shells = 0.2;  ///< largest displacement out to the shell at once

/// Returns 2/3 of a distance, at most `most`. With a tolerance of a fifth of it, no query starts in
/// contact.
constexpr double separation_at(double distance, double most) {
  return std::min(most, 2.0 / 3 * distance);
}
constexpr double tolerance_at(double separation) { return 0.2 * separation; }

/// Factor of the resolution, the distance below which rounding errors matter. `MovingPair` rejects
/// tolerances up to 8 errors.
constexpr double resolution_in_errors = 8000;
inline double resolution_of(const Body& a, const Body& b) {
  return resolution_in_errors * MovingPair(a, b, {}).error();
}

/// Returns whether a separation is above 1/20 of the resolution; its tolerance is then ten times
/// the least that `MovingPair` accepts.
constexpr bool is_above_rounding(double separation, double resolution) {
  return separation > resolution / 20;
}

/// Two bodies with proposed motions over [0, 1].
struct PairMotion {
  Body a, b;
  double distance;         ///< at the start, as listed, without proof: chooses the separation
  double proven_distance;  ///< lower bound of the distance at the start
  double most_separation;  ///< upper limit of the separation
  double floor;            ///< distances below it may not shrink
  double travel;           ///< upper bound of the change of any distance
  double rounding;         ///< bound of errors of poses that the motions do not include
  /// Enclosing balls of bodies that make full turns.
  std::optional<EnclosingBall> ball_a, ball_b;
  PairCoherence& coherence;
};

/// Returns the portion of the motions, from 0 to 1, during which the bodies are proven not to
/// touch.
double certify(const PairMotion& pair);

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
  Certifier(const Mesh& body, const BodySet& world);

  const BodySet& world() const { return world_; }
  std::size_t size() const { return world_.size(); }
  /// Moves the bodies of the world to a time.
  void set_time(double time);
  double time() const { return time_; }
  /// Returns body i at rest at the current time.
  Body other(Index i) const { return {world_.body(i).mesh, still_[i]}; }
  Motion other_during(Index i, const Interval& window) const;

  /// Appends the proximities between the body at the start of a motion and body i of the world.
  void list_proximities(const Motion& motion, Index i, double distance, const ProximityScope& scope,
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
  bool is_within(const WorldMotion& moving, Index i, double distance) const;
  Contact query(const WorldMotion& moving, Index i, double separation, double cutoff);
  bool keeps_small_distances(const WorldMotion& moving, const StartDistances& start) const;

  const Mesh& body_;
  const BodySet& world_;
  double time_ = 0;
  std::vector<Motion> still_;             // by body of the world
  std::vector<PairCoherence> coherence_;  // by body of the world
};

}  // namespace toccata
