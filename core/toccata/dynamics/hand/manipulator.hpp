// A body that follows a target among others, slides along them and never penetrates: the worlds of
// first and second order of Redon, Kheddar, Coquillart 2002 (section 7), or the god-object of
// Ortega, Redon, Coquillart 2007, with certified motions.
#pragma once

#include <array>

#include "toccata/dynamics/certify/certifier.hpp"
#include "toccata/dynamics/hand/slide.hpp"
#include "toccata/motion/rows.hpp"

namespace toccata {

/// A motion of the path. It keeps the body farther than `separation` from all others.
struct CertifiedMotion {
  std::array<double, 35> numbers;  ///< recipe of MotionKind::linear: start, end, pivot
  double separation;
  Interval window;  ///< times of the world at its start and end
};

enum class MoveStatus : std::uint8_t { reached, moving, blocked, jammed };

struct Move {
  MoveStatus status = MoveStatus::moving;
  Displacement wrench;  ///< force and torque of the contacts on the body, for a spring of unit mass
  int substeps = 0;     ///< executed motions
  int truncated = 0;    ///< executed motions that are shorter than proposed
  double time = 0;      ///< of the world, at the end
  bool waited = false;  ///< bodies with a motion have not reached the requested time
};

/// The target of a move: a pose of the body, and a time of the world, not before the current one.
struct Aim {
  Matrix4 target;
  double time = 0;
  double duration = 0;  ///< seconds, for a body with momentum
};

/// Mass of a body with momentum, and rate of the critically damped spring that pulls it.
struct Momentum {
  double mass = 1;
  double rate = 0;  ///< per second; 0: a body without momentum
};

/// A body moved by hand. Each substep proposes a motion, certifies it, and executes the proven
/// portion. The body is therefore free of contact at all times, whatever the proposal. Bodies of
/// the world with a motion play it up to the requested time, push the body along, and wait where
/// nothing is proven. Mesh and world must outlive the manipulator.
class Manipulator {
 public:
  /// Starts at a pose. `shell` is the distance at which the body rests on others; 0 chooses a
  /// thousandth of the body's radius, or more where rounding errors require it. Throws
  /// `invalid_argument` for curved surfaces, a pose that is not rigid, and a shell that is too
  /// small for rounding errors.
  Manipulator(const Mesh& body, const BodySet& world, const Matrix4& pose, double shell,
              const Momentum& momentum = {});

  /// A body of the world that is too close to start from, with the distances; -1: no such body.
  struct Obstacle {
    Index body = -1;
    double distance = 0, least = 0;
  };
  Obstacle obstacle() const;

  /// Moves towards the target. If `given` has displacements, they replace the solver's proposals,
  /// in turn: any proposal is safe.
  Move move(const Aim& aim, int max_substeps, std::span<const Displacement> given = {});
  /// Undoes the last `count` moves, at most `moves()`.
  void undo(std::size_t count);
  std::size_t moves() const { return first_of_move_.size(); }

  /// Returns the features within 1.5 shells of the body, now or after a rotation that displaces it
  /// by less than the shell.
  std::span<const Proximity> contacts() {
    find_proximities(1.5 * shell_, shell_ / radius_);
    return proximities_;
  }

  const Matrix4& pose() const { return pose_; }
  double shell() const { return shell_; }
  /// Returns the current time of the world.
  double time() const { return certifier_.time(); }
  /// Returns the velocity of the center and the spin, per second; 0 without momentum.
  const Displacement& velocity() const { return velocity_; }
  std::span<const CertifiedMotion> path() const { return path_; }

 private:
  static constexpr double hard_in_shells = 0.25;  // separation of motions close to others
  static constexpr double still_in_radii = 1e-6;  // smaller motions count as none
  static constexpr double least_sight = 0x1p-6, most_sight = 0x1p-5;

  /// Trust in proposals: their length, as a portion of the range of linearized constraints, and the
  /// portion of this length within which others are listed. Features farther away seldom matter and
  /// take long to list.
  struct Trust {
    double length = 1, sight = least_sight;
    int refused = 0;  ///< straight proposals without proof since the last proven one

    /// Adapts to the portion of a proposal that was proven.
    void adapt(double part);
    /// Returns the portion of the remaining displacement to propose if no body is close: a half
    /// after one refused proposal, and 2^-10 times less after each further one. Rounding errors
    /// grow with the length of a motion: halves lead back from far away, and targets far away need
    /// much smaller portions.
    double straight() const;
  };
  /// The pursuit of one target, across moves.
  struct Pursuit {
    Matrix4 target{};
    Trust trust;
    double energy = 0;  ///< at the last check whether the body approaches
    int substeps = 0;   ///< since that check
  };
  /// A point of the body in contact with a point of another body.
  struct Met {
    Vec3d on_body;        ///< body coordinates
    Vec3d point, normal;  ///< of the other body, in its coordinates
    Index other;
  };
  struct Proposal {
    Displacement by;
    double until;     ///< time of the world
    double most;      ///< upper limit of separations
    double duration;  ///< seconds
    bool is_straight = true, is_blocked = false;
  };

  Motion here() const { return Motion::fixed(pose_of(pose_.data())); }
  void find_proximities(double distance, double turn);
  Displacement to_target(const Pose& target) const;
  double size(const Displacement& d) const;
  double energy(const Displacement& d) const;
  void pursue(const Matrix4& target, const Pose& goal);
  bool gets_nearer(const Pose& goal);
  bool is_at(const Pose& goal) const;
  double farthest_of_others(double until) const;
  void carry_others(double until);
  void slide_beside(Proposal& proposal, const SlideLimits& limits);
  bool has_momentum() const { return momentum_.rate > 0; }
  Displacement wanted(const Pose& goal, double duration) const;
  Proposal propose(const Pose& goal, double until, double duration, Move& move);
  void add_met(double within);
  void remember(const Certificate& certificate, const WorldMotion& moving);
  double execute(const Proposal& proposal, Move& move);
  void substep(const Proposal& proposal, const Pose& goal, bool is_own, Move& move);
  void learn(const Proposal& proposal, double part, bool passes, Move& move);
  void follow(const Aim& aim, const Pose& goal, int max_substeps,
              std::span<const Displacement> given, Move& move);
  void advance(const Aim& aim, const Pose& goal, int max_substeps,
               std::span<const Displacement> given, Move& move);
  void update_velocity(const Pose& goal, const Pose& before, double duration);
  Slider slider() const;
  bool is_at_rest() const;
  std::array<double, 35> numbers_to(const Pose& end) const;

  const Mesh& body_;
  Certifier certifier_;
  Matrix4 pose_;
  double shell_, radius_;  // radius about the center of mass
  Momentum momentum_;
  Displacement velocity_;
  Vec3d center_;   // center of mass, body coordinates
  Mat3d inertia_;  // per unit of mass, body axes
  Slide slide_;
  Pursuit pursuit_;
  std::vector<Met> met_;  // contacts that the body has not left behind
  std::vector<Proximity> proximities_;
  std::vector<Carried> others_;  // during a proposal
  StartDistances start_;
  std::array<double, 35> numbers_{};  // recipe of the motion to certify
  FeatureRanks ranks_;
  std::vector<FeatureRanks> world_ranks_;
  std::vector<CertifiedMotion> path_;
  struct Start {
    std::size_t motion;  ///< index in the path
    Displacement velocity;
  };
  std::vector<Start> first_of_move_;
};

}  // namespace toccata
