// How near a robot is to its surroundings and to itself at single times.
#pragma once

#include <optional>
#include <vector>

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/robot_pair.hpp"
#include "toccata/walk/expand.hpp"

namespace toccata {

/// Two points close to each other. `upper` is certainly not less than the distance of their bodies
/// at `time`.
struct Nearby {
  double upper;
  double time = 0;
  std::optional<Candidate> candidate = {};  ///< none yet: `upper` is only what would be of interest
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, nowhere.x, Feature::none};  ///< in the frame of the pair
};

/// Keeps its memory. What is not less than `best.upper` is not looked at; nothing is once that is
/// not more than `enough`.
class Nearest {
 public:
  /// All pairs that are tested, at one time.
  void look(const RobotQuery& query, const RobotOptions& asked, double time, double enough,
            Nearby& best);

  /// Goes on from `best` to a time nearby, within `width`, at which the same two bodies are as
  /// close as can be found quickly.
  void descend(const RobotQuery& query, double width, double enough, Nearby& best);

  /// One pair at one time.
  void measure(const RobotQuery& query, RobotPair& bodies, double time, double enough,
               Nearby& best);

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
