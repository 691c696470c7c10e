// A robot on one motion among the bodies of a world, as a setting.
#pragma once

#include <memory>

#include "toccata/broad/robot_broad.hpp"
#include "toccata/query/setting/path_starts.hpp"
#include "toccata/query/setting/setting.hpp"
#include "toccata/robot/assembly_transforms.hpp"
#include "toccata/robot/poses/link_poses.hpp"

namespace toccata {

class RobotPair;

/// The options of a query about a robot.
struct RobotOptions {
  bool self_contact = true;  ///< tests pairs of links
  /// Accepts any contact, not only the first. `toc` is then the time of some contact.
  bool any = false;
  /// For method="adaptive": kind of the boxes around moving rigid groups.
  Enclosures enclosures = Enclosures::chains;
  /// For method="adaptive": the exact stage of method="interval".
  bool intervals = false;
  // For method="interval": the stages before the exact stage.
  bool hierarchy = true;  ///< boxes around the paths of the links
  bool swept = true;      ///< swept volumes of the links
  /// For method="hca": temporal culling. Without it, each pair of bodies is searched independently.
  bool temporal = true;
  /// Separations of pairs; null: `options.separation` is the separation of all pairs. Otherwise it
  /// is the largest separation.
  std::shared_ptr<const Separations> separations;
  /// Links and bodies that are not tested against each other; null: none.
  std::shared_ptr<const IgnoredPairs> ignored;
  /// Distances of pairs that may rest, at the start of the path of this motion; null: the path
  /// starts with this motion.
  std::shared_ptr<const PathStarts> starts;
  Options options;
};

/// Candidate pairs after the stages that cull them, and the times of the stages if they are
/// measured.
struct StageStats {
  Count pairs_after_hierarchy = 0, pairs_after_culling = 0;
  double seconds_hierarchy = 0, seconds_culling = 0, seconds_exact = 0;
  AssemblyWork assembly;  ///< work in the assembly tree, with method="adaptive"
};

inline StageStats& operator+=(StageStats& a, const StageStats& b) {
  a.pairs_after_hierarchy += b.pairs_after_hierarchy;
  a.pairs_after_culling += b.pairs_after_culling;
  a.seconds_hierarchy += b.seconds_hierarchy;
  a.seconds_culling += b.seconds_culling;
  a.seconds_exact += b.seconds_exact;
  a.assembly += b.assembly;
  return a;
}

/// A contact of a robot.
struct RobotContact {
  /// The tolerance is the tolerance of the options. Without one, it is the largest default of the
  /// tested pairs, or of the largest bodies if no pair was tested.
  Contact contact;
  Index link_a = -1, link_b = -1;  ///< link_b is -1 for a contact with the world
  Index body = -1;                 ///< body of the world, or -1
  Count pairs_tested = 0;          ///< pairs that the traversal opened
  StageStats stages;
  Index piece = -1;  ///< piece of the path
  double time = 0;   ///< time within the piece
};

/// Times at which a best-first traversal evaluates the poses of links.
struct PoseTimes {
  double last = 1;            ///< end of the query
  double longest_window = 1;  ///< length of the longest window of bounds
  double grid = 1;            ///< pairs share the poses at multiples of this time

  Span window(double time) const { return {time, std::min(last, time + longest_window)}; }
  double snapped(double time) const { return std::floor(time / grid) * grid; }
};

/// A robot on one motion among the bodies of a world. The arguments must outlive it. `poses` have
/// been started for the motion.
struct RobotInWorld {
  using Bodies = RobotPair;
  using Found = RobotContact;

  const Robot& robot;
  const BodySet& world;
  LinkPoses& poses;
  BroadPhase& broad;
  const Options& options;
  bool self_contact = true;
  const Separations* separations = nullptr;  ///< null: the separation of the options for all pairs
  const IgnoredPairs* ignored = nullptr;     ///< null: all links are tested against all bodies
  const PathStarts* starts = nullptr;        ///< null: pairs start with this motion
  double tolerance = options.tolerance;      ///< addition of the broad phase to the separations
  PoseTimes times{};

  /// Refers to the members of `given`, and to `own` instead of its options. The caller may change
  /// `own`.
  RobotInWorld(const Robot& robot, const BodySet& world, LinkPoses& poses, BroadPhase& broad,
               const RobotOptions& given, const Options& own);
  /// Tests all pairs with plain options.
  RobotInWorld(const Robot& robot, const BodySet& world, LinkPoses& poses, BroadPhase& broad,
               const Options& options)
      : robot(robot), world(world), poses(poses), broad(broad), options(options) {}

  /// Widens the separations by a tolerance that no pair exceeds.
  void widen() {
    if (tolerance == 0) tolerance = largest_tolerance();
  }
  /// Returns candidate pairs in no particular order. They are valid until the next run of `broad`.
  std::span<Candidate> find_candidates() { return broad.run(robot, world, poses, query()); }
  /// Returns the pairs that the broad phase has to find.
  BroadQuery query() const {
    return {options.separation + tolerance, self_contact, ignored, separations, tolerance};
  }

  std::vector<Candidate> reachable_pairs();
  std::vector<Candidate> candidates_at(double time);
  Options options_of(const Candidate& pair) const {
    Options own = options;
    if (separations) own.separation = separations->of({pair.a, second_of(pair)});
    if (starts) own.start = starts->of(pair);
    return own;
  }
  static void name(const Candidate& pair, RobotContact& found) {
    found.link_a = pair.a;
    found.link_b = pair.links < 0 ? -1 : pair.b;
    found.body = pair.links < 0 ? pair.b : -1;
  }
  std::optional<Pose> frame_of(const Candidate& pair, double time);
  Index second_of(const Candidate& pair) const {
    return pair.links < 0 ? static_cast<Index>(robot.links().size()) + pair.b : pair.b;
  }

  const Mesh& mesh_a(const Candidate& pair) const { return *robot.links()[pair.a].mesh; }
  const Mesh& mesh_b(const Candidate& pair) const {
    return pair.links < 0 ? world.body(pair.b).mesh : *robot.links()[pair.b].mesh;
  }
  /// Bounds the rounding error of distances of all pairs.
  double error_of_pairs() const;
  /// Bounds the default tolerance of all pairs.
  double largest_tolerance() const;
};

}  // namespace toccata
