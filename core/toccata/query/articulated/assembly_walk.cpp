#include "toccata/query/articulated/assembly_walk.hpp"

#include <algorithm>

#include "toccata/query/articulated/broad.hpp"

namespace toccata {
namespace {

bool is_empty(const Box& box) { return !(box.lo.x <= box.hi.x); }

}  // namespace

void AssemblyWalk::run(const Setting& setting, BroadPhase& broad) {
  at_ = &setting, broad_ = &broad;
  tree_ = &setting.robot.assembly().tree();
  margin_ = broad.largest_margin(setting.robot);
  ++motion_;
  boxes_.resize(tree_->nodes().size());
  carried_.resize(tree_->nodes().size());
  for (const Index node : setting.groups.moving_nodes()) box(node);
  setting.poses.work.nodes_updated += static_cast<Count>(setting.groups.moving_nodes().size());
  if (setting.world.size() > 0) compare_with_world(tree_->root(), false);
  if (broad.question().self_contact) compare(tree_->root());
}

/// Of all links of a node during the whole motion, widened by what counts as touching.
const Box& AssemblyWalk::box(Index index) {
  Boxed& boxed = boxes_[index];
  if (boxed.motion == motion_) return boxed.box;
  const AssemblyNode& node = (*tree_)[index];
  if (node.is_leaf()) {
    boxed.box = {};
    for (const Index link : at_->robot.assembly().links(index)) {
      extend(boxed.box, broad_->whole_box(at_->robot, at_->poses, link));
      ++at_->poses.work.bodies_placed;
    }
  } else if (at_->groups.is_rigid(index)) {
    boxed.box = rigid_box(index);
  } else {
    boxed.box = box(node.upper);
    extend(boxed.box, box(node.lower));
  }
  boxed.motion = motion_;
  return boxed.box;
}

/// The box around a rigid node as its carrier sees it.
const AssemblyWalk::Carried& AssemblyWalk::carried(Index node) {
  Carried& carried = carried_[node];
  if (carried.robot == at_->robot.id() && carried.version == at_->groups.version()) return carried;
  carried.robot = at_->robot.id(), carried.version = at_->groups.version();
  const Box& own = at_->groups.box(node);
  carried.is_empty = is_empty(own);
  if (carried.is_empty) return carried;
  const Seat& seat = at_->groups.seat((*tree_)[node].top - 1, at_->poses.work);
  const Mat3d& r = seat.pose.rotation;
  const Vec3d half = extent(own) * 0.5;
  carried.carrier = seat.carrier;
  carried.box = {seat.pose * center(own), {r.x * half.x, r.y * half.y, r.z * half.z}};
  carried.radius = norm(half);
  // Boxes of parts are moved into each other's frames, level by level: as many roundings as there
  // are joints, of lengths within reach.
  carried.joints = seat.joints + (*tree_)[node].size;
  carried.length = seat.length + at_->groups.reach(node);
  ++at_->poses.work.products;
  return carried;
}

Box AssemblyWalk::rigid_box(Index node) {
  const Carried& own = carried(node);
  if (own.is_empty) return {};
  const ChainSums& sums = at_->poses.sums(own.carrier);
  const double error = 4 * sums.carried(own.length, own.joints).error(0);
  return BroadPhase::swept(at_->poses.at(at_->poses.world_frame(own.carrier), 0.5, 0.5), own.box,
                           own.radius, margin_ + error);
}

/// Of two rigid nodes that do not move relative to each other.
bool AssemblyWalk::is_known(Index a, Index b) {
  if (!at_->proofs) return false;
  if (at_->proofs->knows_all()) return true;
  const auto placed = [&](Index node) {
    return at_->groups.seat((*tree_)[node].top - 1, at_->poses.work).pose;
  };
  GroupProofs::Nodes nodes{a, b, at_->groups.changed(a), 0, {}, {}};
  if (b != GroupProofs::itself) nodes.at_a = placed(a);
  if (b >= 0) nodes.at_b = placed(b), nodes.changed_b = at_->groups.changed(b);
  return at_->proofs->knows(nodes);
}

/// All pairs of links inside of a node.
void AssemblyWalk::compare(Index index) {
  const AssemblyNode& node = (*tree_)[index];
  if (at_->groups.is_rigid(index) && is_known(index, GroupProofs::itself)) return;
  if (node.is_leaf()) return compare_links(index, index);
  compare(node.upper);
  compare(node.lower);
  compare(node.upper, node.lower, false);
}

/// All pairs of a link of one node and a link of the other.
void AssemblyWalk::compare(Index a, Index b, bool is_resting) {
  if (!near(box(a), box(b), 0)) return;
  const AssemblyNode &first = (*tree_)[a], &second = (*tree_)[b];
  RigidGroups& groups = at_->groups;
  if (!is_resting && groups.is_rigid(a) && groups.is_rigid(b)) {
    AssemblyWork& work = at_->poses.work;
    is_resting = groups.seat(first.top - 1, work).carrier ==
                 groups.seat(second.top - 1, work).carrier;
    if (is_resting && is_known(a, b)) return;
  }
  if (first.is_leaf() && second.is_leaf()) return compare_links(a, b);
  if (first.size >= second.size) {
    compare(first.upper, b, is_resting);
    compare(first.lower, b, is_resting);
  } else {
    compare(a, second.upper, is_resting);
    compare(a, second.lower, is_resting);
  }
}

void AssemblyWalk::compare_links(Index frame_a, Index frame_b) {
  for (const Index a : at_->robot.assembly().links(frame_a))
    for (const Index b : at_->robot.assembly().links(frame_b))
      if (frame_a != frame_b || a < b)
        broad_->add_links(at_->robot, at_->poses, std::min(a, b), std::max(a, b));
}

void AssemblyWalk::compare_with_world(Index index, bool skips_fixed) {
  const Box& whole = box(index);
  if (is_empty(whole) || !broad_->meets_world(at_->world, whole)) return;
  const AssemblyNode& node = (*tree_)[index];
  if (!skips_fixed && at_->groups.is_rigid(index) &&
      at_->groups.seat(node.top - 1, at_->poses.work).carrier < 0) {
    skips_fixed = is_known(index, GroupProofs::world_at_rest);
    if (skips_fixed && !at_->world.moves()) return;
  }
  if (!node.is_leaf()) {
    compare_with_world(node.upper, skips_fixed);
    compare_with_world(node.lower, skips_fixed);
    return;
  }
  for (const Index link : at_->robot.assembly().links(index))
    broad_->add_bodies(at_->world, outward(broad_->whole_box(at_->robot, at_->poses, link)), link,
                       skips_fixed);
}

}  // namespace toccata
