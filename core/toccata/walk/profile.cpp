// Profiles of hierarchies about an axis, and their comparison.
#include "toccata/walk/profile.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "toccata/walk/expand.hpp"

namespace toccata {
namespace {

/// A line at time 0, with a constant velocity.
struct Axis {
  Vec3d origin, along, velocity;

  Vec3d across(const Vec3d& v) const { return perpendicular(v, along); }
};

/// Ranges of the distances of points from the axis (near, far) and of their positions along the
/// axis (low, high).
struct Profile {
  double near = infinity, far = 0;
  double low = near, high = -near;

  void include(const Profile& other) {
    near = std::min(near, other.near), far = std::max(far, other.far);
    low = std::min(low, other.low), high = std::max(high, other.high);
  }
};

/// Bounds of how far points of a body move from the circle about the axis on which they start: in
/// any direction, and along the axis (lowest and highest).
struct Drift {
  double sideways, low, high;
};

/// Returns the distance of the origin from a triangle in the plane.
double distance_in_plane(const std::array<Vec3d, 3>& corner) {
  const auto side = [](const Vec3d& p, const Vec3d& q) { return p.x * q.y - p.y * q.x; };
  double least2 = infinity, lowest = least2, highest = -least2;
  for (int i = 0; i < 3; ++i) {
    const Vec3d &p = corner[i], &q = corner[(i + 1) % 3];
    const double ex = q.x - p.x, ey = q.y - p.y, length2 = ex * ex + ey * ey;
    const double s = length2 > 0 ? std::clamp(-(p.x * ex + p.y * ey) / length2, 0.0, 1.0) : 0;
    const double x = p.x + s * ex, y = p.y + s * ey;
    least2 = std::min(least2, x * x + y * y);
    lowest = std::min(lowest, side(p, q)), highest = std::max(highest, side(p, q));
  }
  // For an origin on an edge, the distance to the edge is exact.
  const bool inside = lowest > 0 || highest < 0;
  return inside ? 0 : std::sqrt(least2);
}

/// The profiles of a body at time 0.
class Profiles {
 public:
  Profiles(const Mesh& mesh, const Pose& pose, const Axis& axis)
      : mesh_(mesh), pose_(pose), axis_(axis) {
    const Vec3d& w = axis.along;
    const Vec3d least = std::abs(w.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    x_ = unit(cross(w, least));
    y_ = cross(w, x_);
  }

  /// Computes the profiles of all nodes, by `NodeRef::value`.
  void fill(std::vector<Profile>& of) const {
    const std::vector<WideNode>& nodes = mesh_.bvh().nodes;
    of.assign(nodes.size() * lanes, {});
    // A node precedes its children in the array.
    for (Index node = static_cast<Index>(nodes.size()) - 1; node >= 0; --node)
      for_lanes(nodes[node].used, [&](int lane) {
        const Index child = nodes[node].child[lane];
        Profile& all = of[NodeRef(node, lane).value];
        if (is_leaf(child)) all = of_triangle(element(child));
        else
          for_lanes(nodes[child].used,
                    [&](int below) { all.include(of[NodeRef(child, below).value]); });
      });
  }

  Profile of_triangle(Index i) const {
    const Triangle triangle = mesh_.triangle(i);
    std::array<Vec3d, 3> at;
    Profile profile;
    double far2 = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3d p = pose_ * triangle.corner[k] - axis_.origin;
      at[k] = {dot(p, x_), dot(p, y_), 0};
      far2 = std::max(far2, norm2(at[k]));
      const double height = dot(p, axis_.along);
      profile.low = std::min(profile.low, height);
      profile.high = std::max(profile.high, height);
    }
    profile.near = distance_in_plane(at);
    profile.far = std::sqrt(far2);
    return profile;
  }

 private:
  const Mesh& mesh_;
  const Pose& pose_;
  const Axis& axis_;
  Vec3d x_, y_;
};

bool is_steady(const MotionState& state) { return state.acceleration == 0 && state.turning == 0; }

/// Bounds the drift of a body. A point moves with the pivot's velocity and rotates about the pivot.
/// The component of the spin along the axis changes the distance from the axis only in proportion
/// to the pivot's distance from the axis.
Drift drift(const Mesh& mesh, const MotionState& state, const Axis& axis) {
  const Vec3d pivot = state.pose * state.pivot, velocity = state.velocity - axis.velocity;
  const double along = dot(axis.along, velocity), away = norm(axis.across(velocity));
  const double off = norm(axis.across(pivot - axis.origin)) + away;
  const double arm = norm(state.pose * mesh.center() - pivot) + mesh.radius();
  const double tilt = norm(axis.across(state.spin)) * arm;
  return {away + std::abs(dot(axis.along, state.spin)) * off + tilt, std::min(along, 0.0) - tilt,
          std::max(along, 0.0) + tilt};
}

/// The proof that two bodies stay apart, by their profiles about an axis.
class Clearance {
 public:
  Clearance(const MovingPair& pair, const Axis& axis)
      : pair_(pair),
        axis_(axis),
        state_(pair.state(0, 1)),
        profiles_a_(pair.mesh_a(), state_.a.motion.pose, axis_),
        profiles_b_(pair.mesh_b(), state_.b.motion.pose, axis_),
        a_(drift(pair.mesh_a(), state_.a.motion, axis)),
        b_(drift(pair.mesh_b(), state_.b.motion, axis)) {
    // The slack covers a few roundings of coordinates and speeds.
    apart_ = pair.separation() + 16 * pair.error();
  }

  bool holds() const {
    if (drifts_too_far() || some_are_close()) return false;
    profiles_a_.fill(of_a());
    profiles_b_.fill(of_b());
    std::vector<NodePair> stack{root_pair()};
    for (Count budget = most_pairs; !stack.empty(); --budget) {
      const NodePair nodes = stack.back();
      stack.pop_back();
      if (are_apart(of_a()[nodes.a.value], of_b()[nodes.b.value])) continue;
      if (are_leaves(pair_, nodes) || budget < 0) return false;
      const Expansion<VolumeKind::box> expansion(pair_, nodes);
      for_lanes(expansion.used(), [&](int lane) { stack.push_back(expansion.child(lane)); });
    }
    return true;
  }

 private:
  static constexpr Count most_pairs = 100'000;

  // Buffers that are reused across queries.
  static std::vector<Profile>& of_a() {
    thread_local std::vector<Profile> profiles;
    return profiles;
  }
  static std::vector<Profile>& of_b() {
    thread_local std::vector<Profile> profiles;
    return profiles;
  }

  /// Rejects motions that are not about or along the axis, without a visit of the triangles.
  bool drifts_too_far() const {
    const auto farthest = [&](const Mesh& mesh, const BodyState& state) {
      return norm(axis_.across(state.center - axis_.origin)) + mesh.radius();
    };
    return a_.sideways + b_.sideways >
           std::max(farthest(pair_.mesh_a(), state_.a), farthest(pair_.mesh_b(), state_.b));
  }

  /// Rejects pairs of bodies quickly, by a sample of the triangles of both. The proof needs all
  /// pairs of triangles to be apart.
  bool some_are_close() const {
    constexpr std::size_t some = 32;
    std::array<Profile, some> of_b;
    const std::size_t count_a = pair_.mesh_a().faces().size();
    const std::size_t count_b = pair_.mesh_b().faces().size();
    for (std::size_t k = 0; k < some; ++k)
      of_b[k] = profiles_b_.of_triangle(static_cast<Index>(k * count_b / some));
    for (std::size_t k = 0; k < some; ++k) {
      const Profile a = profiles_a_.of_triangle(static_cast<Index>(k * count_a / some));
      for (const Profile& b : of_b)
        if (!are_apart(a, b)) return true;
    }
    return false;
  }

  bool are_apart(const Profile& a, const Profile& b) const {
    const double across = std::max(a.near - b.far, b.near - a.far) - a_.sideways - b_.sideways;
    const double along =
        std::max((a.low + a_.low) - (b.high + b_.high), (b.low + b_.low) - (a.high + a_.high));
    return std::max(across, along) > apart_;
  }

  const MovingPair& pair_;
  Axis axis_;
  PairState state_;
  Profiles profiles_a_, profiles_b_;
  Drift a_, b_;
  double apart_;
};

}  // namespace

bool clear_by_profile(const MovingPair& pair) {
  const PairState state = pair.state(0, 1);
  const MotionState &a = state.a.motion, &b = state.b.motion;
  if (pair.mesh_a().surface() || pair.mesh_b().surface() || !is_steady(a) || !is_steady(b))
    return false;
  for (const MotionState* turning : {&a, &b})
    if (turning->spin_speed > 0) {
      const Axis axis{turning->pose * turning->pivot, unit(turning->spin), turning->velocity};
      return Clearance(pair, axis).holds();
    }
  const Vec3d velocity = a.velocity - b.velocity;
  if (!(norm2(velocity) > 0)) return false;
  return Clearance(pair, {state.a.center, unit(velocity), a.velocity}).holds() ||
         Clearance(pair, {state.b.center, unit(velocity), b.velocity}).holds();
}

}  // namespace toccata
