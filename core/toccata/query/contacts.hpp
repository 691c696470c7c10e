// All contacts of a query: those of every pair of bodies, and all of one time.
#pragma once

#include "toccata/query/setting/many_bodies.hpp"
#include "toccata/query/setting/robot_in_world.hpp"
#include "toccata/query/setting/two_bodies.hpp"

namespace toccata {

/// Returns the pairs of triangles within separation + tolerance at `time`, pair of bodies after
/// pair of bodies, ordered by triangle. Of contacts with the same two points, up to rounding, the
/// first is listed. A normal is NaN where rounding exceeds the distance.
std::vector<Contact> contacts_at(const TwoBodies& bodies, double time);
std::vector<SceneContact> contacts_at(const ManyBodies& scene, double time);
/// Links come in order, each with the bodies of the world before other links.
std::vector<RobotContact> contacts_at(const Robot& robot, const World& world,
                                      const RobotMotion& motion, const RobotOptions& options,
                                      double time);

/// Returns the first contact of each pair of bodies that is not proven free, ordered by time, then
/// by bodies. Each pair has the whole budget. Rows do not depend on the number of threads.
std::vector<SceneContact> first_contacts(const ManyBodies& scene, unsigned threads);
/// The method is "auto", whatever the options say.
std::vector<RobotContact> first_contacts(const Robot& robot, const World& world,
                                         const RobotMotion& motion, const RobotOptions& options,
                                         unsigned threads);

}  // namespace toccata
