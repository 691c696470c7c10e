// Advances from grid times, with bounds of whole chains beyond the window.
#include "toccata/query/robot_first_contact/hca_walk.hpp"

#include <algorithm>

namespace toccata {
namespace {

/// Gap beyond the separation, as a share of a node pair's size, above which another advance is
/// worth more than a split. It is smaller than for rigid bodies, because the poses at grid times
/// are cached.
constexpr float promising_share = 0.03f;

}  // namespace

void HcaPairs::start(const RobotInWorld& setting, const double* q_0, const double* q_1) {
  const double turn = setting.poses.largest_turn();
  longest_window_ = std::min(1.0, widest_turn / std::max(turn, 1e-9));
  grid_.start(setting.robot, q_0, q_1, longest_window_);
  chains_.start(setting.robot, grid_, turn);
  live_ = nullptr;
  chain_tried_ = chain_helped_ = 0;
}

void HcaPairs::switch_to(RobotPair& bodies) {
  live_ = &bodies;
  separation_ = static_cast<float>(bodies.pair().separation());
  seen_.switch_to(bodies, grid_);
}

/// Advances the pending siblings that are free until the grid time before `from`, from that grid
/// time. A node pair is not promising if its next advance would start from the same grid time.
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
  const unsigned promising = far &
                             bits(bounds.gap - separation_ > promising_share * expansion.reach());
  const unsigned left = siblings.time.pending();
  siblings.promising = left & ((siblings.promising & ~known) | (promising & known));
  ++stats.ca_iterations;
  stats.bv_tests += std::popcount(pending);
  stats.front_nodes += std::popcount(pending & ~left);
}

/// Returns advances by bounds that hold beyond the window, until the end of the motion. Returns 0
/// if no advance reaches the end of the window, or if such bounds have rarely helped.
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
  // The factor covers the few roundings here, which are below 2^-20. Without an approach, the
  // advance is very long.
  const Pack step = room / max(rate, broadcast(1e-30f)) * (1 - 0x1p-16f);
  ++chain_tried_;
  chain_helped_ += (pending & bits(step > window)) != 0;
  return step;
}

}  // namespace toccata
