// An articulated body with mass: its dynamics, of which as many joints are simulated as matter.
#pragma once

#include <span>
#include <vector>

#include "toccata/dynamics/articulated/active_joints.hpp"
#include "toccata/dynamics/articulated/mimic_tree.hpp"

namespace toccata {

class ArticulatedBody;

/// A force or an impulse on the frame of a joint, at a point of the world, and a torque; world
/// axes.
struct FramePull {
  Index joint;
  Vec3d point, force, torque;
};

/// Pulls a point of a frame towards another one, of the same body, of another, or of the world.
struct Spring {
  Index joint;  ///< -1: the world
  Vec3d point;  ///< in the frame
  ArticulatedBody* other;
  Index other_joint;
  Vec3d other_point;
  double stiffness, length, damping;
};

/// What does not change.
struct ArticulatedSettings {
  Vec3d gravity{0, 0, -9.81};
  std::vector<double> lower, upper;  ///< by coordinate; none if empty
  int refresh = 10;                  ///< steps after which the active joints are chosen anew
  /// A rate counts in the metric as the acceleration that ends it in this time.
  double metric_time = 0.1;
  double metric_length = 1;  ///< a shift by it counts as a turn by one radian
};

/// Which half of a step a kick is.
enum class Kick : std::uint8_t { before_move, after_move };

/// What steps have cost, in groups and joints.
struct ArticulatedWork {
  Count groups = 0;     ///< groups that were placed and factored
  Count solves = 0;     ///< groups that took part in solving for accelerations
  Count refreshes = 0;  ///< times that active joints were chosen
  Count refreshed = 0;  ///< joints that were looked at for that
};

/// Velocities have a rate for each number of revolute, prismatic and planar joints. Floating ones
/// have six: the velocity of the frame's origin, and the spin, in the axes of the joint's place.
/// Joints that are not active have rate 0; what they hold together is a rigid group.
class ArticulatedBody {
 public:
  /// `masses` by joint: of all that its frame carries, in its axes; a frame may have none.
  ArticulatedBody(std::vector<Joint> joints, std::span<const MassProperties> masses,
                  ArticulatedSettings settings);

  std::span<const Joint> joints() const { return model_.joints; }
  Index coordinates() const { return model_.table.coordinates; }
  Index freedoms() const { return model_.table.freedoms; }
  const FreedomTable& table() const { return model_.table; }

  std::span<const double> q() const { return q_; }
  std::span<const double> v() const { return v_; }
  /// Rates of joints that are not active become 0, and momentum stays what it was.
  void set(std::span<const double> q, std::span<const double> v);
  /// Joints that are not active have rate 0 in it.
  void set_velocity(std::span<const double> v);

  /// Forces of joints, by rate.
  std::vector<double> tau;
  /// Forces of joints against their rates, per unit of it.
  std::span<const double> damping() const { return damping_; }
  void set_damping(std::span<const double> damping);
  std::vector<Spring> springs;
  /// Act in each `kick` until they are taken away.
  std::vector<FramePull> pulls;

  /// Of the frame of a joint, in the world; -1 is the world itself.
  Pose frame(Index joint);
  /// Of the frame's origin, world axes.
  Spatial velocity(Index joint);
  /// Kinetic and potential energy. A spring to another body counts half for each.
  double energy();
  double kinetic_energy();
  /// Linear, and angular about the origin of the world.
  Spatial momentum();

  /// Accelerations of all rates if all joints were active, with gravity and joint forces alone.
  void acceleration(const double* q, const double* v, const double* tau, double* out);

  /// Accelerations of active joints' rates at the present state, by all forces.
  void present_acceleration(double* out);

  /// How frames respond to impulses, blocks of 6 x 6 by rows: the k x k blocks of k frames make one
  /// matrix of 6k x 6k, by rows. Velocities are those of origins, world axes; impulses are a force,
  /// and a torque about the origin.
  void mobility(std::span<const Index> joints, double* blocks);
  /// Changes velocities by impulses.
  void apply(std::span<const FramePull> impulses);
  /// Lets all forces act for some time at the present configuration. Coriolis forces and the
  /// dampings of springs are those of the velocity of the move: the one after the kick, or before.
  void kick(double time, Kick kick = Kick::before_move);
  /// Stops joints that would leave their limits within some time, inelastically: kinetic energy
  /// does not rise. What is outside already gets no farther.
  void stop_at_limits(double time);
  /// Moves along the velocities, straight in the numbers of joints.
  void move(double time);
  void move_to(std::span<const double> q);
  /// n steps of bodies that springs may connect: the active joints, half a kick, a move, and half a
  /// kick. Then pulls end.
  static void step_all(std::span<ArticulatedBody* const> bodies, double time, Index n,
                       const ActiveChoice& choice);

  /// Makes joints active by a choice, if that is due: every `refresh` calls, or if it is a new one.
  void adapt(const ActiveChoice& choice);
  /// By joint: whether it is active. Those that become inactive lose their rate, and the body keeps
  /// its momentum; kinetic energy does not rise.
  std::span<const std::uint8_t> active() const { return active_; }
  void set_active(std::span<const std::uint8_t> active);
  /// Makes all joints active between frames and the ground, so that impulses on the frames move
  /// what they would move; until active joints are chosen again.
  void activate(std::span<const Index> joints);
  Index active_count() const;
  /// By joint: the rigid group that its frame is in; 0 is what does not move.
  std::span<const Index> groups() const { return tree_.tree().groups_of_joints(); }

  /// The metric by joint as if all were active, and by node of the assembly tree.
  std::span<const double> measure();
  const ActiveJoints& selection() const { return selection_; }
  /// The metric of all that was left rigid when active joints were last chosen.
  double rigid_metric() const { return rigid_metric_; }
  const ArticulatedWork& work() const { return work_; }

  /// How active joints are chosen, how many steps ago they were, and the metric that was left
  /// rigid: all that steps and reports depend on beside the state, the active joints and forces.
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
  bool placed_ = false, moving_ = false;  // whether the tree has the present q and v
  double factored_ = -1;                  // the time for which damping is in the factor, or -1
  bool damped_ = false;

  ActiveJoints selection_;
  std::vector<std::uint8_t> active_, wanted_;
  std::vector<std::uint8_t> chosen_;
  ActiveChoice choice_;
  int since_refresh_ = 0;
  double rigid_metric_ = 0;
  std::vector<double> values_;
  ArticulatedWork work_;

  /// A joint at a limit: sign * rate >= bound.
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
