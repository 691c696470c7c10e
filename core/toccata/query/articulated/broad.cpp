#include "toccata/query/articulated/broad.hpp"

#include <algorithm>
#include <bit>

namespace toccata {
namespace {

Vec3d absolute(const Vec3d& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }

/// Box of the path of a mesh over a window around the time of `state`: its oriented box, carried
/// along to first order, and the remainder.
Box swept_box(const MotionState& state, const Mesh& mesh, double reach, double margin) {
  const Volume v = volume<VolumeKind::box>(mesh.bvh().nodes[0], 0);
  const Vec3d arm = state.pose.rotation * to_double(v.center);
  const Vec3d middle = state.pose * state.pivot + arm;
  Vec3d half = absolute(state.velocity + cross(state.spin, arm)) * reach;
  const Vec3f* axes[3] = {&v.axes.x, &v.axes.y, &v.axes.z};
  const float sizes[3] = {v.half.x, v.half.y, v.half.z};
  for (int i = 0; i < 3; ++i) {
    const Vec3d axis = state.pose.rotation * (to_double(*axes[i]) * sizes[i]);
    half = half + absolute(axis) + absolute(cross(state.spin, axis)) * reach;
  }
  const double bend = state.acceleration + state.turning * mesh.radius();
  // Rounding is below 2^-46 of all lengths here; 2^-40 leaves room.
  const double extra = margin + 0.5 * bend * reach * reach +
                       0x1p-40 * (norm1(half) + norm1(middle) + bend * reach * reach);
  half = half + Vec3d{extra, extra, extra};
  return {middle - half, middle + half};
}

/// Room for the rounding of a sum with coordinates, whose own is in the boxes.
double with_room(double distance) { return distance * (1 + 0x1p-40); }

Box widened(const Box& box, double distance) {
  const Vec3d margin{distance, distance, distance};
  return {box.lo - margin, box.hi + margin};
}

/// One box for motions of a few degrees, more for larger ones, since the boxes of a link that turns
/// grow with the square of its angle. A power of two, like the slabs of the world.
int slab_count(double turn) {
  const double wanted = std::min(turn / 0.4, static_cast<double>(World::slabs));
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(wanted, 1.0))));
}

}  // namespace

const std::vector<Candidate>& BroadPhase::run(const Robot& robot, const World& world,
                                              Places& places, const BroadQuestion& question) {
  found_.clear();
  sweep(robot, places, question.distance);
  against_world(robot, world, question.separations);
  if (question.self_contact) against_itself(robot, question.separations);
  return found_;
}

void BroadPhase::sweep(const Robot& robot, Places& places, double distance) {
  count_ = slab_count(places.largest_turn());
  // Polynomials bend even what does not turn.
  if (places.is_curved()) count_ = std::max(count_, 8);
  const std::size_t links = robot.links().size();
  slabs_.resize(links * count_);
  whole_.assign(links, Box{});
  const double half = 0.5 / count_;
  // By time first: frames are remembered for one time.
  for (int k = 0; k < count_; ++k)
    for (std::size_t i = 0; i < links; ++i) {
      const Link& link = robot.links()[i];
      const Index frame = robot.world_frame(link.joint);
      const MotionState state = places.link(*link.mesh, frame, (2 * k + 1) * half, half);
      const Box box = swept_box(state, *link.mesh, half, distance + places.error(link));
      slabs_[i * count_ + k] = box;
      extend(whole_[i], box.lo);
      extend(whole_[i], box.hi);
    }
}

void BroadPhase::against_world(const Robot& robot, const World& world,
                               const Separations* separations) {
  const int step = World::slabs / count_;
  for (std::size_t i = 0; i < robot.links().size(); ++i) {
    const Link& link = robot.links()[i];
    const double most = separations ? with_room(separations->most(static_cast<Index>(i))) : 0;
    const Boxf whole = outward(separations ? widened(whole_[i], most) : whole_[i]);
    for (std::size_t p = 0; p < world.packs().size(); ++p)
      for (unsigned bits = meets(world.packs()[p], whole); bits; bits &= bits - 1) {
        const auto body = static_cast<Index>(p * lanes + std::countr_zero(bits));
        // What never moves relative to each other is not a matter of motions.
        if (link.joint < 0 && world.is_fixed(body)) continue;
        const double apart =
            separations ? with_room(separations->of_body(static_cast<Index>(i), body)) : 0;
        for (int k = 0; k < count_; ++k)
          if (near(slab(i, k), world.box(body, k * step, (k + 1) * step), apart)) {
            found_.push_back({static_cast<double>(k) / count_, static_cast<Index>(i), body});
            break;
          }
      }
  }
}

void BroadPhase::against_itself(const Robot& robot, const Separations* separations) {
  for (std::size_t p = 0; p < robot.pairs().size(); ++p) {
    const LinkPair& pair = robot.pairs()[p];
    const double apart = separations ? with_room(separations->of_links(pair.a, pair.b)) : 0;
    if (!near(whole_[pair.a], whole_[pair.b], apart)) continue;
    for (int k = 0; k < count_; ++k)
      if (near(slab(pair.a, k), slab(pair.b, k), apart)) {
        found_.push_back({static_cast<double>(k) / count_, pair.a, -1, static_cast<Index>(p)});
        break;
      }
  }
}

}  // namespace toccata
