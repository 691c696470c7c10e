// The distances of a robot from its surroundings and from itself at single times.
#pragma once

#include <vector>

#include "toccata/query/clearance/nearby.hpp"
#include "toccata/query/setting/robot_pair.hpp"

namespace toccata {

/// A pair of bodies on a piece of a path.
struct PieceCandidate : Candidate {
  Index piece;
};

/// A time of a piece.
struct PieceTime {
  Index piece;
  double time;
};

/// Reuses its buffers across queries.
class Nearest {
 public:
  /// Measures the tested pairs that may be closer than `best` by at least the resolution, at one
  /// time of the piece that the setting is about.
  void look(RobotInWorld& setting, const PieceTime& at, const Resolution& resolution,
            Nearby<PieceCandidate>& best);

 private:
  struct Ranked {
    double least;  // distance, up to rounding
    Candidate candidate;
  };
  void rank(const RobotInWorld& setting, double time, double most);

  std::vector<Ranked> ranked_;
  std::vector<Vec3d> centers_;
};

}  // namespace toccata
