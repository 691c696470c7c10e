// Proximities of all pairs of a setting, in world coordinates.
#include "toccata/query/proximities.hpp"

#include <algorithm>

#include "toccata/base/of_thread.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/setting/robot_pair.hpp"
#include "toccata/query/setting/scaling.hpp"

namespace toccata {
namespace {

/// Appends the proximities of one pair of bodies, in the frame of the pair.
template <BodiesOverTime Bodies>
void append_proximities(Bodies& bodies, double distance, const ProximityScope& scope,
                        std::vector<Proximity>& found) {
  const MovingPair& pair = bodies.pair();
  const Body a{pair.mesh_a(), pair.motion_a()}, b{pair.mesh_b(), pair.motion_b()};
  if (scaling_of(std::array{a, b})) [[unlikely]]
    for (const Proximity& p : proximities(TwoBodies{a, b}, distance, scope)) found.push_back(p);
  else of_thread<ProximitySearch>().list(pair, bodies.at({0, 0}), distance, found, scope);
}

/// Names of the arguments with the bodies, for error messages.
struct Arguments {
  const char *a, *b;
};

/// Lists the proximities of all pairs of a setting.
template <Setting S>
std::vector<Proximity> list_proximities(S& setting, double distance, const Arguments& arguments) {
  std::vector<Proximity> found;
  for (const Candidate& candidate : setting.candidates_at(0)) {
    check_triangles(setting.mesh_a(candidate), arguments.a);
    check_triangles(setting.mesh_b(candidate), arguments.b);
    typename S::Bodies bodies(setting, candidate);
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    append_proximities(bodies, distance, {}, found);
    const std::optional<Pose> frame = setting.frame_of(candidate, 0);
    std::for_each(found.begin() + first, found.end(), [&](Proximity& p) {
      p.body_a = candidate.a, p.body_b = setting.second_of(candidate);
      if (!frame) return;
      p.point_a = *frame * p.point_a;
      p.point_b = *frame * p.point_b;
      p.normal = frame->rotation * p.normal;
    });
  }
  std::sort(found.begin(), found.end(), comes_before);
  return found;
}

Options within(double distance) {
  Options options;
  options.separation = distance;
  return options;
}

}  // namespace

std::vector<Proximity> proximities(const TwoBodies& bodies, double distance,
                                   const ProximityScope& scope) {
  check_triangles(bodies.a.mesh, "a");
  check_triangles(bodies.b.mesh, "b");
  return in_ordinary_lengths(bodies, [&](const TwoBodies& two, int exponent) {
    std::vector<Proximity> found;
    RigidPair pair(two.a, two.b, {});
    of_thread<ProximitySearch>().list(pair.pair(), pair.at({0, 0}),
                                      scaled_distance(distance, exponent), found, scope);
    return found;
  });
}

std::vector<Proximity> proximities(const ManyBodies& scene, double distance) {
  const ManyBodies near{scene.world, scene.broad, {within(distance)}};
  return in_ordinary_lengths(near, [&](ManyBodies bodies, int exponent) {
    return list_proximities(bodies, scaled_distance(distance, exponent), {"a", "b"});
  });
}

std::vector<Proximity> proximities(const Robot& robot, const BodySet& world, const double* q,
                                   double distance, const IgnoredPairs* ignored) {
  const RobotMotion still{q, q};
  RobotOptions options;
  options.options = within(distance);
  return in_ordinary_lengths(
      robot, world, still, options, [&](RobotInWorld& setting, int exponent) {
        setting.ignored = ignored;
        return list_proximities(setting, scaled_distance(distance, exponent), {"robot", "world"});
      });
}

}  // namespace toccata
