// Motions through many configurations, piece by piece.
#pragma once

#include "toccata/query/clearance/robot_clearance.hpp"
#include "toccata/query/contact_intervals.hpp"
#include "toccata/query/contacts.hpp"
#include "toccata/query/distances.hpp"
#include "toccata/query/robot_first_contact/first_contact.hpp"

namespace toccata {

/// Pieces one after the other, all of them straight or all along polynomials. Configurations and
/// coefficients have been checked.
struct Path {
  /// Straight: configurations, one more than there are pieces. Otherwise six rows for each piece,
  /// the coefficients of 1, t, ... t^5 in the time of the piece.
  const double* rows;
  bool curved;
  std::span<const double> ends;   ///< times at which the pieces start, from 0 on, and 1 as the end
  std::span<const double> world;  ///< times of the world's bodies at `ends`, from 0 to 1
  Index first, last;              ///< the query is about pieces `first` to `last` - 1

  bool is_whole() const { return ends.size() == 2 && world[0] == 0 && world[1] == 1; }
};

/// Throws `invalid_argument` for a path that is not one of the robot. `numbers` is the length of
/// its rows.
void check(const Robot& robot, const Path& path, std::size_t numbers);

/// Returns the first contact on a path, at a time of the whole path. Bodies of the world move by
/// their own clock. The budget is for each piece. A pair within the tolerance at the start of a
/// later piece is a contact, since the piece before was free. `coherence` serves sequences of
/// similar paths; it may be null.
RobotContact first_contact(const Robot& robot, const World& world, const Path& path,
                           const RobotOptions& options, RobotCoherence* coherence = nullptr);

/// Returns the first contact of each pair that is not proven free, ordered by time. The budget is
/// for each pair and piece.
std::vector<RobotContact> first_contacts(const Robot& robot, const World& world, const Path& path,
                                         const RobotOptions& options, unsigned threads);

/// Returns one distance for each of `times` on the whole path and each of `pairs`, row by row. See
/// `distances` of configurations.
std::vector<Distance> distances(const Robot& robot, const World& world, const Path& path,
                                std::span<const Candidate> pairs, std::span<const double> times,
                                double limit, unsigned threads);

/// Returns times of the whole path outside of which no pair is in contact. They are at least
/// `resolution` apart. The budget is for each piece.
std::vector<Interval> contact_intervals(const Robot& robot, const World& world, const Path& path,
                                        const RobotOptions& options, double resolution);

/// Returns all contacts at a time of the only piece of the query.
std::vector<RobotContact> contacts_at(const Robot& robot, const World& world, const Path& path,
                                      const RobotOptions& options, double time);

/// Returns the least distance on a path. The budget is for each piece, and pieces share it.
RobotClearance clearance(const Robot& robot, const World& world, const Path& path,
                         const ClearanceOptions& options);

}  // namespace toccata
