// Traversal of the assembly tree from the root, or from the front of the last motion, and the flat
// comparison of all links.
#include "toccata/broad/assembly_walk.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace toccata {
namespace {

/// Number of links and bodies up to which the tree never pays in a sequence.
constexpr std::size_t few_bodies = 64;
/// Number of motions for which pairs of links are kept instead of pairs of nodes.
constexpr int flat_motions = 256;

bool is_empty(const Box& box) { return !(box.lo.x <= box.hi.x); }

bool meets_world(const BodySet& world, const Box& box) {
  const Boxf whole = outward(box);
  return std::any_of(world.packs().begin(), world.packs().end(),
                     [&](const BoxPack& pack) { return meets(pack, whole) != 0; });
}

}  // namespace

void AssemblyWalk::run(const Setting& setting, LinkDistances& boxes,
                       std::vector<Candidate>& found) {
  at_ = &setting, links_ = &boxes, found_ = &found;
  tree_ = &setting.robot.assembly().tree();
  if (is_flat())
    return setting.front->links.run({setting.robot, setting.world, setting.motion, setting.poses,
                                     setting.groups, setting.proofs->is_same()},
                                    boxes, found);
  margin_ = boxes.largest_margin();
  ++motion_;
  const std::size_t nodes = tree_->nodes().size();
  boxes_.resize(nodes), carried_.resize(nodes), travels_.resize(nodes);
  visited_ = 0;
  start_transforms();
  AssemblyFront* const front = setting.front;
  const bool goes_on = can_go_on();
  if (goes_on) {
    go_on();
  } else {
    if (front) front->pairs.clear();
    if (setting.world.size() > 0) compare_with_world(tree_->root());
    if (boxes.query().self_contact) compare(tree_->root());
  }
  if (!front) return;
  front->version = setting.motion.powers ? 0 : setting.groups.version();
  if (!goes_on) front->coarse = front->pairs.size();
  if (front->version)
    front->reference.assign(setting.motion.end, setting.motion.end + setting.robot.coordinates());
  const std::size_t frames = setting.robot.assembly().frames().size();
  if (visited_ > 6 * frames) front->flat = flat_motions;
}

/// Returns whether pairs of links serve the motion better than the tree. Only chains of joints
/// bound their travel.
bool AssemblyWalk::is_flat() const {
  AssemblyFront* const front = at_->front;
  if (!front) return false;
  const std::size_t bodies = at_->robot.links().size() + at_->world.size();
  const bool wins = bodies <= few_bodies || front->flat > 0;
  front->by_links = wins && at_->enclosures == Enclosures::chains &&
                    LinkFront::fits(at_->robot, at_->world);
  if (front->by_links) front->version = 0, front->flat -= front->flat > 0;
  else
    front->links.forget();  // its limits hold for the options and fixed bodies of its last motion
  return front->by_links;
}

/// Returns whether the front is valid: only the coordinates of active joints have changed since the
/// last traversal.
bool AssemblyWalk::can_go_on() const {
  const AssemblyFront* const front = at_->front;
  return front && front->version == at_->groups.version() && at_->proofs->knows_all() &&
         !at_->world.moves() && front->pairs.size() <= 2 * front->coarse + 16;
}

/// Resumes from the front. Skips pairs of nodes whose slack exceeds their travel.
void AssemblyWalk::go_on() {
  AssemblyFront& front = *at_->front;
  const std::size_t bytes = sizeof(double) * front.reference.size();
  parts_ = 1;
  if (std::memcmp(front.reference.data(), at_->motion.start, bytes) != 0) find_jump();
  std::swap(old_, front.pairs);
  front.pairs.clear();
  for (const FrontPair& pair : old_) {
    const double slack = pair.slack - travel(pair);
    if (slack > 0) front.pairs.push_back({pair.a, pair.b, pair.carrier, slack});
    else if (pair.b < 0) compare_with_world(pair.a);
    else compare(pair.a, pair.b, false);
  }
}

/// Prepares bounds of the travel from the configuration of the front to the start of the motion,
/// for a motion that does not start where the last one ended.
void AssemblyWalk::find_jump() {
  const Robot& robot = at_->robot;
  parts_ = 2;
  jump_.resize(robot.joints().size() + 1);
  jump_[0] = {};
  for (const Index j : at_->groups.active()) {
    const Seat& seat = at_->groups.seat(robot.joints()[j].parent, at_->poses.work);
    jump_[j + 1] = ChainSums(jump_[seat.carrier + 1].carried(seat.length, seat.joints),
                             robot.motion(j, at_->front->reference.data(), at_->motion.start));
  }
}

const ChainSums& AssemblyWalk::sums(int part, Index joint) {
  return part == 0 ? at_->poses.sums(joint) : jump_[joint + 1];
}

/// Bounds by how much two nodes come nearer to each other.
double AssemblyWalk::travel(const FrontPair& pair) {
  double sum = 0;
  for (int part = 0; part < parts_; ++part) {
    const SpeedBound root = sums(part, pair.carrier).speed_bound(0);
    sum += travel(pair.a).part[part].from(root);
    if (pair.b >= 0) sum += travel(pair.b).part[part].from(root);
  }
  return sum;
}

const AssemblyWalk::Travel& AssemblyWalk::travel(Index index) {
  Travel& found = travels_[index];
  if (found.motion == motion_) return found;
  found.motion = motion_;
  if (at_->groups.is_rigid(index)) {
    const Carried& own = carried(index);
    found.is_empty = own.is_empty;
    if (own.is_empty) return found;
    for (int part = 0; part < parts_; ++part)
      found.part[part] = sums(part, own.carrier).speed_bound(own.length);
    return found;
  }
  const Travel &upper = travel((*tree_)[index].upper), &lower = travel((*tree_)[index].lower);
  found.is_empty = upper.is_empty && lower.is_empty;
  for (int part = 0; part < parts_; ++part) {
    found.part[part] = (upper.is_empty ? lower : upper).part[part];
    if (!upper.is_empty && !lower.is_empty) found.part[part].include(lower.part[part]);
  }
  return found;
}

void AssemblyWalk::keep(Index a, Index b, double slack) {
  if (!at_->front) return;
  const Index top_a = (*tree_)[a].top - 1;
  const Index carrier = b < 0 ? -1 : at_->poses.common(top_a, (*tree_)[b].top - 1);
  at_->front->pairs.push_back({a, b, carrier, slack});
}

/// Returns the box of a node's links during the whole motion, widened by the margin.
const Box& AssemblyWalk::box(Index index) {
  Boxed& boxed = boxes_[index];
  if (boxed.motion == motion_) return boxed.box;
  if (at_->groups.is_rigid(index)) {
    boxed.box = rigid_box(index);
  } else {
    const AssemblyNode& node = (*tree_)[index];
    ++at_->poses.work.nodes_updated;
    boxed.box = box(node.upper);
    extend(boxed.box, box(node.lower));
  }
  boxed.motion = motion_;
  return boxed.box;
}

/// Returns the box of a rigid node in the frame of its carrier.
const AssemblyWalk::Carried& AssemblyWalk::carried(Index node) {
  Carried& carried = carried_[node];
  if (carried.version == at_->groups.version()) return carried;
  carried = {};
  carried.version = at_->groups.version();
  const Box& own = at_->groups.box(node);
  carried.is_empty = is_empty(own);
  if (carried.is_empty) return carried;
  const Seat& seat = at_->groups.seat((*tree_)[node].top - 1, at_->poses.work);
  const Mat3d& r = seat.pose.rotation;
  const Vec3d half = extent(own) * 0.5;
  carried.carrier = seat.carrier;
  if ((*tree_)[node].is_leaf()) {
    const auto& [middle, edges] = at_->robot.assembly().oriented_box(node);
    carried.box = {seat.pose * middle, {r * edges[0], r * edges[1], r * edges[2]}};
  } else {
    carried.box = {seat.pose * center(own), {r.x * half.x, r.y * half.y, r.z * half.z}};
  }
  // The factor covers axes in single precision, which are orthogonal to 2^-20.
  carried.radius = norm(carried.box.half[0] + carried.box.half[1] + carried.box.half[2]) *
                   (1 + 0x1p-16);
  // The boxes of children were transformed into the frames of their parents, level by level. This
  // rounds at most once per joint, with lengths within the reach.
  carried.joints = seat.joints + (*tree_)[node].size;
  carried.length = seat.length + at_->groups.reach(node);
  ++at_->poses.work.products;
  return carried;
}

Box AssemblyWalk::rigid_box(Index node) {
  const Carried& own = carried(node);
  if (own.is_empty) return {};
  at_->poses.work.bodies_placed += (*tree_)[node].is_leaf();
  const ChainSums& sums = at_->poses.sums(own.carrier);
  const double error = 4 * sums.carried(own.length, own.joints).error(0);
  const double margin = margin_ + error;
  const auto world = [&](auto& transforms) -> const auto& {
    const auto& frame = transforms.world(own.carrier);
    at_->poses.work += std::exchange(transforms.work, {});
    return frame;
  };
  switch (enclosures_) {
    case Enclosures::chains:
      break;
    case Enclosures::tree:
      return swept_box(world(bounded_).state, own.box, own.radius, margin);
    case Enclosures::intervals:
      return grown(box_of(world(enclosed_).pose, own.box.middle, own.box.half), margin);
  }
  return swept_box(at_->poses.at(at_->poses.world_frame(own.carrier), 0.5, 0.5), own.box,
                   own.radius, margin);
}

/// Chooses the enclosures of the motion. Motions by polynomials have bounds along chains only.
void AssemblyWalk::start_transforms() {
  enclosures_ = at_->motion.powers ? Enclosures::chains : at_->enclosures;
  if (enclosures_ == Enclosures::tree)
    bounded_.start(at_->robot, at_->motion, at_->groups, whole_motion);
  if (enclosures_ == Enclosures::intervals)
    enclosed_.start(at_->robot, at_->motion, at_->groups, whole_motion);
}

/// Returns whether two rigid nodes that do not move relative to each other are proven apart.
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

/// Compares all pairs of links inside of a node.
void AssemblyWalk::compare(Index index) {
  const AssemblyNode& node = (*tree_)[index];
  const bool is_rigid = at_->groups.is_rigid(index);
  if (is_rigid && is_known(index, GroupProofs::itself)) return;
  if (node.is_leaf()) return compare_links(index, index, true);
  compare(node.upper);
  compare(node.lower);
  compare(node.upper, node.lower, is_rigid);
}

/// Compares the links of one node with the links of another one.
void AssemblyWalk::compare(Index a, Index b, bool is_resting) {
  ++visited_;
  RigidGroups& groups = at_->groups;
  if (!is_resting && groups.is_rigid(a) && groups.is_rigid(b)) {
    is_resting = carried(a).carrier == carried(b).carrier;
    if (is_resting && is_known(a, b)) return;
  }
  if (is_empty(box(a)) || is_empty(box(b))) return;
  if (const double apart = gap(box(a), box(b)); apart > 0) {
    if (!is_resting) keep(a, b, apart);
    return;
  }
  const AssemblyNode &first = (*tree_)[a], &second = (*tree_)[b];
  if (first.is_leaf() && second.is_leaf()) return compare_links(a, b, is_resting);
  if (first.size >= second.size) {
    compare(first.upper, b, is_resting);
    compare(first.lower, b, is_resting);
  } else {
    compare(a, second.upper, is_resting);
    compare(a, second.lower, is_resting);
  }
}

void AssemblyWalk::compare_links(Index frame_a, Index frame_b, bool is_resting) {
  double slack = infinity;
  for (const Index a : at_->robot.assembly().links(frame_a))
    for (const Index b : at_->robot.assembly().links(frame_b)) {
      const Index pair = at_->robot.pair(std::min(a, b), std::max(a, b));
      if (pair < 0 || (frame_a == frame_b && a >= b)) continue;
      const LinkPair& links = at_->robot.pairs()[pair];
      const double apart = links_->gap_of_links(links);
      if (!(apart > 0)) found_->push_back({0, links.a, links.b, pair});
      slack = std::min(slack, apart);
    }
  if (slack < infinity && !is_resting) keep(frame_a, frame_b, slack);
}

void AssemblyWalk::compare_with_world(Index index, bool is_resting, bool skips_fixed) {
  const AssemblyNode& node = (*tree_)[index];
  if (!is_resting && at_->groups.is_rigid(index)) {
    is_resting = carried(index).carrier < 0;
    skips_fixed = is_resting && is_known(index, GroupProofs::world_at_rest);
    if (skips_fixed && !at_->world.moves()) return;
  }
  const Box& whole = box(index);
  if (is_empty(whole)) return;
  if (!meets_world(at_->world, whole)) {
    if (is_resting || !at_->front) return;
    double least = infinity;
    for (Index body = 0; body < static_cast<Index>(at_->world.size()); ++body)
      least = std::min(least, gap(whole, at_->world.box(body)));
    return keep(index, -1, least);
  }
  if (!node.is_leaf()) {
    compare_with_world(node.upper, is_resting, skips_fixed);
    compare_with_world(node.lower, is_resting, skips_fixed);
    return;
  }
  if (!is_resting) keep(index, -1, 0);
  for (const Index link : at_->robot.assembly().links(index))
    links_->list_bodies(outward(whole), link, skips_fixed, *found_);
}

}  // namespace toccata
