#include "toccata/query/pair_coherence.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "toccata/base/of_thread.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/first_contact/first_contact.hpp"
#include "toccata/query/first_contact/methods.hpp"
#include "toccata/query/proximities.hpp"
#include "toccata/walk/effort.hpp"
#include "toccata/walk/one_pair.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

// A longer front costs more than a walk from the roots.
constexpr std::size_t longest_front = 4000;
// Bodies that move farther at once, compared to what is listed, have little in common with what
// they were before: a walk from the roots costs less than to look at all of the front again.
constexpr double farthest_step = 8, farthest_motion = 4;
// What was travel is rounded by 2^-53 of it: up to here, by less than the errors of one step.
constexpr double farthest_in_radii = 16;
constexpr int queries_without_profile = 30;  // after profiles did not help
constexpr double rounded_up = 1 + 0x1p-40;

/// Where one body is, seen from another one: its center, and its axes.
struct Seen {
  Vec3d center;
  Mat3d axes;

  Seen(const Mesh& mesh, const Pose& pose, const Pose& from)
      : center(transposed_times(from.rotation, pose * mesh.center() - from.translation)),
        axes(transposed_times(from.rotation, pose.rotation)) {}
};

/// No point within `radius` of the center moves farther from one to the other: a point at r moves
/// by as much as the center, and by (axes - axes') r. The difference of two rotations has the
/// singular values s, s and 0, so that s is its Frobenius norm by the root of 2.
double between(const Seen& s, const Seen& t, double radius) {
  const Mat3d d{s.axes.x - t.axes.x, s.axes.y - t.axes.y, s.axes.z - t.axes.z};
  const double turn = std::sqrt((norm2(d.x) + norm2(d.y) + norm2(d.z)) / 2);
  return (norm(s.center - t.center) + turn * radius) * rounded_up;
}

double length_of(const Body& body) {
  return farthest_move(body.motion, body.mesh.center(), body.mesh.radius());
}

/// The most that happens to points of a body during a motion whose velocities do not jump.
struct Rates {
  double spin = 0, turning = 0;        ///< |w|, |w'|
  double speed = 0, acceleration = 0;  ///< of points

  explicit Rates(const Body& body) {
    if (body.motion.is_fixed()) return;
    const MotionState s = body.motion.state(0, 1);
    const double arm = norm(body.mesh.center() - s.pivot) + body.mesh.radius();
    const double first = std::max(norm(s.spin), s.spin_speed);
    turning = s.turning, spin = first + turning;
    acceleration = s.acceleration + arm * (s.turning + s.spin_speed * first);
    speed = norm(s.velocity) + first * arm + acceleration;
  }
};

/// How far a point of y is from a straight and even way at most, seen from x: an eighth of its
/// acceleration there. With s from the center of x to the point, in the axes of x that is
/// s'' - w' x s - 2 w x s' + w x (w x s), where w is the spin of x.
double bend_of(const Rates& a, const Rates& b, double apart) {
  const auto seen_from = [&](const Rates& x) {
    return x.turning * apart + 2 * x.spin * (a.speed + b.speed) + x.spin * x.spin * apart;
  };
  return (a.acceleration + b.acceleration + std::max(seen_from(a), seen_from(b))) / 8;
}

}  // namespace

/// The distance of two points is the same seen from either body, and changes by no more than one of
/// them moves, seen from the other body. Errors exceed the rounding of all coordinates many times.
void PairCoherence::travel_to(const MovingPair& pair, const Placement& now) {
  const bool a_moves = pair.mesh_a().radius() < pair.mesh_b().radius();
  const Mesh& mesh = a_moves ? pair.mesh_a() : pair.mesh_b();
  const auto seen = [&](const Placement& at) {
    return a_moves ? Seen(mesh, at.a, at.b) : Seen(mesh, at.b, at.a);
  };
  if (mesh_a_ != &pair.mesh_a() || mesh_b_ != &pair.mesh_b()) {
    mesh_a_ = &pair.mesh_a(), mesh_b_ = &pair.mesh_b();
    front_.clear();
    by_profile_ = false, no_profile_ = 0;
  } else if (std::memcmp(&last_, &now, sizeof now) != 0) {
    const double step = between(seen(last_), seen(now), mesh.radius()) + 8 * pair.error();
    front_.move(step);
    const bool is_lost = step > farthest_step * listed_;
    if (is_lost || !(front_.travel() < farthest_in_radii * mesh.radius())) front_.clear();
  }
  last_ = now;
}

void PairCoherence::list(const Body& a, const Body& b, double distance,
                         std::vector<Proximity>& found, const ProximityScope& scope) {
  check_triangles(a.mesh, "a");
  check_triangles(b.mesh, "b");
  ++counts_.lists;
  if (scaling_of(std::array{a, b})) [[unlikely]] {
    for (const Proximity& p : proximities(TwoBodies{a, b}, distance, scope)) found.push_back(p);
    return;
  }
  const MovingPair pair(a, b, {});
  const PairState state = pair.state(0, 0);
  travel_to(pair, {state.a.motion.pose, state.b.motion.pose});
  listed_ = distance;
  auto& near = of_thread<ProximitySearch>();
  triangles_.clear();
  // Triangles that are farther apart than this have no features within the distance, computed.
  if (!front_.list({pair, state}, distance + 4 * pair.error(), triangles_))
    return near.list(pair, state, distance, found, scope);
  near.start(pair, state, distance, scope);
  for (const auto& [i, j, gap] : triangles_) near.add(i, j, gap);
  near.finish(found);
}

/// Pairs that are farther apart than the separation and the lengths of both motions cannot touch.
Contact PairCoherence::answer(const MovingPair& pair) {
  const Body a{pair.mesh_a(), pair.motion_a()}, b{pair.mesh_b(), pair.motion_b()};
  const PairState start = pair.state(0, 0);
  travel_to(pair, {start.a.motion.pose, start.b.motion.pose});
  const double length = (length_of(a) + length_of(b)) * rounded_up;
  if (!pair.has_kinks() && pair.separation() + length < farthest_motion * listed_) {
    const Rates of_a(a), of_b(b);
    const double apart = norm(start.b.center - start.a.center) + a.mesh.radius() + b.mesh.radius() +
                         length;
    const DistanceView now(pair, start), end(pair, pair.state(1, 1));
    const TravelBounds sweep{end, length, bend_of(of_a, of_b, apart), of_a.spin + of_b.spin};
    siblings_.clear();
    front_.collect(now, sweep, pair.separation() + 4 * pair.error(), longest_front, siblings_);
    if (siblings_.empty()) return ++counts_.by_distance, Contact{};
    if (siblings_.size() <= longest_front) return ++counts_.by_front, walk_front(pair, siblings_);
  }
  return answer_from_roots(pair);
}

/// Profiles look at all triangles: what they said of the last long walk is likely to hold again.
Contact PairCoherence::answer_from_roots(const MovingPair& pair) {
  if (by_profile_ && pair.options().profile && clear_by_profile(pair)) return {};
  Contact found = walk_pair(pair, 0);
  if (no_profile_ > 0) --no_profile_;
  if (found.stats.ca_iterations < profile_steps) return found;
  by_profile_ = found.status == Status::free && found.stats.ca_iterations == profile_steps;
  if (!by_profile_ && no_profile_ == 0) no_profile_ = queries_without_profile;
  return found;
}

Contact PairCoherence::first_contact(const Body& a, const Body& b, const Options& options) {
  ++counts_.contacts;
  const bool plain = options.method == Method::automatic && options.initial == Initial::report;
  if (!plain || a.mesh.surface() || b.mesh.surface() || scaling_of(std::array{a, b})) [[unlikely]]
    return toccata::first_contact(a, b, options);
  Options own = options;
  own.profile = no_profile_ == 0;
  const MovingPair pair(a, b, own);
  Contact found = answer(pair);
  look_inside(found, pair);
  return found;
}

PairCoherence::Counts PairCoherence::counts() const {
  Counts counts = counts_;
  counts.rooted = front_.roots();
  return counts;
}

double PairCoherence::least_distance(const Body& a, const Body& b) {
  const MovingPair pair(a, b, {});
  const PairState state = pair.state(0, 0);
  travel_to(pair, {state.a.motion.pose, state.b.motion.pose});
  return front_.least_distance();
}

}  // namespace toccata
