// The contract of first contacts of robots, held against all pairs of their bodies asked one by one
// as rigid bodies on chains that start from the world.
#pragma once

#include <cmath>
#include <memory>

#include "check.hpp"
#include "random_robots.hpp"
#include "toccata/query/first_contact/first_contact.hpp"
#include "toccata/query/robot_first_contact/first_contact.hpp"

namespace toccata::testing {

/// Some pairs have a separation of their own, and some links a distance kept around them.
inline std::shared_ptr<const Separations> random_separations(Random& random, const RobotCase& c) {
  const auto links = static_cast<Index>(c.links.size());
  const auto bodies = static_cast<Index>(c.obstacles.size());
  const double rest = random.below(2) ? 0 : 0.02;
  std::vector<Separations::Entry> entries;
  for (Index a = 0; a < links; ++a) {
    for (Index b = a + 1; b < links; ++b)
      if (random.below(2)) entries.push_back({{a, b}, random.uniform(0, 0.1)});
    for (Index body = 0; body < bodies; ++body)
      if (random.below(2)) entries.push_back({{a, links + body}, random.uniform(0, 0.4)});
  }
  Separations table(std::move(entries), rest, links + bodies);
  std::vector<double> around(c.links.size());
  for (double& distance : around)
    if (random.below(3) == 0) distance = random.uniform(0, 0.2);
  if (random.below(2)) table.pad(around);
  return std::make_shared<const Separations>(table);
}

/// The earliest of all pairs, by another method; all separations are `more` than what is asked.
/// Pairs without a separation have no smaller one to be asked for.
inline double earliest(const RobotCase& c, const Robot& robot, const RobotOptions& asked,
                       double more) {
  Options other = asked.options;
  other.method = Method::hca;
  double best = std::numeric_limits<double>::infinity();
  const Separations* table = asked.separations.get();
  const auto offer = [&](const Body& a, const Body& b, double own) {
    other.separation = (table ? own : asked.options.separation) + more;
    if (other.separation < 0) return;
    best = std::min(best, toccata::first_contact(a, b, other).toc);
  };
  const auto of_links = [&](auto i, auto j) {
    return table ? table->of({static_cast<Index>(i), static_cast<Index>(j)}) : 0;
  };
  const auto of_body = [&](auto i, auto j) {
    return table ? table->of({static_cast<Index>(i), static_cast<Index>(c.links.size() + j)}) : 0;
  };
  std::vector<Motion> motions;
  for (const Link& link : c.links) motions.push_back(c.motion(robot, link.joint));
  for (std::size_t i = 0; i < c.links.size(); ++i) {
    for (std::size_t j = i + 1; j < c.links.size(); ++j)
      if (i != 0 || j != 1)
        offer({*c.links[i].mesh, motions[i]}, {*c.links[j].mesh, motions[j]}, of_links(i, j));
    for (std::size_t j = 0; j < c.obstacles.size(); ++j)
      offer({*c.links[i].mesh, motions[i]}, {c.obstacles[j], c.motions[j]}, of_body(i, j));
  }
  return best;
}

struct Asked {
  const RobotCase& c;
  const Robot& robot;
  const BodySet& world;
  double none_before, some_by;  ///< a contact is due between these
};

/// A contact may be reported up to the tolerance early, so that times differ by what the distance
/// takes from separation + tolerance to separation: the answer with the other one's time must hold
/// for a larger separation.
inline bool keeps_contract(const Asked& asked, const RobotOptions& options,
                           RobotCoherence* memory = nullptr) {
  const RobotMotion motion = asked.c.motion();
  const RobotContact found = first_contact(asked.robot, asked.world, motion, options, memory);
  CHECK(found.contact.status != Status::undecided);
  CHECK(asked.none_before <= found.contact.toc);
  CHECK(found.contact.toc <= asked.some_by);
  CHECK(found.stages.pairs_after_culling <= found.stages.pairs_after_hierarchy);
  const double end = std::min(found.contact.toc, 1.0);
  for (int k = 0; k < 2 && end > 0 && !options.separations; ++k)
    CHECK(asked.c.distance(asked.robot, end * (k + 0.3) / 2) > options.options.separation - 1e-12);
  RobotOptions any_of = options;
  any_of.any = true;
  const RobotContact any = first_contact(asked.robot, asked.world, motion, any_of);
  CHECK(any.contact.status != Status::undecided);
  CHECK(asked.none_before <= any.contact.toc);
  if (asked.some_by <= 1) CHECK(any.contact.status != Status::free);
  any_of.options.cutoff = 0.5;
  const double by_then = first_contact(asked.robot, asked.world, motion, any_of).contact.toc;
  CHECK(by_then < 0.5 || by_then > 1);
  return found.contact.status != Status::free;
}

}  // namespace toccata::testing
