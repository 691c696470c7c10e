// Responses of links to impulses, in blocks for the contact solver.
#include "toccata/dynamics/world/island_mobilities.hpp"

#include "toccata/dynamics/body/symmetric.hpp"

namespace toccata {
namespace {

/// Reads a block of 6 x 6 numbers from a matrix of `width` columns.
Mobility read_block(const double* p, std::size_t width) {
  const auto part = [&](std::size_t row, std::size_t column) {
    const double *a = p + width * row + column, *b = a + width, *c = b + width;
    return Mat3d{{a[0], b[0], c[0]}, {a[1], b[1], c[1]}, {a[2], b[2], c[2]}};
  };
  return {part(0, 0), part(0, 3), part(3, 0), part(3, 3)};
}

/// Returns the mobility about other points: the response at offset `to` from the first origin to an
/// impulse at offset `from` from the second.
Mobility shifted(const Mobility& m, const Vec3d& to, const Vec3d& from) {
  const Mat3d seen = transposed(skew(to)), pushed = skew(from);
  const Mat3d spin_by_force = m.spin_by_force + m.spin_by_torque * pushed;
  const Mat3d velocity_by_torque = m.velocity_by_torque + seen * m.spin_by_torque;
  return {m.velocity_by_force + m.velocity_by_torque * pushed + seen * spin_by_force,
          velocity_by_torque, spin_by_force, m.spin_by_torque};
}

}  // namespace

void IslandMobilities::activate(IslandBodies& bodies, std::span<const Index> touched) {
  for (std::size_t r = 0; r < bodies.robots().size(); ++r) {
    SimulatedRobot& robot = *bodies.robots()[r];
    if (robot.choice.activity != Activity::chosen) continue;
    touched_.clear();
    for (const Index i : touched)
      if (bodies.slot(i) >= 0 && bodies.body(i).is_link() && bodies.robot_of(i) == r)
        touched_.push_back(robot.tree.links()[bodies.body(i).link].joint);
    if (touched_.empty()) continue;
    robot.with(robot.v).activate(touched_);
    robot.follow_joints();
  }
}

void IslandMobilities::find(IslandBodies& bodies, std::span<const Index> touched) {
  mobilities_.articulated.resize(bodies.robots().size());
  mobilities_.owner.assign(bodies.count(), -1);
  mobilities_.slot.assign(bodies.count(), -1);
  bodies.velocities.links = &mobilities_;
  for (std::size_t k = 0; k < bodies.count(); ++k)
    if (bodies.at(k).is_link())
      mobilities_.owner[k] = static_cast<Index>(bodies.robot_of(bodies.index(k)));
  for (LinkMobilities::Listed& listed : mobilities_.articulated) listed.bodies.clear();
  for (const Index i : touched) {
    const Index k = bodies.slot(i);
    if (k < 0 || mobilities_.owner[k] < 0 || mobilities_.slot[k] >= 0) continue;
    std::vector<Index>& listed = mobilities_.articulated[mobilities_.owner[k]].bodies;
    mobilities_.slot[k] = static_cast<Index>(listed.size());
    listed.push_back(k);
  }
  for (std::size_t r = 0; r < bodies.robots().size(); ++r)
    if (!mobilities_.articulated[r].bodies.empty()) find_blocks(bodies, r);
}

/// Mobilities of articulated bodies refer to the origins of joints, those of contacts to the
/// centers of links.
void IslandMobilities::find_blocks(const IslandBodies& bodies, std::size_t r) {
  LinkMobilities::Listed& listed = mobilities_.articulated[r];
  const std::size_t n = listed.bodies.size();
  const SimulatedRobot& robot = *bodies.robots()[r];
  robot.moving().frames(robot.q.data(), robot.v.data(), frames_);
  touched_.clear();
  for (const Index k : listed.bodies)
    touched_.push_back(robot.tree.links()[bodies.at(k).link].joint);
  blocks_.resize(36 * n * n);
  robot.with(robot.v).mobility(touched_, blocks_.data());
  const auto arm = [&](std::size_t i) {
    const SimulatedBody& link = bodies.at(listed.bodies[i]);
    return link.state.center - robot.moving().carrier(link.link, frames_).translation;
  };
  listed.blocks.clear();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const Mobility block = read_block(&blocks_[36 * i * n + 6 * j], 6 * n);
      listed.blocks.push_back(shifted(block, arm(i), arm(j)));
    }
}

void IslandMobilities::push_robots(IslandBodies& bodies, BodyVelocities& all,
                                   const ContactPoints& contacts) {
  for (std::size_t r = 0; r < bodies.robots().size(); ++r) {
    const SimulatedRobot& robot = *bodies.robots()[r];
    pulls_.clear();
    const auto add = [&](Index k, const Vec3d& arm, const Vec3d& impulse) {
      if (k < 0 || mobilities_.owner[k] != static_cast<Index>(r) || norm1(impulse) == 0) return;
      const Index joint = robot.tree.links()[bodies.at(k).link].joint;
      pulls_.push_back({joint, bodies.at(k).state.center + arm, impulse, {0, 0, 0}});
    };
    for (std::size_t k = 0; k < contacts.count(); ++k) {
      add(contacts.body_a[k], contacts.arm_a[k], contacts.impulse[k]);
      add(contacts.body_b[k], contacts.arm_b[k], -contacts.impulse[k]);
    }
    if (pulls_.empty() || !(all.inverse_mass[bodies.slot(bodies.leader(r))] > 0)) continue;
    ArticulatedBody& body = robot.with(all.rates[r]);
    body.apply(pulls_);
    all.rates[r].assign(body.v().begin(), body.v().end());
    bodies.move_links(r, all);
    if (&all == &bodies.velocities) bodies.accounts.note_push(r);
  }
}

}  // namespace toccata
