// Proof that links and bodies at rest are apart, once for many queries.
#include "toccata/query/robot_first_contact/prepare_options.hpp"

#include <array>

#include "toccata/walk/one_pair.hpp"
#include "toccata/walk/overlap.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

bool are_apart(const Body& a, const Body& b, const Options& options) {
  if (const int exponent = scaling_of(std::array{a, b})) [[unlikely]]
    return are_apart(ScaledBody(a, exponent), ScaledBody(b, exponent), scaled(options, exponent));
  const MovingPair pair(a, b, options);
  return walk_pair(pair, 0).status == Status::free && !starts_inside(pair, 1);
}

/// Adds the pairs of bodies at rest that are proven apart. Queries test the others every time,
/// because they have to be reported.
void add_resting(const Robot& robot, const BodySet& world, const RobotOptions& options,
                 IgnoredPairs& ignored) {
  Options own;
  own.tolerance = options.options.tolerance;
  const auto links = static_cast<Index>(robot.links().size());
  for (Index i = 0; i < links; ++i) {
    if (robot.links()[i].joint >= 0) continue;
    const Mesh& mesh = *robot.links()[i].mesh;
    const Motion stays = Motion::fixed(Pose{});
    const Box box = BodySet({&mesh}, {stays}).box(0, {0, 1});
    for (Index j = 0; j < static_cast<Index>(world.size()); ++j) {
      if (!world.is_fixed(j) || ignored.has(i, j)) continue;
      own.separation = options.separations ? options.separations->of({i, links + j})
                                           : options.options.separation;
      // As in the broad phase, a pair farther apart is not tested, whatever tolerance it chooses.
      if (!near(box, world.box(j, {0, 1}), own.separation + own.tolerance) ||
          are_apart({mesh, stays}, world.body(j), own))
        ignored.add(i, j);
    }
  }
}

}  // namespace

void set_separations(RobotOptions& options, const Separations& separations, Index links) {
  options.separations = std::make_shared<const Separations>(separations);
  options.options.separation = separations.most(links);
}

void set_ignored(RobotOptions& options, const IgnoredPairs& ignored, const Robot& robot,
                 const BodySet& world) {
  auto own = std::make_shared<IgnoredPairs>(ignored);
  add_resting(robot, world, options, *own);
  options.ignored = std::move(own);
}

}  // namespace toccata
