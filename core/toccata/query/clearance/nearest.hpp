// The closest points of a robot and its surroundings, or of two of its links, at one time. These
// measurements give the first upper bound of a clearance.
#pragma once

#include <vector>

#include "toccata/query/clearance/nearby.hpp"
#include "toccata/query/setting/robot_pair.hpp"

namespace toccata {

/// A pair of bodies on a piece of a path.
struct PieceCandidate : Candidate {
  Index piece;
};

/// A piece of a path and a time within it.
struct PieceTime {
  Index piece;
  double time;
};

/// The measurement of a robot at one time. Reuses its buffers across queries.
class Nearest {
 public:
  /// Measures the pairs that may be closer than `best` by at least the resolution, in the order of
  /// lower bounds of their distances. The setting is at the piece of `at`.
  void sample(RobotInWorld& setting, const PieceTime& at, const Resolution& resolution,
              Nearby<PieceCandidate>& best);

 private:
  struct Ranked {
    double least;  // lower bound of the distance, up to rounding
    Candidate candidate;
  };
  void rank(const RobotInWorld& setting, double time, double most);

  std::vector<Ranked> ranked_;
  std::vector<Vec3d> centers_;
};

}  // namespace toccata
