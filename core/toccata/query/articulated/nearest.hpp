// How near a robot is to its surroundings and to itself at single times.
#pragma once

#include <vector>

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/robot_pair.hpp"
#include "toccata/query/nearby.hpp"

namespace toccata {

/// A pair of bodies on a piece of a path.
struct PieceCandidate : Candidate {
  Index piece;
};

/// A pair of bodies of a robot that can be placed at any time of a piece.
class PlacedRobotPair {
 public:
  PlacedRobotPair(const RobotQuery& query, const PieceCandidate& candidate)
      : candidate_(candidate), bodies_(query, candidate), poses_(query.poses) {}

  const MovingPair& pair() const { return bodies_.pair(); }
  const PairState& at(double time) { return bodies_.at({time, time}, poses_); }
  bool is_at_rest() const { return bodies_.is_at_rest(); }
  const PieceCandidate& who() const { return candidate_; }

 private:
  PieceCandidate candidate_;
  RobotPair bodies_;
  LinkPoses& poses_;
};

/// A time of a piece.
struct PieceTime {
  Index piece;
  double time;
};

/// Keeps its memory.
class Nearest {
 public:
  /// Measures all pairs that are tested, at one time of the piece that the query is about, as far
  /// as they are closer than `best` by what is resolved.
  void look(const RobotQuery& query, const RobotOptions& asked, const PieceTime& at,
            const Resolution& resolution, Nearby<PieceCandidate>& best);

 private:
  struct Ranked {
    double least;  // distance, up to rounding
    Candidate candidate;
  };
  void rank(const RobotQuery& query, const RobotOptions& asked, double time, double most);

  std::vector<Ranked> ranked_;
  std::vector<Vec3d> centers_;
};

}  // namespace toccata
