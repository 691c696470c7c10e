// Patches of swept volumes, and their tests against hierarchies.
#include "toccata/query/robot_first_contact/swept_cull.hpp"

#include <algorithm>
#include <bit>

#include "toccata/narrow/advancement/box_gap.hpp"

namespace toccata {
namespace {

/// Largest distance between a path and its tangents, as a share of the radius, if `most_windows`
/// windows suffice. Twice as many windows take twice the time and cull hardly more, measured on
/// arms among pipes.
constexpr double tangent_share = 0.5;
constexpr int most_windows = 8;
static_assert(most_windows <= BodySet::windows);

Ruling ruling_of(const LineSwept& volume, const ChainState& state, double reach) {
  const MotionState start = motion_state(state, volume.start, reach);
  const MotionState end = motion_state(state, volume.end, reach);
  // The acceleration of a point of the segment is a weighted mean of the accelerations of its ends.
  return {state.pose * volume.start, state.pose * volume.end, start.velocity, end.velocity,
          std::max(start.acceleration, end.acceleration)};
}

/// Returns the unit vector along the part of v that is perpendicular to `axis`. If this part
/// vanishes, returns any perpendicular unit vector.
Vec3d unit_across(const Vec3d& v, const Vec3d& axis) {
  Vec3d part = perpendicular(v, axis);
  if (!(norm2(part) > 1e-20 * norm2(v) && norm2(part) > 1e-200))
    part = cross(axis, std::abs(axis.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
  // Orthogonalized twice, because the first difference may lose most of its digits.
  return unit(perpendicular(unit(part), axis));
}

/// Returns a box around the tangents of a ruling, which extend by `reach` in time to both sides.
/// Its axes are along the ruling and along the motion, orthonormal to 2^-48 for any points.
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
  // These axes transform coordinates back and forth with an error below 2^-45.
  patch.radius = 0x1p-44 * (norm1(middle) + norm1(patch.half));
  return patch;
}

}  // namespace

Count SweptCull::run(RobotInWorld& setting, std::span<Candidate> candidates) {
  if (candidates.empty()) return 0;
  start(setting, candidates);
  for (int k = 0; k < count_; ++k)
    for (Candidate& candidate : candidates)
      if ((candidate.windows & window(k)) && !may_touch(candidate, k))
        candidate.windows &= ~window(k);
  return std::count_if(candidates.begin(), candidates.end(),
                       [](const Candidate& candidate) { return candidate.windows != 0; });
}

int SweptCull::start(RobotInWorld& setting, std::span<const Candidate> candidates) {
  setting_ = &setting;
  const Robot& robot = setting.robot;
  constexpr int none = -1, whole = -2;
  patches_.resize(robot.links().size());
  for (const Candidate& c : candidates) patches_[c.a].window = none;
  double needed = 1;
  for (const Candidate& c : candidates) {
    if (c.links >= 0 || !setting.world.is_fixed(c.b) || patches_[c.a].window == whole) continue;
    patches_[c.a].window = whole;
    needed =
        std::max(needed, std::sqrt(ruling(c.a, 0.5, 0.5).acceleration /
                                   (8 * tangent_share * robot.line_swept(c.a).radius + 1e-300)));
  }
  needed = std::min(std::ceil(needed), static_cast<double>(most_windows));
  count_ = static_cast<int>(std::bit_ceil(static_cast<unsigned>(needed)));
  return count_;
}

Ruling SweptCull::ruling(Index i, double middle, double half) const {
  const Robot& robot = setting_->robot;
  const Index frame = setting_->poses.world_frame(robot.links()[i].joint);
  return ruling_of(robot.line_swept(i), setting_->poses.at(frame, middle, half), half);
}

const SweptPatch& SweptCull::patch(Index i, int k) {
  if (patches_[i].window == k) return patches_[i].patch;
  const double h = 1.0 / count_;
  const LineSwept& volume = setting_->robot.line_swept(i);
  const Link& link = setting_->robot.links()[i];
  const Ruling middle = ruling(i, (k + 0.5) * h, h / 2);
  SweptPatch patch = patch_around(middle, h / 2);
  // The error is known for points within the mesh's reach, and grows at most in proportion beyond.
  const double far = std::max(norm(volume.start), norm(volume.end));
  const double error = setting_->poses.error(link) * (1 + far / (link.mesh->reach() + 1e-300));
  patch.radius += (volume.radius + middle.acceleration * h * h / 8) * (1 + 0x1p-40) + 2 * error;
  patches_[i] = {k, patch};
  return patches_[i].patch;
}

bool SweptCull::may_touch(const Candidate& candidate, int k) {
  if (candidate.links >= 0 || !setting_->world.is_fixed(candidate.b)) return true;
  const Body body = setting_->world.body(candidate.b);
  const double margin = setting_->options_of(candidate).separation + setting_->tolerance +
                        2 * body.motion.error(body.mesh.reach());
  return touches(body.mesh, body.motion.pose(0), patch(candidate.a, k), margin);
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
