// Motions through many configurations, piece by piece.
#pragma once

#include "toccata/query/clearance/robot_clearance.hpp"
#include "toccata/query/contact_intervals.hpp"
#include "toccata/query/contacts.hpp"

namespace toccata {

/// Pieces one after the other, all of them straight or all along polynomials. Configurations and
/// coefficients have been checked.
struct Path {
  /// Straight: configurations, one more than there are pieces. Otherwise six rows for each piece,
  /// the coefficients of 1, t, ... t^5 in the time of the piece.
  const double* rows;
  bool curved;
  std::span<const double> ends;   ///< times from 0 to 1 at which the pieces start, and 1
  std::span<const double> world;  ///< what the time of the world's bodies is at these, from 0 to 1
  Index first, last;              ///< the pieces that are asked for: from `first` to `last` - 1

  bool is_whole() const { return ends.size() == 2 && world[0] == 0 && world[1] == 1; }
};

/// Throws `invalid_argument` for a path, of so many numbers in its rows, that is none of the robot.
void check(const Robot& robot, const Path& path, std::size_t numbers);

/// The first contact on a path, at a time of the whole path. Bodies of the world move by their own
/// clock; the budget is for each piece. What starts within the tolerance at the start of a later
/// piece is a contact, since the piece before was free.
RobotContact first_contact(const Robot& robot, const World& world, const Path& path,
                           const RobotOptions& options);

/// Times of the whole path outside of which nothing is in contact, at least `resolution` apart; the
/// budget is for each piece.
std::vector<Interval> contact_intervals(const Robot& robot, const World& world, const Path& path,
                                        const RobotOptions& options, double resolution);

/// All contacts at a time of the one piece that is asked for.
std::vector<RobotContact> contacts_at(const Robot& robot, const World& world, const Path& path,
                                      const RobotOptions& options, double time);

/// The least distance on a path. The budget is for each piece, and pieces share it.
RobotClearance clearance(const Robot& robot, const World& world, const Path& path,
                         const ClearanceOptions& options);

}  // namespace toccata
