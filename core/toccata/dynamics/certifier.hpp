// How far a motion of one body among others is proven: what a solver proposes is executed only as
// far as `first_contact` certifies it.
#pragma once

#include <vector>

#include "toccata/query/rigid/first_contact.hpp"
#include "toccata/query/world.hpp"

namespace toccata {

/// What is known of a start: how far each body of the world is away at least. Only the nearest need
/// to be known; `rest` is for all others.
struct StartDistances {
  std::vector<double> known;  ///< by body; infinity where only `rest` is known
  double rest = 0;
};

/// Before `until` the body stays farther than `separation` from all others.
struct Verdict {
  double until, separation;
  bool is_free;        ///< over all of the motion, its end included
  Contact first = {};  ///< what is met at `until`, if it is not
};

/// Asks about one body, which moves among bodies that stay. Mesh and world must outlive it.
///
/// Each body of the world has a separation of its own: a share of the distance at the start, so
/// that no question starts in contact. Distances of less than `low` are not allowed to shrink, and
/// no others to shrink below a quarter of it: rounding never hides how to get away again.
class Certifier {
 public:
  Certifier(const Mesh& body, const World& world) : body_(body), world_(world) {}

  const World& world() const { return world_; }

  /// Of a motion that starts at `start`. No separation exceeds `most`; `share` scales all of them.
  Verdict certify(const Motion& motion, const StartDistances& start, double most,
                  double share) const;

  /// Below it a distance of the body on a motion to body i is near rounding.
  double low(const Motion& motion, Index i) const;

 private:
  struct Question;
  bool is_near(const Motion& motion, Index i, double distance) const;
  Contact ask(const Motion& motion, Index i, const Question& question) const;
  bool is_farther_at_end(const Motion& motion, Index i, double distance) const;

  const Mesh& body_;
  const World& world_;
};

}  // namespace toccata
