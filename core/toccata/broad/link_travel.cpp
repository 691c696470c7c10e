// The accounts of travel of a front of pairs of links: between motions, and during a motion.
#include <algorithm>
#include <cstring>

#include "toccata/broad/link_front.hpp"
#include "toccata/math/single.hpp"

namespace toccata {
namespace {

/// Number of motions after which the sums of travel start again from zero, so that their rounding
/// stays small.
constexpr int longest_account = 256;

}  // namespace

/// Adds the travel from the start of the last motion to the start of this one.
void LinkFront::go_on() {
  const std::size_t bytes = sizeof(double) * reference_.size();
  const bool has_moved = std::memcmp(reference_.data(), at_->motion.start, bytes) != 0;
  has_shifts_ = false;
  if (has_moved) add_jump();
  if (version_ != at_->groups.version() || ++motions_ > longest_account) {
    regroup();
    list_bases();
  }
}

/// Bounds the travel of links from the reference to the start of the motion by a motion of all
/// joints whose coordinates differ. While the groups stay the same, only active joints differ.
void LinkFront::add_jump() {
  const Robot& robot = at_->robot;
  const double *from = reference_.data(), *to = at_->motion.start;
  jump_.resize(robot.joints().size() + 1);
  jump_[0] = {};
  if (version_ == at_->groups.version()) {
    for (const Index j : at_->groups.active()) {
      const Seat& seat = at_->groups.seat(robot.joints()[j].parent, at_->poses.work);
      jump_[j + 1] = ChainSums(jump_[seat.carrier + 1].carried(seat.length, seat.joints),
                               robot.motion(j, from, to));
    }
    add_up(jumps_, [&](Index carrier) { return jump_[carrier + 1].speed_bound(0); });
  } else {
    add_jump_of_all(from, to);
  }
  for (std::size_t k = 0; k < sums_.size(); ++k)
    sums_[k] = (sums_[k] + jumps_[k]) * broadcast(single_up);
}

void LinkFront::add_jump_of_all(const double* from, const double* to) {
  const Robot& robot = at_->robot;
  joint_shifts_.assign(robot.joints().size() + 1, 0);
  for (Index j = 0; j < static_cast<Index>(robot.joints().size()); ++j) {
    const Joint& joint = robot.joints()[j];
    const Index first = joint.coordinate, last = first + coordinate_count(joint.kind);
    const ChainSums& above = jump_[joint.parent + 1];
    const bool stays = std::equal(from + first, from + last, to + first);
    if (stays && joint.kind == JointKind::revolute)
      jump_[j + 1] = above.carried(norm(joint.origin.translation), 1);
    else jump_[j + 1] = ChainSums(above, robot.motion(j, from, to));
    joint_shifts_[j + 1] = !was_active_[j] && (!stays || joint_shifts_[joint.parent + 1]);
  }
  shifts_.assign(packs_, Mask{});
  has_shifts_ = false;
  for (Index i = 0; i < links(); ++i)
    if (joint_shifts_[robot.links()[i].joint + 1])
      shifts_[first_pack(i)].set(i % lanes, -1), has_shifts_ = true;
  jumps_.assign(bases_.size() * packs_, broadcast(0));
  for (std::size_t b = 0; b < bases_.size(); ++b) {
    const SpeedBound root = jump_[bases_[b].carrier + 1].speed_bound(0);
    for (const Index i : bases_[b].links) {
      const Link& link = robot.links()[i];
      const SpeedBound own = jump_[link.joint + 1].speed_bound(link.mesh->reach());
      jumps_[b * packs_ + first_pack(i)].set(i % lanes, rounded_up(own.from(root)));
    }
  }
}

/// Computes the travel of links in the frame of each base, from the bounds of their carriers.
template <class BoundOf>
void LinkFront::add_up(std::vector<Pack>& travel, const BoundOf& bound_of) {
  travel.assign(bases_.size() * packs_, broadcast(0));
  bounds_.clear();
  for (const Index carrier : distinct_) bounds_.push_back(bound_of(carrier));
  for (std::size_t b = 0; b < bases_.size(); ++b) {
    const SpeedBound root = bound_of(bases_[b].carrier);
    for (const Index i : bases_[b].links) {
      SpeedBound own = bounds_[seats_[i].group];
      own.far += seats_[i].far;
      travel[b * packs_ + first_pack(i)].set(i % lanes, rounded_up(own.from(root)));
    }
  }
}

/// Computes the travel of this motion. All motions last for one unit of time, so speeds are
/// lengths.
void LinkFront::add_step() {
  add_up(steps_, [&](Index carrier) { return at_->poses.sums(carrier).speed_bound(0); });
}

/// Subtracts the travel from the limits. What is left stays valid for other groups, because
/// distances do not depend on the groups. Pairs at rest have traveled only if a joint inside of
/// their group has another coordinate.
void LinkFront::regroup() {
  for (Index row = 0; row < links(); ++row)
    for (std::size_t p = first_pack(row); p < packs_; ++p) {
      Cell& c = cell(row, p);
      if (!c.tested) continue;
      const std::size_t base = base_of_cell_[row * packs_ + p] * packs_;
      const std::size_t own = base + first_pack(row), others = base + p;
      const int k = row % lanes;
      Pack travel = sums_[own][k] + sums_[others];
      if (has_shifts_) {
        const Mask shifts = shifts_[first_pack(row)][k] ? Mask{} == 0 : shifts_[p];
        const Pack jump = select(shifts, jumps_[own][k] + jumps_[others], broadcast(0));
        travel = select(c.rests, jump, travel);
      } else {
        travel = select(c.rests, broadcast(0), travel);
      }
      const Pack limit = select(c.rests, c.left, c.limit),
                 left = limit - travel * broadcast(single_up);
      const Mask is_finite = abs(limit) < broadcast(infinite);
      c.limit = select(is_finite, left - abs(left) * broadcast(single_slack), limit);
    }
}

/// Finds the seats of links in the frames of their carriers, and the distinct carriers.
void LinkFront::list_seats() {
  const Robot& robot = at_->robot;
  group_of_.assign(robot.joints().size() + 1, -1);
  distinct_.clear(), seats_.clear();
  most_far_ = 0, most_joints_ = 0;
  groups_.assign(packs_, Mask{});
  const auto group = [&](Index carrier) {
    Index& found = group_of_[carrier + 1];
    if (found < 0) found = static_cast<Index>(distinct_.size()), distinct_.push_back(carrier);
    return found;
  };
  const Index ground = group(-1);  // bodies do not move
  for (Index i = 0; i < static_cast<Index>(packs_ * lanes); ++i)
    if (i >= links()) groups_[first_pack(i)].set(i % lanes, ground);
  for (Index i = 0; i < links(); ++i) {
    const Link& link = robot.links()[i];
    const Seat& seat = at_->groups.seat(link.joint, at_->poses.work);
    const LineSwept& line = robot.line_swept(i);
    seats_.push_back({group(seat.carrier), seat.length + link.mesh->reach(),
                      seat.pose * link.mesh->center(), seat.pose * line.start, seat.pose * line.end,
                      link.mesh->radius(), line.radius});
    // As for the error of a link, but for all points within these distances.
    most_far_ = std::max({most_far_, seats_.back().far, seat.length + norm1(line.start),
                          seat.length + norm1(line.end)});
    most_joints_ = std::max(most_joints_, seat.joints);
    groups_[first_pack(i)].set(i % lanes, seats_.back().group);
  }
}

/// Finds for each row of pairs the deepest joint that carries all.
void LinkFront::list_bases() {
  motions_ = 0;
  version_ = at_->groups.version();
  list_seats();
  const std::size_t joints = at_->robot.joints().size();
  was_active_.resize(joints);
  for (std::size_t j = 0; j < joints; ++j)
    was_active_[j] = at_->groups.is_active(static_cast<Index>(j));
  bases_.clear();
  base_of_.assign(joints + 1, -1);
  for (std::size_t p = 0; p < packs_; ++p) {
    Index shared = distinct_[groups_[p][0]];
    for (int lane = 1; lane < lanes; ++lane)
      shared = at_->poses.shared(shared, distinct_[groups_[p][lane]]);
    Index last = -1, base = -1;
    for (Index row = 0; row < links() && first_pack(row) <= p; ++row) {
      if (row == 0 || seats_[row].group != last) base = list_base(seats_[row].group, shared);
      last = seats_[row].group;
      Cell& c = cell(row, p);
      if (!c.tested) continue;
      base_of_cell_[row * packs_ + p] = base;
      c.rests = groups_[p] == Mask(last);
      // Pairs at rest are due only if nothing is known about them.
      c.left = c.limit;
      c.limit = select(c.rests & (c.left >= broadcast(0)), broadcast(infinite), c.limit);
      c.limit = select(c.rests & (c.left < broadcast(0)), broadcast(-infinite), c.limit);
    }
  }
  for (Index i = 0; i < links(); ++i)
    for (Index carrier = distinct_[seats_[i].group];; carrier = at_->poses.above(carrier)) {
      if (const Index base = base_of_[carrier + 1]; base >= 0) bases_[base].links.push_back(i);
      if (carrier < 0) break;
    }
  sums_.assign(bases_.size() * packs_, broadcast(0));
}

Index LinkFront::list_base(Index group, Index shared) {
  const Index carrier = at_->poses.shared(distinct_[group], shared);
  Index& base = base_of_[carrier + 1];
  if (base < 0) base = static_cast<Index>(bases_.size()), bases_.push_back({carrier, {}});
  return base;
}

}  // namespace toccata
