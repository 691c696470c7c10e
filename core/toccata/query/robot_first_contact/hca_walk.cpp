#include "toccata/query/robot_first_contact/hca_walk.hpp"

#include <algorithm>

namespace toccata {
namespace {

/// As `settled_gap` of rigid bodies; smaller, since the places of the links at grid times are at
/// hand.
constexpr float settled = 0.03f;

}  // namespace

void HcaPairs::start(const RobotInWorld& setting, const double* q_0, const double* q_1) {
  const double turn = setting.poses.largest_turn();
  longest_window_ = std::min(1.0, widest_turn / std::max(turn, 1e-9));
  grid_.start(setting.robot, q_0, q_1, longest_window_);
  chains_.start(setting.robot, grid_, turn);
  live_ = nullptr;
  chain_tried_ = chain_helped_ = 0;
}

void HcaPairs::look_at(RobotPair& bodies) {
  live_ = &bodies;
  separation_ = static_cast<float>(bodies.pair().separation());
  seen_.look_at(bodies, grid_);
}

/// From a grid time, for every open pair whose proof reaches that far. The steps of a pair end when
/// the next one would start from the same grid time.
void HcaPairs::advance(const Expansion<VolumeKind::swept>& expansion, double from, double cutoff,
                       TimedSiblings& siblings, Stats& stats) {
  const int slot = GridPoses::slot(from);
  const Approach bounds = expansion.bounds(seen_.relative(slot, siblings.nodes.of_a));
  const unsigned pending = siblings.time.pending();
  const double now = GridPoses::time(slot), next = GridPoses::time(slot + 1);
  const double end = grid_.end(slot) < 1 ? grid_.end(slot) : LaneTimes::never;
  const bool at_rest = live_->is_at_rest();
  const Pack beyond = end < 1 ? chain_step(expansion, slot, bounds, pending) : Pack{};
  unsigned known = 0, far = 0;
  for (int k = 0; k < 2; ++k) {
    Quad& time = siblings.time.half[k];
    const QuadMask reached = time >= now;
    known |= bits(reached) << 4 * k;
    const Quad step = widened(bounds.step, k);
    const Quad until = at_rest ? select(step > 0, quad(LaneTimes::never), quad(now))
                               : max(min(now + step, quad(end)), now + widened(beyond, k));
    time = select(reached, max(time, until), time);
    far |= bits(until >= next) << 4 * k;
    time = select(time < cutoff, time, quad(LaneTimes::never));
  }
  const unsigned promising = far & bits(bounds.gap - separation_ > settled * expansion.reach());
  const unsigned left = siblings.time.pending();
  siblings.promising = left & ((siblings.promising & ~known) | (promising & known));
  ++stats.ca_iterations;
  stats.bv_tests += std::popcount(pending);
  stats.front_nodes += std::popcount(pending & ~left);
}

/// The same by bounds that hold beyond the window, to the end of the motion: 0 where no step ends
/// with the window, or where such bounds have seldom been of use.
Pack HcaPairs::chain_step(const Expansion<VolumeKind::swept>& expansion, int slot,
                          const Approach& bounds, unsigned pending) {
  const auto window = static_cast<float>(grid_.end(slot) - GridPoses::time(slot));
  const bool helps = 8 * chain_helped_ + 32 > chain_tried_;
  const bool bounded = live_->frame_b() >= 0 || live_->body_b().motion.is_fixed();
  if (!helps || !bounded || !(pending & bits(bounds.step >= window))) return Pack{};
  const auto [parent, other, of_a] = expansion.siblings();
  const MovingPair& pair = live_->pair();
  const auto from_origin = [](const Mesh& mesh, const WideNode& node) {
    return norm(node.center + broadcast(to_float(mesh.center()))) + node.reach;
  };
  const Pack far_x = from_origin(of_a ? pair.mesh_a() : pair.mesh_b(), expansion.node());
  const Pack far_y = from_origin(of_a ? pair.mesh_b() : pair.mesh_a(), expansion.other_node());
  const Index frame_x = of_a ? live_->frame_a() : live_->frame_b();
  const Index frame_y = of_a ? live_->frame_b() : live_->frame_a();
  const Mat3f& axes = seen_.axes(slot, of_a);
  const Mat3p turn{broadcast(axes.x), broadcast(axes.y), broadcast(axes.z)};
  const Vec3p n = turn * bounds.direction;
  const Pack rate = chains_.speed(frame_x, -n, far_x) +
                    chains_.speed(frame_y, n, broadcast(far_y[other.lane()])) +
                    seen_.relative(slot, of_a).rate_slack;
  const Pack room = max(bounds.gap - separation_, Pack{});
  // The few roundings here are below 2^-20. What never comes nearer has all the time.
  const Pack step = room / max(rate, broadcast(1e-30f)) * (1 - 0x1p-16f);
  ++chain_tried_;
  chain_helped_ += (pending & bits(step > window)) != 0;
  return step;
}

}  // namespace toccata
