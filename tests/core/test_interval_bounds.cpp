// The enclosures of method="interval" against samples: what they exclude must not happen.
#include "interval_cases.hpp"
#include "toccata/narrow/interval/boxes.hpp"
#include "toccata/narrow/interval/features.hpp"
#include "toccata/query/first_contact/interval_view.hpp"

namespace toccata::testing {
namespace {

constexpr int samples = 12;

/// A point of y as x sees it.
Vec3d seen(const Motion& x, const Mesh& mesh_x, const Motion& y, double t, const Vec3d& point) {
  const Pose px = x.pose(t), py = y.pose(t);
  return transposed_times(px.rotation, py * point - px * mesh_x.center());
}

struct Sample {
  const Motion &x, &y;
  IntervalView view;
  Interval window;
};

/// Calls `body` for random pairs of motions and windows of all lengths.
template <class Body>
void for_motions(const Mesh& a, const Mesh& b, int count, const Body& body) {
  Random random(static_cast<unsigned>(count));
  Options o;
  o.tolerance = 1e-6;
  // About a vertex, there is nothing but the second order of directions; about a point farther
  // away, nothing but that of positions.
  const auto spin = [&](const Mesh& mesh) {
    const int vertex = random.below(static_cast<int>(mesh.vertices().size()));
    const Vec3d pivot = random.below(2) ? mesh.vertices()[vertex] : random.point(1);
    return Twist(random.pose(1), pivot, {}, random.point(4));
  };
  for (int n = 0; n < count; ++n) {
    const Motion ma = n % 5 < 2 ? spin(a) : n % 5 == 2 ? braking(random, 1) : random.motion(1);
    const Motion mb = n % 3 == 0 ? Motion::fixed({}) : random.motion(1);
    const MovingPair pair({a, ma}, {b, mb}, o);
    const double length = std::pow(10.0, random.uniform(-2, 0)), lo = random.uniform(0, 1 - length);
    const IntervalView view(pair, lo);
    body(random, Sample{view.x_of(ma, mb), view.y_of(ma, mb), view, {lo, lo + length}});
  }
}

void test_taylor_encloses_paths() {
  const Mesh a = box(0.7, 0.5, 0.3), b = tetrahedron();
  for_motions(a, b, 1000, [&](Random& random, const Sample& s) {
    // Where velocities jump, bounds hold from the start of a window on, and about its middle as far
    // as they allow at its ends (`Spline::state`).
    const bool kinks = s.x.has_kinks() || s.y.has_kinks(), from_start = random.below(2);
    const double anywhere = random.uniform(s.window.lo, s.window.hi);
    const double t0 = !kinks ? anywhere : from_start ? s.window.lo : middle(s.window);
    const RelativeTaylor<double> m = s.view.at(t0, s.window);
    const Vec3d point = direction(random);
    const Vec3d center = s.view.mesh_y().center();
    const double duration = std::max(t0 - s.window.lo, s.window.hi - t0);
    const Vec3d at = m.offset + m.rotation * (point - center);
    const Vec3d velocity = m.drift + cross(m.spin, at), axis = m.rotation * point;
    const double second = bend(m, at, duration);
    for (int k = 0; k <= samples; ++k) {
      const double t = s.window.lo + width(s.window) * k / samples, dt = t - t0;
      const Vec3d now = seen(s.x, s.view.mesh_x(), s.y, t, point);
      const double reach = kinks && !from_start ? duration : dt;
      CHECK(norm(now - at - velocity * dt) <= 0.5 * second * reach * reach + rounding);
      const Vec3d turned = now - seen(s.x, s.view.mesh_x(), s.y, t, {0, 0, 0});
      CHECK(norm(turned - axis) <= m.turn * std::abs(dt) + rounding);
      CHECK(norm(turned - axis - cross(m.spin, axis) * dt) <=
            0.5 * m.turn2 * reach * reach + rounding);
    }
  });
}

bool contains(const Mesh& box, const Pose& pose, const Vec3d& point) {
  const Vec3d half = box.vertices()[7];
  const Vec3d p = transposed_times(pose.rotation, point - pose.translation);
  return std::abs(p.x) <= half.x && std::abs(p.y) <= half.y && std::abs(p.z) <= half.z;
}

/// Of two boxes at time t, as solids.
double box_distance(const Sample& s, double t) {
  const Pose px = s.x.pose(t), py = s.y.pose(t);
  const Mesh &x = s.view.mesh_x(), &y = s.view.mesh_y();
  if (contains(x, px, py.translation) || contains(y, py, px.translation)) return 0;
  double least = 1e300;
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 12; ++j)
      least = std::min(least, closest_points(px * x.triangle(i), py * y.triangle(j)).distance);
  return least;
}

void check_meeting(const Mesh& a, const Mesh& b, int count) {
  int cut = 0, kept = 0;
  for_motions(a, b, count, [&](Random& random, const Sample& s) {
    const double middle = toccata::middle(s.window);
    const double separation = std::max(random.uniform(-0.2, 0.2), 0.0);
    const RelativeTaylor<double> m = s.view.at(middle, s.window);
    const BoxWindow window = box_window(m, width(s.window) / 2, separation, 1e-12,
                                        s.view.mesh_x().radius(), s.view.mesh_y().radius());
    // Node 0 holds the box of the whole body, which is the body here.
    const BoxMeeting meeting = meet(one_lane(s.view.mesh_x().bvh().nodes[0], 0),
                                    one_lane(s.view.mesh_y().bvh().nodes[0], 0), to_float(m),
                                    window);
    const double from = meeting.from[0], to = meeting.to[0];
    const auto check_apart = [&](double when) {
      CHECK(box_distance(s, middle + window.half * when) > separation);
    };
    // The last moment of a cut is the one that could be wrong; if all is cut, any.
    if (from > to) {
      ++cut;
      for (int k = 0; k <= samples; ++k) check_apart(2.0 * k / samples - 1);
    } else {
      ++kept;
      if (from > -1) check_apart(from - 1e-6);
      if (to < 1) check_apart(to + 1e-6);
    }
  });
  CHECK(cut > 0.1 * count && kept > 0.1 * count);
}

void test_boxes_meet_only_where_told() {
  // Large plates and long rods leave one axis only that can separate: a face's of either body, or
  // that of two edges.
  const Mesh block = box(0.7, 0.5, 0.3), thin = box(0.02, 0.5, 0.7), dot = box(1e-3, 1e-3, 1e-3);
  const Mesh plate = box(30, 30, 0.3), rod = box(30, 1e-3, 1e-3), stick = box(1e-3, 30, 1e-3);
  check_meeting(block, thin, 2000);
  check_meeting(dot, plate, 2000);
  check_meeting(plate, dot, 2000);
  check_meeting(rod, stick, 2000);
}

/// Distance of one pair of features of the two triangles, by the numbering of `FeatureSet`.
double feature_distance(const Triangle& x, const Triangle& y, int id) {
  if (id >= 12) return norm(closest_point(x, y.corner[id - 12]) - y.corner[id - 12]);
  if (id >= 9) return norm(closest_point(y, x.corner[id - 9]) - x.corner[id - 9]);
  const int i = id / 3, j = id % 3;
  const PointPair p =
      closest_points(x.corner[i], x.corner[(i + 1) % 3], y.corner[j], y.corner[(j + 1) % 3]);
  return norm(p.a - p.b);
}

struct FeatureCount {
  int excluded = 0, open = 0, touching = 0;
};

TrianglePair scaled(TrianglePair t, double scale) {
  for (Vec3d& p : t.x.corner) p = p * scale;
  for (Vec3d& p : t.y.corner) p = p * scale;
  return t;
}

RelativeTaylor<double> scaled(RelativeTaylor<double> m, double scale) {
  for (Vec3d* v : {&m.offset, &m.drift, &m.pivot_x, &m.pivot_y, &m.slide}) *v = *v * scale;
  m.acceleration *= scale;
  return m;
}

/// Two meshes of one triangle each. All lengths are scaled before the features are looked at, which
/// must not change what is true of them.
void check_features(const Mesh& a, const Mesh& b, int motions, FeatureCount& count,
                    double scale = 1) {
  for_motions(a, b, motions, [&](Random& random, const Sample& s) {
    const Mesh &mx = s.view.mesh_x(), &my = s.view.mesh_y();
    TrianglePair local{mx.triangle(0), my.triangle(0)};
    for (Vec3d& p : local.x.corner) p = p - mx.center();
    for (Vec3d& p : local.y.corner) p = p - my.center();
    const FeatureOptions options{std::max(random.uniform(-0.5, 0.5), 0.0), 0.01, 1e-12};
    const RelativeTaylor<double> motion = s.view.at(s.window.lo, s.window);
    const FeatureTest test = test_features(
        scaled(local, scale), scaled(motion, scale), width(s.window),
        {options.separation * scale, options.tolerance * scale, options.error * scale},
        all_features);
    const auto distance = [&](double t, int id) {
      return feature_distance(s.x.pose(t) * mx.triangle(0), s.y.pose(t) * my.triangle(0), id);
    };
    if (test.touches) {
      double least = 1e300;
      for (int id = 0; id < 15; ++id) least = std::min(least, distance(s.window.lo, id));
      CHECK(least <= options.separation + options.tolerance);
      ++count.touching;
      return;
    }
    for (int id = 0; id < 15; ++id) {
      const bool out = !(test.pending >> id & 1);
      ++(out ? count.excluded : count.open);
      const double length = out ? width(s.window) : std::min(test.step, width(s.window));
      if (scale < 1 && length == 0) continue;  // where digits are lost, nothing may be known
      for (int k = 0; k <= samples; ++k)
        CHECK(distance(s.window.lo + length * k / samples, id) > options.separation - rounding);
    }
  });
}

void test_features_touch_only_where_told() {
  Random random(4);
  FeatureCount count;
  const auto triangle = [&] {
    return Mesh(std::vector<Vec3d>{direction(random), direction(random), direction(random)},
                std::vector<Face>{{0, 1, 2}}, false);
  };
  for (int n = 0; n < 30; ++n) check_features(triangle(), triangle(), 200 + n, count);
  CHECK(count.excluded > 5000 && count.open > 5000 && count.touching > 100);
  // Products of small lengths underflow, then their squares, then the lengths' own.
  for (const int e : {60, 140, 170, 178, 182, 230, 260, 270, 300, 400})
    check_features(triangle(), triangle(), 60 + e % 7, count, std::ldexp(1.0, -e));
}

}  // namespace
}  // namespace toccata::testing

int main() {
  using namespace toccata::testing;
  test_taylor_encloses_paths();
  test_boxes_meet_only_where_told();
  test_features_touch_only_where_told();
}
