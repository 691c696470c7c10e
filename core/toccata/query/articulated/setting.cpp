#include "toccata/query/articulated/setting.hpp"

#include "toccata/query/articulated/resting.hpp"

namespace toccata {

void set_separations(RobotOptions& options, const Separations& separations) {
  options.separations = std::make_shared<const Separations>(separations);
  options.options.separation = separations.most();
}

void set_untested(RobotOptions& options, const Untested& untested, const Robot& robot,
                  const World& world) {
  auto own = std::make_shared<Untested>(untested);
  add_resting(robot, world, options, *own);
  options.untested = std::move(own);
}

bool motion_is_free(const Robot& robot, const World& world, const RobotMotion& motion,
                    const RobotOptions& options) {
  RobotOptions own = options;
  own.any = true;
  own.options.timed = false;
  return first_contact(robot, world, motion, own).contact.status == Status::free;
}

std::vector<std::uint8_t> motions_are_free(const Robot& robot, const World& world,
                                           const RobotMotions& motions, const RobotOptions& options,
                                           unsigned threads) {
  RobotOptions own = options;
  own.any = true;
  return first_contact_batch(robot, world, motions, own, threads).contacts.status;
}

}  // namespace toccata
