// Bounds of the motion between two queries, and the choice between the front and a traversal from
// the roots.
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

// Largest front for a query. A larger front costs more than a traversal from the roots.
constexpr std::size_t longest_front = 4000;
// Largest step and longest motion for which the front is used, in multiples of the listed distance.
// After larger steps, a traversal from the roots costs less than a test of the whole front.
constexpr double farthest_step = 8, farthest_motion = 4;
// Largest travel, in radii, before the front is cleared. Its rounding errors (2^-53) then stay
// below the errors of one step.
constexpr double farthest_in_radii = 16;
// Number of queries without a proof by profile after such a proof has failed.
constexpr int queries_without_profile = 30;
constexpr double rounded_up = 1 + 0x1p-40;

/// Pose of one body relative to another one: its center and its axes.
struct Seen {
  Vec3d center;
  Mat3d axes;

  Seen(const Mesh& mesh, const Pose& pose, const Pose& from)
      : center(transposed_times(from.rotation, pose * mesh.center() - from.translation)),
        axes(transposed_times(from.rotation, pose.rotation)) {}
};

/// Bounds the displacement of points within `radius` of the center between two poses.
///
/// A point at r from the center moves by the displacement of the center plus (axes - axes') r. The
/// difference of two rotations has the singular values s, s and 0: s is its Frobenius norm divided
/// by the square root of 2.
double between(const Seen& s, const Seen& t, double radius) {
  const Mat3d d{s.axes.x - t.axes.x, s.axes.y - t.axes.y, s.axes.z - t.axes.z};
  const double turn = std::sqrt((norm2(d.x) + norm2(d.y) + norm2(d.z)) / 2);
  return (norm(s.center - t.center) + turn * radius) * rounded_up;
}

double length_of(const Body& body) {
  return farthest_move(body.motion, body.mesh.center(), body.mesh.radius());
}

/// Upper bounds of the rates of a motion without jumps of the velocity.
struct Rates {
  double spin = 0, turning = 0;        ///< bounds of |w| and |w'|
  double speed = 0, acceleration = 0;  ///< bounds for points of the body

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

/// Bounds the distance of a point of y from a uniform motion along a line, relative to x: an eighth
/// of its relative acceleration.
///
/// With s from the center of x to the point, the acceleration in the axes of x is
/// s'' - w' x s - 2 w x s' + w x (w x s), where w is the spin of x.
double bend_of(const Rates& a, const Rates& b, double apart) {
  const auto seen_from = [&](const Rates& x) {
    return x.turning * apart + 2 * x.spin * (a.speed + b.speed) + x.spin * x.spin * apart;
  };
  return (a.acceleration + b.acceleration + std::max(seen_from(a), seen_from(b))) / 8;
}

}  // namespace

/// Updates the travel of the front to the current poses.
///
/// The travel is a valid bound: the distance of two points changes at most by the displacement of
/// one point relative to the other body. The smaller body is measured. The error of the pair
/// exceeds the rounding of all coordinates many times.
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
  // Triangles farther apart than this have no computed features within the distance.
  if (!front_.list({pair, state}, distance + 4 * pair.error(), triangles_))
    return near.list(pair, state, distance, found, scope);
  near.start(pair, state, distance, scope);
  for (const auto& [i, j, gap] : triangles_) near.add(i, j, gap);
  near.finish(found);
}

/// Returns the first contact of surfaces, by the front if possible. Pairs farther apart than the
/// separation plus the lengths of both motions cannot touch.
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
    const TravelBounds motion{end, length, bend_of(of_a, of_b, apart), of_a.spin + of_b.spin};
    siblings_.clear();
    front_.collect(now, motion, pair.separation() + 4 * pair.error(), longest_front, siblings_);
    if (siblings_.empty()) return ++counts_.by_distance, Contact{};
    if (siblings_.size() <= longest_front) return ++counts_.by_front, walk_front(pair, siblings_);
  }
  return answer_from_roots(pair);
}

/// Returns the first contact of surfaces, by a traversal from the roots. A proof by profile visits
/// all triangles, so it is tried first only if it ended the last long traversal.
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
  test_inside(found, pair);
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
