// Lists of contacts: the contact manifold at one time, and the first contact of each pair of
// bodies.
#pragma once

#include "toccata/query/setting/many_bodies.hpp"
#include "toccata/query/setting/robot_in_world.hpp"
#include "toccata/query/setting/two_bodies.hpp"

namespace toccata {

/// Returns the pairs of triangles within separation + tolerance at `time`, ordered by bodies, then
/// by triangles. Only the first of several contacts with equal points (up to rounding) is listed.
/// The normal is NaN if rounding exceeds the distance.
std::vector<Contact> contacts_at(const TwoBodies& bodies, double time);
std::vector<SceneContact> contacts_at(const ManyBodies& scene, double time);
/// Contacts of a robot are ordered by link a. Contacts with the world precede contacts with links.
std::vector<RobotContact> contacts_at(const Robot& robot, const BodySet& world,
                                      const RobotMotion& motion, const RobotOptions& options,
                                      double time);

/// Returns the first contact of each pair of bodies that is not proven free, ordered by time, then
/// by bodies. Each pair has the whole budget. Rows do not depend on the number of threads.
std::vector<SceneContact> first_contacts(const ManyBodies& scene, unsigned threads);
/// The method is "auto", whatever the options say.
std::vector<RobotContact> first_contacts(const Robot& robot, const BodySet& world,
                                         const RobotMotion& motion, const RobotOptions& options,
                                         unsigned threads);

}  // namespace toccata
