// Boxes of swept links, by first-order motions with a bound of the remainder, and gaps between
// boxes and between balls.
#include "toccata/broad/link_distances.hpp"

#include <algorithm>
#include <bit>

namespace toccata {
namespace {

/// Returns the box of the sweep of an oriented box over a window around the time of `state`: the
/// first-order motion, plus a bound of the remainder. `arm` leads from the pivot to the middle of
/// the box. `axes` are its half edges, in the state's frame. Points are within `radius` of the
/// middle.
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

/// Returns the box of a mesh's sweep, by the oriented box around the mesh.
Box swept_box(const MotionState& state, const Mesh& mesh, const Window& window, double margin) {
  const Volume v = volume<VolumeKind::box>(mesh.bvh().nodes[0], 0);
  const Mat3d& r = state.pose.rotation;
  const Vec3d axes[3] = {r * (to_double(v.axes.x) * v.half.x), r * (to_double(v.axes.y) * v.half.y),
                         r * (to_double(v.axes.z) * v.half.z)};
  return swept_box(state, r * to_double(v.center), axes, mesh.radius(), window, margin);
}

}  // namespace

double distance_to(const Box& box, const Vec3d& p) {
  const auto outside = [](double x, double lo, double hi) {
    return std::max({lo - x, x - hi, 0.0});
  };
  return norm(Vec3d{outside(p.x, box.lo.x, box.hi.x), outside(p.y, box.lo.y, box.hi.y),
                    outside(p.z, box.lo.z, box.hi.z)});
}

Box swept_box(const ChainState& frame, const OrientedBox& box, double radius, double margin) {
  const Mat3d& r = frame.pose.rotation;
  const double far = (norm(box.middle) + radius) * (1 + 0x1p-40), s = frame.most_spin;
  MotionState state;
  state.pose = frame.pose;
  state.velocity = frame.velocity, state.spin = frame.spin;
  state.pivot = {0, 0, 0};
  // The acceleration of any point of the box: the acceleration of the frame's origin, plus the
  // effect of the rotation on the point's offset.
  state.acceleration = frame.most_acceleration + (frame.most_spin_rate + s * s) * far;
  const Vec3d axes[3] = {r * box.half[0], r * box.half[1], r * box.half[2]};
  return swept_box(state, r * box.middle, axes, 0, whole_motion, margin);
}

void LinkDistances::start(const Robot& robot, const BodySet& world, LinkPoses& poses,
                          const BroadQuery& query) {
  robot_ = &robot, world_ = &world, poses_ = &poses;
  query_ = query;
  ++motion_;
  known_.resize(robot.links().size());
}

double LinkDistances::largest_margin() const {
  double margin = query_.distance;
  if (query_.separations)
    for (Index i = 0; i < static_cast<Index>(robot_->links().size()); ++i)
      margin = std::max(margin, query_.margin(i));
  return margin;
}

bool LinkDistances::meet(const Candidate& candidate, const Window& window) {
  if (candidate.links < 0)
    return near(in_world(candidate.a, window),
                world_->box(candidate.b, {window.start(), window.end()}), 0);
  // The cheapest test comes first.
  const LinkPair& pair = robot_->pairs()[candidate.links];
  if (!balls_meet(pair, window)) return false;
  const PairFrames frames = poses_->frames(pair);
  return near(in_frame(pair.a, frames.a, window), in_frame(pair.b, frames.b, window), 0) &&
         near(in_world(pair.a, window), in_world(pair.b, window), 0);
}

double LinkDistances::gap(const Candidate& candidate, double time) {
  const auto reach_of = [&](Index i) {
    const Link& link = robot_->links()[i];
    return (link.mesh->radius() + poses_->error(link)) * (1 + 0x1p-40);
  };
  const Vec3d& here = center(candidate.a, time);
  const double reach = reach_of(candidate.a);
  if (candidate.links < 0)
    return distance_to(world_->box(candidate.b, {time, time}), here) - reach -
           query_.margin(candidate.a);
  const LinkPair& pair = robot_->pairs()[candidate.links];
  return norm(here - center(pair.b, time)) - reach - reach_of(pair.b) - query_.of(pair);
}

double LinkDistances::gap_of_links(const LinkPair& pair) {
  const double balls = gap_of_balls(pair, whole_motion);
  if (balls > 0) return balls;
  const double boxes = gap_of_boxes(pair);
  return boxes > 0 ? boxes : 0;  // 0 also for NaN: such a pair is tested
}

double LinkDistances::gap_of_boxes(const LinkPair& pair) {
  const PairFrames frames = poses_->frames(pair);
  return toccata::gap(in_frame(pair.a, frames.a, whole_motion),
                      in_frame(pair.b, frames.b, whole_motion));
}

const Box& LinkDistances::in_world(Index link, const Window& window) {
  Known& known = this->known(link);
  if (known.window == window) return known.box;
  known.window = window;
  known.box = swept(link, poses_->world_frame(robot_->links()[link].joint), window);
  return known.box;
}

void LinkDistances::list_bodies(const Boxf& box, Index link, bool skips_fixed,
                                std::vector<Candidate>& found) const {
  for (std::size_t p = 0; p < world_->packs().size(); ++p)
    for (unsigned bits = meets(world_->packs()[p], box); bits; bits &= bits - 1) {
      const auto body = static_cast<Index>(p * lanes + std::countr_zero(bits));
      if (is_tested(query_.ignored, link, body) && !(skips_fixed && world_->is_fixed(body)))
        found.push_back({0, link, body});
    }
}

const Vec3d& LinkDistances::center(Index index, double time) {
  Known& known = this->known(index);
  if (known.time == time) return known.center;
  const Link& link = robot_->links()[index];
  known.time = time;
  known.center = poses_->position(link.joint, link.mesh->center(), time);
  return known.center;
}

/// Returns the box of a link's sweep over a window, widened by its margin, in any frame.
const Box& LinkDistances::in_frame(Index link, Index frame, const Window& window) {
  if (frame == poses_->world_frame(robot_->links()[link].joint)) return in_world(link, window);
  Known& known = this->known(link);
  if (known.frame == frame && known.own_window == window) return known.own_box;
  known.frame = frame;
  known.own_window = window;
  known.own_box = swept(link, frame, window);
  return known.own_box;
}

/// Computes the box of a link's sweep over a window, widened by its margin, relative to the carrier
/// of `frame`.
Box LinkDistances::swept(Index link, Index frame, const Window& window) const {
  const Mesh& mesh = *robot_->links()[link].mesh;
  const MotionState state = poses_->link(mesh, frame, window.middle, window.half);
  const double error = poses_->error(robot_->links()[link]);
  return swept_box(state, mesh, window, query_.margin(link) + error);
}

/// Bounds the distance of two links during a window from below, minus the distance that counts as
/// touching: by their distance in the middle of the window and their speeds in the carrier's frame.
/// Not positive if they may touch.
double LinkDistances::gap_of_balls(const LinkPair& pair, const Window& window) {
  const Link &a = robot_->links()[pair.a], &b = robot_->links()[pair.b];
  const Index root = poses_->carrier(pair);
  const double speed = poses_->speed(a, root) + poses_->speed(b, root);
  const double radius_a = a.mesh->radius() + poses_->error(a);
  const double radius_b = b.mesh->radius() + poses_->error(b);
  const double reach = (radius_a + radius_b + query_.of(pair) + speed * window.half) *
                       (1 + 0x1p-40);
  return norm(center(pair.a, window.middle) - center(pair.b, window.middle)) - reach;
}

}  // namespace toccata
