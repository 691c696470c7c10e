// An articulated body with mass and adaptive dynamics: only the active joints are simulated (Redon,
// Galoppo, Lin 2005).
#pragma once

#include <span>
#include <vector>

#include "toccata/dynamics/articulated/active_joints.hpp"
#include "toccata/dynamics/articulated/mimic_tree.hpp"

namespace toccata {

class ArticulatedBody;

/// A wrench or an impulse on the frame of a joint: a force at a point, and a torque; world
/// coordinates.
struct FramePull {
  Index joint;
  Vec3d point, force, torque;
};

/// A spring between a point of a frame and a point of another frame: of the same body, of another
/// body, or of the world.
struct Spring {
  Index joint;  ///< -1: the world
  Vec3d point;  ///< in the frame
  ArticulatedBody* other;
  Index other_joint;
  Vec3d other_point;
  double stiffness, length, damping;
};

/// Parameters that stay constant.
struct ArticulatedSettings {
  Vec3d gravity{0, 0, -9.81};
  std::vector<double> lower, upper;  ///< by coordinate; empty: no limits
  int refresh = 10;                  ///< steps between two choices of the active joints
  /// Time in seconds that makes rates and accelerations comparable: in the metric, a rate equals
  /// the acceleration that ends it in this time.
  double metric_time = 0.1;
  double metric_length = 1;  ///< length whose translation equals a rotation by one radian
};

/// The two halves of a step at which forces act.
enum class Kick : std::uint8_t { before_move, after_move };

/// Work of all steps, counted in groups and joints.
struct ArticulatedWork {
  Count groups = 0;     ///< groups that were placed and factored
  Count solves = 0;     ///< groups in solutions for accelerations
  Count refreshes = 0;  ///< choices of active joints
  Count refreshed = 0;  ///< joints that these choices evaluated
};

/// An articulated body in reduced coordinates. Revolute, prismatic and planar joints have one rate
/// for each coordinate. A floating joint has six: the velocity of the frame's origin and the spin,
/// in the axes of the joint's frame at zero. Inactive joints have rate 0, and the links that they
/// connect are a rigid group.
class ArticulatedBody {
 public:
  /// `masses`: mass properties of everything that the frame of each joint carries, in its axes. A
  /// frame may have no mass.
  ArticulatedBody(std::vector<Joint> joints, std::span<const MassProperties> masses,
                  ArticulatedSettings settings);

  std::span<const Joint> joints() const { return model_.joints; }
  Index coordinates() const { return model_.table.coordinates; }
  Index freedoms() const { return model_.table.freedoms; }
  const FreedomTable& table() const { return model_.table; }

  std::span<const double> q() const { return q_; }
  std::span<const double> v() const { return v_; }
  /// Sets the state. Rates of inactive joints become 0; momentum is conserved.
  void set(std::span<const double> q, std::span<const double> v);
  /// Sets rates, which are 0 for inactive joints.
  void set_velocity(std::span<const double> v);

  /// Joint forces, by rate.
  std::vector<double> tau;
  /// Viscous damping of joints, by rate: force per unit of the rate.
  std::span<const double> damping() const { return damping_; }
  void set_damping(std::span<const double> damping);
  std::vector<Spring> springs;
  /// Wrenches that act in each `kick` until they are removed.
  std::vector<FramePull> pulls;

  /// Returns the pose of a joint's frame in the world. Joint -1 is the world itself.
  Pose frame(Index joint);
  /// Returns the velocity of a frame's origin and its spin, world axes.
  Spatial velocity(Index joint);
  /// Returns kinetic plus potential energy. Each of two bodies has half of a spring between them.
  double energy();
  double kinetic_energy();
  /// Returns the linear momentum, and the angular momentum about the origin of the world.
  Spatial momentum();

  /// Computes the accelerations of all rates by gravity and the given joint forces, as if all
  /// joints were active.
  void acceleration(const double* q, const double* v, const double* tau, double* out);

  /// Computes the accelerations of the rates of active joints in the current state, by all forces.
  void present_acceleration(double* out);

  /// Computes the mobility of k frames: their changes of velocity by unit impulses on them, as a
  /// matrix of 6k x 6k by rows. Velocities refer to the origins of frames, world axes. Impulses are
  /// a force and a torque about the origin.
  void mobility(std::span<const Index> joints, double* blocks);
  /// Changes velocities by impulses.
  void apply(std::span<const FramePull> impulses);
  /// Lets all forces act for `time` seconds at the current configuration. Coriolis forces and the
  /// damping of springs use the velocity of the move: the result of a kick before the move, and the
  /// start of a kick after it.
  void kick(double time, Kick kick = Kick::before_move);
  /// Stops joints that would leave their limits within `time`, inelastically: kinetic energy never
  /// rises. Joints that are outside do not go farther.
  void stop_at_limits(double time);
  /// Moves along the current rates for `time` seconds, straight in joint space.
  void move(double time);
  void move_to(std::span<const double> q);
  /// Advances several bodies, which springs may connect, by n steps: adapts the active joints,
  /// kicks for half of the time, moves, and kicks again. Clears pulls at the end.
  static void step_all(std::span<ArticulatedBody* const> bodies, double time, Index n,
                       const ActiveChoice& choice);

  /// Chooses the active joints if a refresh is due: every `refresh` calls, or if the choice
  /// changes.
  void adapt(const ActiveChoice& choice);
  /// Returns a flag for each joint: whether it is active.
  std::span<const std::uint8_t> active() const { return active_; }
  void set_active(std::span<const std::uint8_t> active);
  /// Activates all joints between some frames and the ground, so that impulses on the frames have
  /// their full effect. They remain active until the next refresh.
  void activate(std::span<const Index> joints);
  Index active_count() const;
  /// Returns the rigid group of each joint's frame; group 0 is fixed.
  std::span<const Index> groups() const { return tree_.tree().groups_of_joints(); }

  /// Computes the metric of each joint as if all were active, and the metrics of the nodes of the
  /// assembly tree.
  std::span<const double> measure();
  const ActiveJoints& selection() const { return selection_; }
  /// Returns the metric of all inactive joints at the last refresh.
  double rigid_metric() const { return rigid_metric_; }
  const ArticulatedWork& work() const { return work_; }

  /// Everything besides the state, the active joints and the forces that influences later steps:
  /// the choice, the number of steps since the last refresh, and the metric of inactive joints.
  struct Schedule {
    ActiveChoice choice;
    int since_refresh = 0;
    double rigid_metric = 0;
  };
  Schedule schedule() const { return {choice_, since_refresh_, rigid_metric_}; }
  void set_schedule(const Schedule& s) {
    choice_ = s.choice, since_refresh_ = s.since_refresh, rigid_metric_ = s.rigid_metric;
  }

 private:
  void place();
  void factor(double time);
  void set_rates();
  void gather_forces(MimicTree& tree);
  void accelerate(MimicTree& tree, const double* rates, double* out);
  void add_wrenches(GroupTree& tree) const;
  void add_wrench(GroupTree& tree, const FramePull& pull) const;
  bool keeps_groups(std::span<const double> q, std::span<const double> v) const;
  void rebuild(std::span<const std::uint8_t> active);
  void keep_momentum(const GroupTree& before);
  void half_step(double time, Kick half);
  bool find_stops(double time);
  void solve_stops();
  MimicTree& full();

  ArticulatedModel model_;
  ArticulatedSettings settings_;
  std::vector<double> q_, v_, damping_;
  MimicTree tree_, full_;
  bool has_full_ = false;
  bool placed_ = false, moving_ = false;  // the tree has the current q and v
  double factored_ = -1;                  // duration whose damping is in the factor, or -1
  bool damped_ = false;

  ActiveJoints selection_;
  std::vector<std::uint8_t> active_, wanted_;
  std::vector<std::uint8_t> chosen_;
  ActiveChoice choice_;
  int since_refresh_ = 0;
  double rigid_metric_ = 0;
  std::vector<double> values_;
  ArticulatedWork work_;

  /// A joint at a limit. Constraint: sign * rate >= bound.
  struct Stop {
    Index freedom;
    double sign, bound, impulse;
  };
  std::vector<Index> touched_;
  std::vector<Stop> stops_;
  std::vector<double> stop_columns_;
  std::vector<double> start_, rates_, forces_, out_;
};

}  // namespace toccata
