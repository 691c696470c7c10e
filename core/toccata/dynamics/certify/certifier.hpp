// How far a motion of one body among others is proven: what a solver proposes is executed only as
// far as `first_contact` certifies it.
#pragma once

#include <algorithm>
#include <vector>

#include "toccata/broad/world.hpp"
#include "toccata/query/pair_coherence.hpp"

namespace toccata {

/// What is known of a start: how far each body of the world is away at least. Only the nearest need
/// to be known; `rest` is for all others.
struct StartDistances {
  std::vector<double> known;  ///< by body; infinity where only `rest` is known
  double rest = 0;

  double of(Index i) const { return std::min(known[i], rest); }
};

/// Before `until` the body stays farther than `separation` from all others.
struct Verdict {
  double until, separation;
  bool is_free;        ///< over all of the motion, its end included
  Contact first = {};  ///< what is met at `until`, if it is not
  Index body = -1;     ///< of the world, that is met
};

/// What is asked about: a motion of the body, while time passes for the world.
struct Step {
  const Motion& motion;
  Interval window;  ///< of the times of the world
};

/// Asks about one body, which moves among others, and remembers what is near. Those on a motion are
/// where they are at one time until they are asked for during a window. Mesh and world must outlive
/// it. One thread at a time.
///
/// Each body of the world has a separation of its own: a share of the distance at the start, so
/// that no question starts in contact. Distances of less than `low` are not allowed to shrink, and
/// no others to shrink below a quarter of it: rounding never hides how to get away again.
class Certifier {
 public:
  Certifier(const Mesh& body, const World& world);

  const World& world() const { return world_; }
  std::size_t size() const { return world_.size(); }
  /// Takes the bodies of the world to a time.
  void set_time(double time);
  double time() const { return time_; }
  /// Body i at that time, and from then on.
  Body other(Index i) const { return {world_.body(i).mesh, still_[i]}; }
  Motion other_during(Index i, const Interval& window) const;

  /// Appends what is near to the body at the start of a motion in body i of the world.
  void list(const Motion& motion, Index i, double distance, const ProximityScope& scope,
            std::vector<Proximity>& found);

  /// Of a motion that starts at `start`. No separation exceeds `most`.
  Verdict certify(const Step& step, const StartDistances& start, double most);

  /// What was proven of the beginning of a motion, for a motion of its own that repeats it: the
  /// separation that is kept. Not above 0 if that is nothing.
  double certify_beginning(const Step& whole, const Verdict& verdict, const Step& beginning,
                           const StartDistances& start) const;

  /// Below it a distance of the body on a motion to body i is near rounding.
  double low(const Motion& motion, Index i) const;

 private:
  struct Question;
  bool is_near(const Step& step, Index i, double distance) const;
  Contact ask(const Step& step, Index i, const Question& question);
  bool is_farther_at_end(const Step& step, Index i, double distance) const;
  bool keeps_low(const Step& step, const StartDistances& start) const;

  const Mesh& body_;
  const World& world_;
  double time_ = 0;
  std::vector<Motion> still_;            // by body of the world
  std::vector<PairCoherence> memories_;  // by body of the world
};

}  // namespace toccata
