// How near a robot is to its surroundings and to itself at single times.
#pragma once

#include <vector>

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/robot_pair.hpp"
#include "toccata/query/nearby.hpp"

namespace toccata {

/// A pair of bodies of a robot that can be looked at at any time.
class PlacedRobotPair {
 public:
  PlacedRobotPair(const RobotQuery& query, const Candidate& candidate)
      : bodies_(query, candidate), poses_(query.poses) {}

  const MovingPair& pair() const { return bodies_.pair(); }
  const PairState& at(double time) { return bodies_.at({time, time}, poses_); }
  bool is_at_rest() const { return bodies_.is_at_rest(); }
  void set_separation(double separation) { bodies_.set_separation(separation); }
  const Candidate& who() const { return bodies_.candidate(); }

 private:
  RobotPair bodies_;
  LinkPoses& poses_;
};

/// Keeps its memory.
class Nearest {
 public:
  /// All pairs that are tested, at one time. What is not less than `best.upper` is not looked at;
  /// nothing is once that is not more than `enough`.
  void look(const RobotQuery& query, const RobotOptions& asked, double time, double enough,
            Nearby<Candidate>& best);

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
