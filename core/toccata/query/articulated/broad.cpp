#include "toccata/query/articulated/broad.hpp"

#include <algorithm>
#include <bit>

namespace toccata {
namespace {

/// Box of the path of a mesh over a window around the time of `state`: its oriented box, carried
/// along to first order, and the remainder.
Box swept_box(const MotionState& state, const Mesh& mesh, double reach, double margin) {
  const Volume v = volume<VolumeKind::box>(mesh.bvh().nodes[0], 0);
  const Vec3d arm = state.pose.rotation * to_double(v.center);
  const Vec3d middle = state.pose * state.pivot + arm;
  Vec3d half = abs(state.velocity + cross(state.spin, arm)) * reach;
  const Vec3f* axes[3] = {&v.axes.x, &v.axes.y, &v.axes.z};
  const float sizes[3] = {v.half.x, v.half.y, v.half.z};
  for (int i = 0; i < 3; ++i) {
    const Vec3d axis = state.pose.rotation * (to_double(*axes[i]) * sizes[i]);
    half = half + abs(axis) + abs(cross(state.spin, axis)) * reach;
  }
  const double bend = state.acceleration + state.turning * mesh.radius();
  // Rounding is below 2^-46 of all lengths here; 2^-40 leaves room.
  const double extra = margin + 0.5 * bend * reach * reach +
                       0x1p-40 * (norm1(half) + norm1(middle) + bend * reach * reach);
  half = half + Vec3d{extra, extra, extra};
  return {middle - half, middle + half};
}

/// One box for motions of a few degrees, more for larger ones, since the boxes of a link that turns
/// grow with the square of its angle. A power of two, like the slabs of the world.
int slab_count(double turn) {
  const double wanted = std::min(turn / 0.4, static_cast<double>(World::slabs));
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(wanted, 1.0))));
}

}  // namespace

const std::vector<Candidate>& BroadPhase::start(const Robot& robot, const World& world,
                                                Places& places, const BroadQuestion& question) {
  found_.clear();
  distance_ = question.distance;
  const std::size_t links = robot.links().size();
  seen_.resize(links);
  packs_.clear();
  const TimeSlab whole{0.5, 0.5};
  for (std::size_t i = 0; i < links; ++i) {
    look(robot, places, static_cast<Index>(i), whole);
  }
  for (std::size_t i = 0; i < links; ++i)
    append(packs_, static_cast<Index>(i), outward(seen_[i].box));
  against_world(robot, world, question.untested);
  if (question.self_contact) against_itself(robot, places, whole);
  return found_;
}

const std::vector<Candidate>& BroadPhase::refine(const Robot& robot, const World& world,
                                                 Places& places) {
  // Polynomials bend even what does not turn.
  const int finest = std::max(slab_count(places.largest_turn()), places.is_curved() ? 8 : 1);
  for (int count = finest > 4 ? finest / 4 : finest; count <= finest; count *= 4)
    cut(robot, world, places, count);
  return found_;
}

/// The box of a link over a slab, widened by the distance, in the root frame of `frame`.
Box BroadPhase::swept(const Robot& robot, Places& places, Index link, Index frame,
                      const TimeSlab& slab) const {
  const Mesh& mesh = *robot.links()[link].mesh;
  const MotionState state = places.link(mesh, frame, slab.middle, slab.half);
  return swept_box(state, mesh, slab.half, distance_ + places.error(robot.links()[link]));
}

void BroadPhase::against_world(const Robot& robot, const World& world, const Untested* untested) {
  for (std::size_t i = 0; i < robot.links().size(); ++i) {
    const Boxf whole = box_of(packs_, i);
    for (std::size_t p = 0; p < world.packs().size(); ++p)
      for (unsigned bits = meets(world.packs()[p], whole); bits; bits &= bits - 1) {
        const auto body = static_cast<Index>(p * lanes + std::countr_zero(bits));
        if (is_tested(untested, static_cast<Index>(i), body))
          found_.push_back({0, static_cast<Index>(i), body});
      }
  }
}

void BroadPhase::against_itself(const Robot& robot, const Places& places, const TimeSlab& whole) {
  for (std::size_t a = 0; a < robot.links().size(); ++a) {
    const Boxf box = box_of(packs_, a);
    unsigned later = ~1u << a % lanes;  // links of the pack that come after a
    for (std::size_t p = a / lanes; p < packs_.size(); ++p, later = ~0u)
      for (unsigned bits = later & meets(packs_[p], box); bits; bits &= bits - 1) {
        const std::size_t b = p * lanes + std::countr_zero(bits);
        const Index pair = robot.pair(static_cast<Index>(a), static_cast<Index>(b));
        if (pair >= 0 && reach_each_other(robot, places, robot.pairs()[pair], whole))
          found_.push_back({0, static_cast<Index>(a), -1, pair});
      }
  }
}

/// Finds the first of `count` slabs in which a pair may touch, and drops pairs that have none. Slab
/// by slab, since frames are remembered for one time.
void BroadPhase::cut(const Robot& robot, const World& world, Places& places, int count) {
  waiting_.swap(found_);
  found_.clear();
  for (int k = 0; k < count && !waiting_.empty(); ++k) {
    const TimeSlab slab{(k + 0.5) / count, 0.5 / count};
    std::size_t left = 0;
    for (Candidate& candidate : waiting_) {
      if (candidate.earliest >= slab.end() || !meet(robot, world, places, candidate, slab)) {
        waiting_[left++] = candidate;
        continue;
      }
      candidate.earliest = std::max(candidate.earliest, slab.start());
      found_.push_back(candidate);
    }
    waiting_.resize(left);
  }
}

bool BroadPhase::meet(const Robot& robot, const World& world, Places& places,
                      const Candidate& candidate, const TimeSlab& slab) {
  const Box& box = seen_by_world(robot, places, candidate.link, slab);
  if (candidate.pair < 0)
    return near(box, world.box(candidate.other, {slab.start(), slab.end()}), 0);
  const LinkPair& pair = robot.pairs()[candidate.pair];
  return near(box, seen_by_world(robot, places, pair.b, slab), 0) &&
         reach_each_other(robot, places, pair, slab) &&
         near(swept(robot, places, pair.a, pair.frame_a, slab),
              swept(robot, places, pair.b, pair.frame_b, slab), 0);
}

const Box& BroadPhase::seen_by_world(const Robot& robot, Places& places, Index link,
                                     const TimeSlab& slab) {
  if (seen_[link].slab != slab) look(robot, places, link, slab);
  return seen_[link].box;
}

void BroadPhase::look(const Robot& robot, Places& places, Index index, const TimeSlab& slab) {
  const Link& link = robot.links()[index];
  const Mesh& mesh = *link.mesh;
  const double error = places.error(link);
  const MotionState state =
      places.link(mesh, robot.world_frame(link.joint), slab.middle, slab.half);
  Seen& seen = seen_[index];
  seen.slab = slab;
  seen.center = state.pose * state.pivot;
  seen.radius = mesh.radius() + error;
  seen.box = swept_box(state, mesh, slab.half, distance_ + error);
}

/// Whether two links can meet by how far apart they are in the middle of the slab, where the world
/// has seen both, and by how fast they move in the frame that carries both. That is all that
/// neighbours in a long chain need: the joints between them do little, while the world sees them
/// sweep over each other's places.
bool BroadPhase::reach_each_other(const Robot& robot, const Places& places, const LinkPair& pair,
                                  const TimeSlab& slab) const {
  const Seen &a = seen_[pair.a], &b = seen_[pair.b];
  const double speed = places.speed(robot.links()[pair.a], pair.root) +
                       places.speed(robot.links()[pair.b], pair.root);
  const double reach = (a.radius + b.radius + distance_ + speed * slab.half) * (1 + 0x1p-40);
  return norm2(a.center - b.center) <= reach * reach;
}

}  // namespace toccata
