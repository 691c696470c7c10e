// Regions that bodies do not leave during a step, the pairs of bodies whose regions overlap, and
// their islands.
#pragma once

#include "toccata/dynamics/world/body_table.hpp"
#include "toccata/dynamics/world/islands.hpp"

namespace toccata {

/// Parameters of regions.
struct RegionRules {
  Vec3d gravity;
  double step;
  double shell;  ///< 0: proportional to the radius of a body
};

/// A rigid group of links is one part with one region until another region overlaps it; only then
/// are its links visited. Reuses its buffers across calls.
class StepRegions {
 public:
  /// Finds the regions and the pairs at the start of a step. `factor`, by body, enlarges regions.
  /// Places the links of pairs, links under forces, and the leaders of robots.
  void find(BodyTable& table, const RegionRules& rules, std::span<const double> factor);

  /// Returns the pairs of tested bodies whose regions overlap, by rank. Links of one rigid group
  /// keep their distance, so they form no pair unless contacts may break up the group.
  const std::vector<RegionPair>& pairs() const { return pairs_; }
  /// Returns the islands. Their bodies are indices. They list the links of pairs, links under
  /// forces, and the leaders of robots.
  std::vector<Island> islands() const;
  /// Returns bounds of the motions of bodies that are no links, by body.
  std::span<const double> reach() const { return reach_; }

 private:
  /// A body, or the links below a node of a robot.
  struct Part {
    Index robot;  ///< -1: a body
    Index at;     ///< node of the robot, or rank
    Index region;
  };

  void add_body(Index rank, double factor);
  void add_robot(Index robot, std::span<const double> factor);
  Box box_of(const Part& part);
  void collect(const Part& a, const Part& b);
  void collect_within(const Part& part);

  BodyTable* table_ = nullptr;
  RegionRules rules_{};
  std::vector<Part> parts_;
  std::vector<Region> regions_;  // by part
  std::vector<double> reach_;
  std::vector<std::vector<MovingFrame>> frames_;  // by robot
  RegionSweep sweep_;
  std::vector<RegionPair> pairs_;
};

}  // namespace toccata
