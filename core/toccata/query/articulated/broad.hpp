// The broad phase: which pairs can touch at all, and from when on (Redon et al. 2004, stage 1: a
// dynamic hierarchy of boxes around the swept links).
#pragma once

#include <vector>

#include "toccata/query/articulated/places.hpp"
#include "toccata/query/articulated/separations.hpp"
#include "toccata/query/articulated/world.hpp"

namespace toccata {

/// A pair that cannot touch before `earliest`.
struct Candidate {
  double earliest;
  Index link;
  Index other;    ///< body of the world; or, with `pair` not negative, unused
  Index pair = -1;  ///< of `Robot::pairs`
};

inline double separation_of(const Separations& s, const Robot& robot, const Candidate& candidate) {
  if (candidate.pair < 0) return s.of_body(candidate.link, candidate.other);
  return s.of_links(candidate.link, robot.pairs()[candidate.pair].b);
}

struct BroadQuestion {
  double distance;  ///< that counts as touching
  bool self_contact;
  const Separations* separations = nullptr;  ///< distances to be added, pair by pair
};

class BroadPhase {
 public:
  /// Pairs whose boxes meet, in no particular order. Keeps its memory.
  const std::vector<Candidate>& run(const Robot& robot, const World& world, Places& places,
                                    const BroadQuestion& question);

 private:
  void sweep(const Robot& robot, Places& places, double distance);
  void against_world(const Robot& robot, const World& world, const Separations* separations);
  void against_itself(const Robot& robot, const Separations* separations);
  const Box& slab(Index link, int k) const { return slabs_[link * count_ + k]; }

  int count_ = 1;  // slabs of time
  std::vector<Box> slabs_, whole_;  // of the links, widened by the distance
  std::vector<Candidate> found_;
};

}  // namespace toccata
