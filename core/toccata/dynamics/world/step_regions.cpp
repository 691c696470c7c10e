// Walk of rigid groups whose regions overlap.
#include "toccata/dynamics/world/step_regions.hpp"

#include <algorithm>

#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/dynamics/certify/certifier.hpp"

namespace toccata {
namespace {

constexpr double margin_in_radii = 0.02;
// Far larger than rounding errors of the corners of boxes.
constexpr double slack_of_boxes = 0x1p-40;

double size_of(const Box& box) { return norm1(box.lo) + norm1(box.hi); }

}  // namespace

void StepRegions::find(BodyTable& table, const RegionRules& rules, std::span<const double> factor) {
  table_ = &table, rules_ = rules;
  parts_.clear(), regions_.clear(), pairs_.clear();
  reach_.resize(table.size());
  frames_.resize(table.robots.size());
  for (const Index rank : table.unlinked()) add_body(rank, factor[table.by_name()[rank]]);
  for (std::size_t r = 0; r < table.robots.size(); ++r) add_robot(static_cast<Index>(r), factor);
  std::vector<bool> may_break(table.robots.size());
  for (const RegionPair& pair : sweep_.pairs(regions_)) {
    const std::size_t known = pairs_.size();
    collect(parts_[pair.a], parts_[pair.b]);
    for (const Part& part : {parts_[pair.a], parts_[pair.b]})
      if (part.robot >= 0 && pairs_.size() > known)
        may_break[part.robot] = table.robots[part.robot].choice.activity == Activity::chosen;
  }
  for (const Part& part : parts_)
    if (part.robot >= 0 && may_break[part.robot]) collect_within(part);
  std::sort(pairs_.begin(), pairs_.end());
}

void StepRegions::add_body(Index rank, double factor) {
  const Index i = table_->by_name()[rank];
  const SimulatedBody& body = table_->bodies[i];
  const double h = rules_.step;
  const bool moves = body.kind != BodyKind::fixed && !body.is_asleep();
  double travel = 0;
  if (body.kind == BodyKind::kinematic) {
    travel = speed(body, kinematic_velocity(body, h)) * h;
  } else if (moves) {
    const double pull = norm(rules_.gravity) + norm(body.force) / body.mass.mass +
                        body.radius * norm(inverse(body.mass.inertia) * body.torque);
    travel = (speed(body, {body.state.velocity, body.state.spin}) + pull * h) * h;
  }
  const double shell = rules_.shell > 0 ? rules_.shell : shell_in_radii * body.radius;
  reach_[i] = moves ? factor * (travel + margin_in_radii * body.radius) : 0;
  const Box box = box_at(body.pose(), body.middle, body.half);
  const double slack = slack_of_boxes * size_of(box);
  parts_.push_back({-1, rank, static_cast<Index>(regions_.size())});
  regions_.push_back({grown(box, reach_[i] + shell + slack), body.kind != BodyKind::fixed});
}

void StepRegions::add_robot(Index r, std::span<const double> factor) {
  SimulatedRobot& robot = table_->robots[r];
  const LinkTree& tree = robot.moving();
  std::vector<MovingFrame>& frames = frames_[r];
  tree.frames(robot.q.data(), robot.v.data(), frames);
  robot.is_placed = false;
  robot.reach = {robot.reduced, {}, std::vector<double>(tree.groups().size(), 0)};
  const bool moves = !table_->is_asleep(robot);
  const double h = rules_.step;
  for (const LinkTree::Group& group : tree.groups()) {
    double& most = robot.reach.most.emplace_back(0);
    if (!moves || group.first < 0) continue;
    const MovingFrame at = tree.link(group.site, frames);
    const double fastest = norm(at.velocity) + tree.sites()[group.site].radius * norm(at.spin);
    const double travel = (fastest + norm(rules_.gravity) * h) * h;
    most = factor[robot.bodies[group.first]] * (travel + margin_in_radii * group.largest);
  }
  if (robot.boxed != tree.id()) {
    robot.boxes.build(tree, robot.bodies, table_->bodies);
    robot.boxed = tree.id();
  }
  for (const Index root : robot.boxes.roots()) {
    const Part& part = parts_.emplace_back(r, root, static_cast<Index>(regions_.size()));
    regions_.push_back({box_of(part), true});
  }
  place_link(robot, table_->bodies[robot.leader].link, frames, table_->bodies);
  for (std::size_t i = 0; i < robot.bodies.size() && robot.is_pushed; ++i)
    place_link(robot, static_cast<Index>(i), frames, table_->bodies);
}

/// Returns the region of a part, and places a link that is one.
Box StepRegions::box_of(const Part& part) {
  if (part.robot < 0) return regions_[part.region].box;
  const SimulatedRobot& robot = table_->robots[part.robot];
  const LinkBoxes::Node& node = robot.boxes.node(part.at);
  const double reach = robot.reach.most[node.group];
  if (node.link >= 0) {
    place_link(robot, node.link, frames_[part.robot], table_->bodies);
    const SimulatedBody& body = table_->bodies[robot.bodies[node.link]];
    const double shell = rules_.shell > 0 ? rules_.shell : shell_in_radii * body.radius;
    const Box box = box_at(body.pose(), body.middle, body.half);
    return grown(box, reach + shell + slack_of_boxes * size_of(box));
  }
  const LinkTree::Group& group = robot.moving().groups()[node.group];
  const double shell = rules_.shell > 0 ? rules_.shell : shell_in_radii * group.largest;
  const Pose frame = node.group > 0 ? frames_[part.robot][node.group - 1].pose : Pose{};
  const Box box = box_at(frame, center(node.box), extent(node.box) * 0.5);
  // The corners of contained boxes are at most twice as far from the origin, in each coordinate.
  return grown(box, reach + shell + 4 * slack_of_boxes * size_of(box));
}

/// Adds the pairs of bodies of two parts whose regions overlap.
void StepRegions::collect(const Part& a, const Part& b) {
  const Box box_a = box_of(a), box_b = box_of(b);
  if (!near(box_a, box_b, 0)) return;
  const auto node_of = [&](const Part& part) {
    return part.robot < 0 ? nullptr : &table_->robots[part.robot].boxes.node(part.at);
  };
  const LinkBoxes::Node *node_a = node_of(a), *node_b = node_of(b);
  const bool opens_a = node_a && node_a->link < 0, opens_b = node_b && node_b->link < 0;
  if (opens_a && (!opens_b || norm(extent(box_a)) >= norm(extent(box_b)))) {
    collect({a.robot, a.at + 1, a.region}, b);
    collect({a.robot, node_a->right, a.region}, b);
  } else if (opens_b) {
    collect(a, {b.robot, b.at + 1, b.region});
    collect(a, {b.robot, node_b->right, b.region});
  } else {
    const auto body_of = [&](const Part& part, const LinkBoxes::Node* node) {
      return node ? table_->robots[part.robot].bodies[node->link] : table_->by_name()[part.at];
    };
    const Index i = body_of(a, node_a), j = body_of(b, node_b);
    if (!table_->tests(i, j)) return;
    const Index p = table_->rank(i), q = table_->rank(j);
    pairs_.push_back({std::min(p, q), std::max(p, q)});
  }
}

/// Adds the pairs of links of one group.
void StepRegions::collect_within(const Part& part) {
  const LinkBoxes::Node& node = table_->robots[part.robot].boxes.node(part.at);
  if (node.link >= 0) return;
  const Part left{part.robot, part.at + 1, part.region}, right{part.robot, node.right, part.region};
  collect_within(left);
  collect_within(right);
  collect(left, right);
}

std::vector<Island> StepRegions::islands() const {
  std::vector<Index> ranks(table_->unlinked().begin(), table_->unlinked().end());
  for (const SimulatedRobot& robot : table_->robots) {
    ranks.push_back(table_->rank(robot.leader));
    for (std::size_t k = 0; k < robot.bodies.size() && robot.is_pushed; ++k) {
      const SimulatedBody& link = table_->bodies[robot.bodies[k]];
      if (link.is_link() && (norm1(link.force) != 0 || norm1(link.torque) != 0))
        ranks.push_back(table_->rank(robot.bodies[k]));
    }
  }
  for (const RegionPair& pair : pairs_) ranks.insert(ranks.end(), {pair.a, pair.b});
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::vector<Region> listed;
  for (const Index rank : ranks) {
    const SimulatedBody& body = table_->bodies[table_->by_name()[rank]];
    const Index robot = body.is_link() ? table_->robots[body.robot].connected : -1;
    listed.push_back({{}, body.kind != BodyKind::fixed, robot});
  }
  const auto listed_at = [&](Index rank) {
    return static_cast<Index>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
  };
  std::vector<RegionPair> pairs;
  for (const RegionPair& pair : pairs_) pairs.push_back({listed_at(pair.a), listed_at(pair.b)});
  std::vector<Island> islands = find_islands(listed, pairs);
  for (Island& island : islands)
    for (Index& i : island.bodies) {
      i = table_->by_name()[ranks[i]];
      const SimulatedBody& body = table_->bodies[i];
      if (!body.is_link()) continue;
      const SimulatedRobot& robot = table_->robots[body.robot];
      if (i == robot.leader) island.unlisted += static_cast<std::size_t>(robot.moving_links);
      island.unlisted -= 1;
    }
  return islands;
}

}  // namespace toccata
