// All contacts of a robot at one time, not only the first.
#pragma once

#include <vector>

#include "toccata/query/articulated/first_contact.hpp"

namespace toccata {

struct ContactsQuestion {
  double time;
  /// How all contacts of two bodies at a time are found.
  std::vector<Contact> (*of_bodies)(const Body&, const Body&, const Options&, double);
};

/// All contacts within separation + tolerance at a time of a way, pair after pair: links in order,
/// each with the bodies of the world before other links.
std::vector<RobotContact> contacts_at(const Robot& robot, const World& world,
                                      const RobotMotion& motion, const RobotOptions& options,
                                      const ContactsQuestion& question);

}  // namespace toccata
