#include "toccata/query/articulated/swept_cull.hpp"

#include <algorithm>
#include <bit>

#include "toccata/narrow/advancement/box_gap.hpp"

namespace toccata {
namespace {

/// The tangents of a window may miss the path by this share of the radius, if so many windows
/// suffice. Measured on arms among pipes: twice as many take twice the time and cull hardly more.
constexpr double tangent_share = 0.5;
constexpr int most_slabs = 8;
static_assert(most_slabs <= World::windows);

Ruling ruling_of(const LineSwept& cover, const ChainState& state, double reach) {
  const MotionState start = motion_state(state, cover.start, reach);
  const MotionState end = motion_state(state, cover.end, reach);
  // The acceleration of a point of the segment is a mean of those of its ends.
  return {state.pose * cover.start, state.pose * cover.end, start.velocity, end.velocity,
          std::max(start.acceleration, end.acceleration)};
}

/// A unit vector along v across `axis`; some other one across it if there is none.
Vec3d unit_across(const Vec3d& v, const Vec3d& axis) {
  Vec3d part = perpendicular(v, axis);
  if (!(norm2(part) > 1e-20 * norm2(v) && norm2(part) > 1e-200))
    part = cross(axis, std::abs(axis.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
  // Twice, since the first difference may have lost most of its digits.
  return unit(perpendicular(unit(part), axis));
}

/// A box around the tangents, which reach so far to both sides, in axes along the ruling and along
/// the motion. The axes are orthonormal to 2^-48 whatever the points are.
SweptPatch patch_around(const Ruling& r, double reach) {
  const Vec3d line = r.end - r.start;
  const Vec3d motion = r.start_velocity + r.end_velocity;
  const Vec3d start = r.start_velocity * reach, end = r.end_velocity * reach;
  const Vec3d u = norm(line) > 1e-100 ? unit(line) : Vec3d{1, 0, 0};
  const Vec3d v = unit_across(motion, u);
  SweptPatch patch{{0, 0, 0}, {u, v, cross(u, v)}, {0, 0, 0}, 0};
  Box box;
  for (const Vec3d& p : {r.start - start, r.start + start, r.end - end, r.end + end})
    extend(box, transposed_times(patch.axes, p));
  const Vec3d middle = center(box);
  patch.center = patch.axes * middle;
  patch.half = box.hi - middle;
  // Such axes carry coordinates back and forth with an error below 2^-45.
  patch.radius = 0x1p-44 * (norm1(middle) + norm1(patch.half));
  return patch;
}

}  // namespace

void open_candidates(std::span<const Candidate> candidates,
                     std::vector<PendingCandidate>& pending) {
  pending.clear();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    // The broad phase counts in windows too, or in several of them.
    const auto first = static_cast<unsigned>(candidates[i].earliest * World::windows);
    pending.push_back({static_cast<Index>(i), all_windows & all_windows << first});
  }
}

void SweptCull::run(const RobotQuery& query, std::span<const Candidate> candidates,
                    std::vector<PendingCandidate>& pending) {
  if (pending.empty()) return;
  start(query, candidates, pending);
  for (int k = 0; k < count_; ++k)
    for (PendingCandidate& p : pending)
      if ((p.windows & window(k)) && !may_touch(candidates[p.candidate], k))
        p.windows &= ~window(k);
  std::erase_if(pending, [](const PendingCandidate& p) { return p.windows == 0; });
}

int SweptCull::start(const RobotQuery& query, std::span<const Candidate> candidates,
                     std::span<const PendingCandidate> pending) {
  query_ = &query;
  const Robot& robot = query.robot;
  constexpr int none = -1, whole = -2;
  patches_.resize(robot.links().size());
  for (const PendingCandidate& p : pending) patches_[candidates[p.candidate].link].window = none;
  double needed = 1;
  for (const PendingCandidate& p : pending) {
    const Candidate& c = candidates[p.candidate];
    if (c.pair >= 0 || !query.world.is_fixed(c.other) || patches_[c.link].window == whole) continue;
    patches_[c.link].window = whole;
    needed =
        std::max(needed, std::sqrt(ruling(c.link, 0.5, 0.5).acceleration /
                                   (8 * tangent_share * robot.line_swept(c.link).radius + 1e-300)));
  }
  needed = std::min(std::ceil(needed), static_cast<double>(most_slabs));
  count_ = static_cast<int>(std::bit_ceil(static_cast<unsigned>(needed)));
  return count_;
}

Ruling SweptCull::ruling(Index i, double middle, double half) const {
  const Robot& robot = query_->robot;
  const Index frame = query_->poses.world_frame(robot.links()[i].joint);
  return ruling_of(robot.line_swept(i), query_->poses.at(frame, middle, half), half);
}

const SweptPatch& SweptCull::patch(Index i, int k) {
  if (patches_[i].window == k) return patches_[i].patch;
  const double h = 1.0 / count_;
  const LineSwept& cover = query_->robot.line_swept(i);
  const Link& link = query_->robot.links()[i];
  const Ruling middle = ruling(i, (k + 0.5) * h, h / 2);
  SweptPatch patch = patch_around(middle, h / 2);
  // The error is that of points as far away as the mesh, and grows at most in proportion.
  const double far = std::max(norm(cover.start), norm(cover.end));
  const double error = query_->poses.error(link) * (1 + far / (link.mesh->reach() + 1e-300));
  patch.radius += (cover.radius + middle.acceleration * h * h / 8) * (1 + 0x1p-40) + 2 * error;
  patches_[i] = {k, patch};
  return patches_[i].patch;
}

bool SweptCull::may_touch(const Candidate& candidate, int k) {
  if (candidate.pair >= 0 || !query_->world.is_fixed(candidate.other)) return true;
  const Body body = query_->world.body(candidate.other);
  const double margin = query_->options_of(candidate).separation + query_->tolerance +
                        2 * body.motion.error(body.mesh.reach());
  return touches(body.mesh, body.motion.pose(0), patch(candidate.link, k), margin);
}

bool SweptCull::touches(const Mesh& mesh, const Pose& pose, const SweptPatch& patch,
                        double margin) {
  const Vec3d apart = patch.center - pose * mesh.center();
  const Volume y{to_float(transposed_times(pose.rotation, patch.axes)),
                 to_float(transposed_times(pose.rotation, apart)), to_float(patch.half), 0};
  // Rounding as in `MovingPair::relative`: sizes and distances of both bodies times 2^-18.
  const double span = norm1(apart) + norm1(patch.half) + mesh.radius();
  const auto reach = static_cast<float>((patch.radius + margin) * (1 + 0x1p-20) + 0x1p-18 * span) +
                     1e-30f;
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const WideNode& node = mesh.bvh().nodes[stack_.back()];
    stack_.pop_back();
    const Pack gap = box_gap(node.center - broadcast(y.center), node.axes, node.box_half, y);
    for (unsigned near = node.used & ~bits(gap > reach); near; near &= near - 1) {
      const Index child = node.child[std::countr_zero(near)];
      if (is_leaf(child)) return true;
      stack_.push_back(child);
    }
  }
  return false;
}

}  // namespace toccata
