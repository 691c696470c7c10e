// Queries about paths: successive motions of a robot, each from one waypoint to the next.
#pragma once

#include "toccata/query/clearance/robot_clearance.hpp"
#include "toccata/query/contact_intervals.hpp"
#include "toccata/query/contacts.hpp"
#include "toccata/query/distances.hpp"
#include "toccata/query/robot_first_contact/first_contact.hpp"

namespace toccata {

/// A path. Its pieces are either all straight or all polynomials. Configurations and coefficients
/// have been checked.
struct Path {
  /// Rows of numbers. Straight pieces have a configuration per waypoint. Polynomials have six rows
  /// per piece, with the coefficients of 1, t, ... t^5 in the time of the piece.
  const double* rows;
  bool curved;                    ///< pieces are polynomials
  std::span<const double> ends;   ///< times of the waypoints, from 0 to 1
  std::span<const double> world;  ///< times of the world at the waypoints, from 0 to 1
  Index first, last;              ///< pieces of the query: `first` to `last` - 1

  bool is_whole() const { return ends.size() == 2 && world[0] == 0 && world[1] == 1; }
};

/// Throws `invalid_argument` for a path that does not fit the robot. `numbers` is the total length
/// of the rows.
void check(const Robot& robot, const Path& path, std::size_t numbers);

/// Returns the first contact on a path, with times of the whole path. Bodies of the world move by
/// their own clock. Each piece has the whole budget. A pair within the tolerance at the start of a
/// later piece is a contact and no initial overlap, because the piece before was free. `coherence`
/// serves sequences of similar paths; it may be null.
RobotContact first_contact(const Robot& robot, const BodySet& world, const Path& path,
                           const RobotOptions& options, RobotCoherence* coherence = nullptr);

/// Returns the first contact of each pair that is not proven free, ordered by time. Each pair has
/// the whole budget on each piece.
std::vector<RobotContact> first_contacts(const Robot& robot, const BodySet& world, const Path& path,
                                         const RobotOptions& options, unsigned threads);

/// Returns one distance for each of `times` on the whole path and each of `pairs`, row by row. See
/// `distances` of configurations.
std::vector<Distance> distances(const Robot& robot, const BodySet& world, const Path& path,
                                std::span<const Candidate> pairs, std::span<const double> times,
                                double limit, unsigned threads);

/// Returns intervals of the time of the whole path. Outside of them, no pair is in contact. They
/// are at least `resolution` apart. Each piece has the whole budget.
std::vector<Interval> contact_intervals(const Robot& robot, const BodySet& world, const Path& path,
                                        const RobotOptions& options, double resolution);

/// Returns all contacts at a time of the only piece of the query.
std::vector<RobotContact> contacts_at(const Robot& robot, const BodySet& world, const Path& path,
                                      const RobotOptions& options, double time);

/// Returns the clearance on a path. The budget is multiplied by the number of pieces, which share
/// it.
RobotClearance clearance(const Robot& robot, const BodySet& world, const Path& path,
                         const ClearanceOptions& options);

}  // namespace toccata
