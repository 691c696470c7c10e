#include "toccata/query/articulated/broad.hpp"

#include <algorithm>
#include <bit>

namespace toccata {
namespace {

/// Box of the path of an oriented box that hangs on a pivot, over a window around the time of
/// `state`: carried along to first order, and the remainder. `half` are its half edges, in the
/// state's frame; points are at most `radius` from its middle.
Box swept_box(const MotionState& state, const Vec3d& arm, const Vec3d (&axes)[3], double radius,
              const Window& window, double margin) {
  const double reach = window.half;
  const Vec3d middle = state.pose * state.pivot + arm;
  Vec3d half = abs(state.velocity + cross(state.spin, arm)) * reach;
  for (const Vec3d& axis : axes) half = half + abs(axis) + abs(cross(state.spin, axis)) * reach;
  const double bend = state.acceleration + state.turning * radius;
  // Rounding is below 2^-46 of all lengths here; 2^-40 leaves room.
  const double extra = margin + 0.5 * bend * reach * reach +
                       0x1p-40 * (norm1(half) + norm1(middle) + bend * reach * reach);
  half = half + Vec3d{extra, extra, extra};
  return {middle - half, middle + half};
}

/// Of a mesh, by the oriented box around it.
Box swept_box(const MotionState& state, const Mesh& mesh, const Window& window, double margin) {
  const Volume v = volume<VolumeKind::box>(mesh.bvh().nodes[0], 0);
  const Mat3d& r = state.pose.rotation;
  const Vec3d axes[3] = {r * (to_double(v.axes.x) * v.half.x), r * (to_double(v.axes.y) * v.half.y),
                         r * (to_double(v.axes.z) * v.half.z)};
  return swept_box(state, r * to_double(v.center), axes, mesh.radius(), window, margin);
}

/// One box for motions of a few degrees, more for larger ones, since the boxes of a link that turns
/// grow with the square of its angle. A power of two, like the windows of the world.
int window_count(double turn) {
  const double wanted = std::min(turn / 0.4, static_cast<double>(World::windows));
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(wanted, 1.0))));
}

}  // namespace

double distance_to(const Box& box, const Vec3d& p) {
  const auto outside = [](double x, double lo, double hi) {
    return std::max({lo - x, x - hi, 0.0});
  };
  return norm(Vec3d{outside(p.x, box.lo.x, box.hi.x), outside(p.y, box.lo.y, box.hi.y),
                    outside(p.z, box.lo.z, box.hi.z)});
}

void BroadPhase::begin(const Robot& robot, const BroadQuestion& question) {
  found_.clear();
  by_tree_ = false;
  question_ = question;
  ++motion_;
  seen_.resize(robot.links().size());
}

const std::vector<Candidate>& BroadPhase::start(const Robot& robot, const World& world,
                                                LinkPoses& poses, const BroadQuestion& question) {
  begin(robot, question);
  const std::size_t links = robot.links().size();
  packs_.clear();
  const Window whole{0.5, 0.5};
  for (Index i = 0; i < static_cast<Index>(links); ++i)
    append(packs_, i, outward(seen_by_world(robot, poses, i, whole)));
  against_world(robot, world);
  if (question.self_contact) against_itself(robot, poses, whole);
  return found_;
}

const std::vector<Candidate>& BroadPhase::start(const AssemblyWalk::Setting& setting,
                                                const BroadQuestion& question) {
  begin(setting.robot, question);
  by_tree_ = true;
  walk_.run(setting, *this);
  return found_;
}

double BroadPhase::largest_margin(const Robot& robot) const {
  double margin = question_.distance;
  if (question_.separations)
    for (Index i = 0; i < static_cast<Index>(robot.links().size()); ++i)
      margin = std::max(margin, question_.margin(i));
  return margin;
}

Box BroadPhase::swept(const ChainState& frame, const OrientedBox& box, double radius,
                      double margin) {
  const Window whole{0.5, 0.5};
  const Mat3d& r = frame.pose.rotation;
  const double far = (norm(box.middle) + radius) * (1 + 0x1p-40), s = frame.most_spin;
  MotionState state;
  state.pose = frame.pose;
  state.velocity = frame.velocity, state.spin = frame.spin;
  state.pivot = {0, 0, 0};
  // Of all points of the box: that of the frame's origin, and what turning does to their arms.
  state.acceleration = frame.most_acceleration + (frame.most_spin_rate + s * s) * far;
  const Vec3d axes[3] = {r * box.half[0], r * box.half[1], r * box.half[2]};
  return swept_box(state, r * box.middle, axes, 0, whole, margin);
}

bool BroadPhase::meets_world(const World& world, const Box& box) {
  const Boxf whole = outward(box);
  return std::any_of(world.packs().begin(), world.packs().end(),
                     [&](const BoxPack& pack) { return meets(pack, whole) != 0; });
}

double BroadPhase::add_links(const Robot& robot, LinkPoses& poses, Index index) {
  const LinkPair& pair = robot.pairs()[index];
  const Window whole{0.5, 0.5};
  const double balls = gap_of_balls(robot, poses, pair, whole);
  if (balls > 0) return balls;
  const PairFrames frames = poses.frames(pair);
  const double boxes = toccata::gap(seen_from(robot, poses, pair.a, frames.a, whole),
                                    seen_from(robot, poses, pair.b, frames.b, whole));
  if (boxes > 0) return boxes;
  found_.push_back({0, pair.a, -1, index});
  return 0;
}

void BroadPhase::add_bodies(const World& world, const Boxf& whole, Index link, bool skips_fixed) {
  for (std::size_t p = 0; p < world.packs().size(); ++p)
    for (unsigned bits = meets(world.packs()[p], whole); bits; bits &= bits - 1) {
      const auto body = static_cast<Index>(p * lanes + std::countr_zero(bits));
      if (is_tested(question_.untested, link, body) && !(skips_fixed && world.is_fixed(body)))
        found_.push_back({0, link, body});
    }
}

const std::vector<Candidate>& BroadPhase::refine(const Robot& robot, const World& world,
                                                 LinkPoses& poses) {
  // Polynomials bend even what does not turn.
  const int finest = std::max(window_count(poses.largest_turn()), poses.is_curved() ? 8 : 1);
  // The tree has compared links over the whole motion in all these ways, but for the distances of
  // single pairs.
  if (by_tree_ && finest == 1 && !question_.separations) return found_;
  for (int count = finest > 4 ? finest / 4 : finest; count <= finest; count *= 4)
    cut(robot, world, poses, count);
  return found_;
}

/// The box of a link over a window, widened by the distance, in the root frame of `frame`.
Box BroadPhase::swept(const Robot& robot, LinkPoses& poses, Index link, Index frame,
                      const Window& window) const {
  const Mesh& mesh = *robot.links()[link].mesh;
  const MotionState state = poses.link(mesh, frame, window.middle, window.half);
  return swept_box(state, mesh, window, question_.margin(link) + poses.error(robot.links()[link]));
}

void BroadPhase::against_world(const Robot& robot, const World& world) {
  for (std::size_t i = 0; i < robot.links().size(); ++i)
    add_bodies(world, box_of(packs_, i), static_cast<Index>(i), false);
}

void BroadPhase::against_itself(const Robot& robot, LinkPoses& poses, const Window& whole) {
  for (std::size_t a = 0; a < robot.links().size(); ++a) {
    const Boxf box = box_of(packs_, a);
    unsigned later = ~1u << a % lanes;  // links of the pack that come after a
    for (std::size_t p = a / lanes; p < packs_.size(); ++p, later = ~0u)
      for (unsigned bits = later & meets(packs_[p], box); bits; bits &= bits - 1) {
        const std::size_t b = p * lanes + std::countr_zero(bits);
        const Index pair = robot.pair(static_cast<Index>(a), static_cast<Index>(b));
        if (pair >= 0 && reach_each_other(robot, poses, robot.pairs()[pair], whole))
          found_.push_back({0, static_cast<Index>(a), -1, pair});
      }
  }
}

/// Finds the first of `count` windows in which a pair may touch, and drops pairs that have none.
/// Window by window, since frames are remembered for one time.
void BroadPhase::cut(const Robot& robot, const World& world, LinkPoses& poses, int count) {
  waiting_.swap(found_);
  found_.clear();
  for (int k = 0; k < count && !waiting_.empty(); ++k) {
    const Window window{(k + 0.5) / count, 0.5 / count};
    std::size_t left = 0;
    for (Candidate& candidate : waiting_) {
      if (candidate.earliest >= window.end() || !meet(robot, world, poses, candidate, window)) {
        waiting_[left++] = candidate;
        continue;
      }
      candidate.earliest = std::max(candidate.earliest, window.start());
      found_.push_back(candidate);
    }
    waiting_.resize(left);
  }
}

double BroadPhase::gap(const Robot& robot, const World& world, LinkPoses& poses,
                       const Candidate& candidate, double time) {
  const auto reach_of = [&](Index i) {
    const Link& link = robot.links()[i];
    return (link.mesh->radius() + poses.error(link)) * (1 + 0x1p-40);
  };
  const Vec3d& here = center(robot, poses, candidate.link, time);
  const double reach = reach_of(candidate.link);
  if (candidate.pair < 0)
    return distance_to(world.box(candidate.other, {time, time}), here) - reach -
           question_.margin(candidate.link);
  const LinkPair& pair = robot.pairs()[candidate.pair];
  return norm(here - center(robot, poses, pair.b, time)) - reach - reach_of(pair.b) -
         question_.of(pair);
}

bool BroadPhase::meet(const Robot& robot, const World& world, LinkPoses& poses,
                      const Candidate& candidate, const Window& window) {
  if (candidate.pair < 0)
    return near(seen_by_world(robot, poses, candidate.link, window),
                world.box(candidate.other, {window.start(), window.end()}), 0);
  // What costs least comes first.
  const LinkPair& pair = robot.pairs()[candidate.pair];
  if (!reach_each_other(robot, poses, pair, window)) return false;
  const PairFrames frames = poses.frames(pair);
  return near(seen_from(robot, poses, pair.a, frames.a, window),
              seen_from(robot, poses, pair.b, frames.b, window), 0) &&
         near(seen_by_world(robot, poses, pair.a, window),
              seen_by_world(robot, poses, pair.b, window), 0);
}

const Vec3d& BroadPhase::center(const Robot& robot, LinkPoses& poses, Index index, double time) {
  Seen& seen = this->seen(index);
  if (seen.time == time) return seen.center;
  const Link& link = robot.links()[index];
  seen.time = time;
  seen.center = poses.place(link.joint, link.mesh->center(), time);
  return seen.center;
}

const Box& BroadPhase::seen_by_world(const Robot& robot, LinkPoses& poses, Index link,
                                     const Window& window) {
  Seen& seen = this->seen(link);
  if (seen.window == window) return seen.box;
  seen.window = window;
  seen.box = swept(robot, poses, link, poses.world_frame(robot.links()[link].joint), window);
  return seen.box;
}

/// The same in any frame.
const Box& BroadPhase::seen_from(const Robot& robot, LinkPoses& poses, Index link, Index frame,
                                 const Window& window) {
  if (frame == poses.world_frame(robot.links()[link].joint))
    return seen_by_world(robot, poses, link, window);
  Seen& seen = this->seen(link);
  if (seen.frame == frame && seen.own_window == window) return seen.own_box;
  seen.frame = frame;
  seen.own_window = window;
  seen.own_box = swept(robot, poses, link, frame, window);
  return seen.own_box;
}

/// How far two links stay apart at least, by how far apart they are in the middle of the window, as
/// the world sees both, and by how fast they move in the frame that carries both. That is all that
/// neighbours in a long chain need: the joints between them do little, while the world sees them
/// sweep over each other's places. Not positive if they may meet.
double BroadPhase::gap_of_balls(const Robot& robot, LinkPoses& poses, const LinkPair& pair,
                                const Window& window) {
  const Link &a = robot.links()[pair.a], &b = robot.links()[pair.b];
  const Index root = poses.root(pair);
  const double speed = poses.speed(a, root) + poses.speed(b, root);
  const double radius_a = a.mesh->radius() + poses.error(a);
  const double radius_b = b.mesh->radius() + poses.error(b);
  const double reach = (radius_a + radius_b + question_.of(pair) + speed * window.half) *
                       (1 + 0x1p-40);
  return norm(center(robot, poses, pair.a, window.middle) -
              center(robot, poses, pair.b, window.middle)) -
         reach;
}

}  // namespace toccata
