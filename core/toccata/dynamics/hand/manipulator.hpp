// One body that follows a target among others, slides along what it touches and never penetrates:
// the worlds of first and second order of Redon, Kheddar, Coquillart 2002 (section 7), or the
// god-object of Ortega, Redon, Coquillart 2007, with certified motions.
#pragma once

#include <array>

#include "toccata/dynamics/certify/certifier.hpp"
#include "toccata/dynamics/hand/slide.hpp"
#include "toccata/motion/rows.hpp"

namespace toccata {

/// One motion of a path. During all of it the body was farther than `separation` from all others.
struct CertifiedMotion {
  std::array<double, 35> numbers;  ///< of MotionKind::linear: start, end, pivot
  double separation;
  Interval window;  ///< of the times of the world meanwhile
};

enum class MoveStatus : std::uint8_t { reached, moving, blocked, jammed };

struct Move {
  MoveStatus status = MoveStatus::moving;
  Displacement wrench;  ///< of the contacts on the body: force and torque for a spring of unit mass
  int substeps = 0;     ///< motions that were executed
  int truncated = 0;    ///< of these, how many were shorter than proposed
  double time = 0;      ///< of the world, at the end
  bool waited = false;  ///< bodies on motions are not as far as they should be
};

/// Where a move shall lead: a pose of the body, and a time of the world, no earlier than it is.
struct Aim {
  Matrix4 target;
  double time = 0;
  double duration = 0;  ///< in seconds, of a body with momentum
};

/// A body with momentum: of so much mass, pulled by a critically damped spring.
struct Momentum {
  double mass = 1;
  double rate = 0;  ///< by second; 0: a body without momentum
};

/// Every substep proposes a motion, certifies it, and executes what is proven; so the body is free
/// of contact at all times, whatever was proposed. Bodies of the world on a motion play it as far
/// as moves ask for, push the body along, and wait where nothing else is proven. Mesh and world
/// must outlive it.
class Manipulator {
 public:
  /// `shell` is the distance at which the body rests; 0 chooses a thousandth of its radius, or
  /// more where rounding asks for it. Throws `invalid_argument` for curved surfaces, a pose that
  /// is not rigid, and a shell near rounding.
  Manipulator(const Mesh& body, const World& world, const Matrix4& pose, double shell,
              const Momentum& momentum = {});

  /// The body of the world that is too near to start from here, and how near; -1 if none is.
  struct Obstacle {
    Index body = -1;
    double distance = 0, least = 0;
  };
  Obstacle obstacle() const;

  /// Moves towards the target. Instead of its own proposals it takes those given, in turn: what a
  /// solver says is not trusted.
  Move move(const Aim& aim, int max_substeps, std::span<const Displacement> given = {});
  /// Takes back that many moves; no more than `moves`.
  void undo(std::size_t count);
  std::size_t moves() const { return first_of_move_.size(); }

  /// What the body rests on now, or would after a turn that moves nothing by more than the shell.
  std::span<const Proximity> contacts() {
    find_near(1.5 * shell_, shell_ / radius_);
    return near_;
  }

  const Matrix4& pose() const { return pose_; }
  double shell() const { return shell_; }
  /// Of the world.
  double time() const { return certifier_.time(); }
  /// By second, of the center and about it; 0 without momentum.
  const Displacement& velocity() const { return velocity_; }
  std::span<const CertifiedMotion> path() const { return path_; }

 private:
  static constexpr double hard_in_shells = 0.25;  // separation of motions near others
  static constexpr double still_in_radii = 1e-6;  // motions smaller than this are none
  static constexpr double least_sight = 0x1p-6, most_sight = 0x1p-5;

  /// How far proposals go, as a part of what linear rows are good for, and how much of that far
  /// others are looked for: what is farther away seldom matters, and takes long to list.
  struct Trust {
    double length = 1, sight = least_sight;
    int refused = 0;  ///< motions where nothing is near, since the last one that was proven

    /// So much of a proposal was proven.
    void adapt(double part);
    /// How much of the way to propose where nothing is near. Of one that is too long for rounding
    /// a half leads home, step by step, from far away, and much less leads away.
    double straight() const;
  };
  /// The way to one target, however many moves it takes: what they have learned of it.
  struct Pursuit {
    Matrix4 target{};
    Trust trust;
    double energy = 0;  ///< when it was last looked whether the body gets nearer
    int substeps = 0;   ///< since then
  };
  /// A point of the body that met a point of another one, and how.
  struct Met {
    Vec3d on_body;        ///< body coordinates
    Vec3d point, normal;  ///< of the other one, in its own
    Index other;
  };
  struct Proposal {
    Displacement by;
    double until;     ///< time of the world
    double most;      ///< of separations
    double duration;  ///< in seconds
    bool is_straight = true, is_blocked = false;
  };

  Motion here() const { return Motion::fixed(pose_of(pose_.data())); }
  void find_near(double distance, double turn);
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
  void remember(const Verdict& verdict, const Step& step);
  double execute(const Proposal& proposal, Move& move);
  void substep(const Proposal& proposal, const Pose& goal, bool is_own, Move& move);
  void learn(const Proposal& proposal, double part, bool passes, Move& move);
  void follow(const Aim& aim, const Pose& goal, int max_substeps,
              std::span<const Displacement> given, Move& move);
  void advance(const Aim& aim, const Pose& goal, int max_substeps,
               std::span<const Displacement> given, Move& move);
  void pass(const Pose& goal, const Pose& before, double duration);
  Slider slider() const;
  bool is_at_rest() const;
  std::array<double, 35> numbers_to(const Pose& end) const;

  const Mesh& body_;
  Certifier certifier_;
  Matrix4 pose_;
  double shell_, radius_;  // radius about the center
  Momentum momentum_;
  Displacement velocity_;
  Vec3d center_;   // of mass, in body coordinates
  Mat3d inertia_;  // by mass, body axes
  Slide slide_;
  Pursuit pursuit_;
  std::vector<Met> met_;  // not left behind yet
  std::vector<Proximity> near_;
  std::vector<Carried> others_;  // during a proposal
  StartDistances start_;
  std::array<double, 35> numbers_{};  // of the motion that is asked about
  FeatureRanks ranks_;
  std::vector<FeatureRanks> world_ranks_;
  std::vector<CertifiedMotion> path_;
  struct Start {
    std::size_t motion;  ///< of the path
    Displacement velocity;
  };
  std::vector<Start> first_of_move_;
};

}  // namespace toccata
