// Configurations of robots from Python.
#pragma once

#include <optional>

#include "arrays.hpp"
#include "numbers.hpp"
#include "toccata/query/path/path.hpp"
#include "toccata/robot/robot.hpp"

namespace toccata {

/// Times of the waypoints of a path: those of the path, then those of the world, (2, waypoints).
using Clocks = nb::ndarray<const double, nb::shape<2, -1>, nb::c_contig, nb::device::cpu>;

/// Throws `invalid_argument` for a row that is not a valid configuration.
inline void check_rows(const Robot& robot, const Rows& q, const char* argument) {
  for (std::size_t i = 0; i < q.shape(0); ++i)
    robot.check({q.data() + i * q.shape(1), q.shape(1)}, argument);
}

/// Returns a path through the rows of configurations or coefficients.
inline Path path_of(const Rows& rows, const Clocks& clocks, bool curved,
                    std::pair<Index, Index> pieces) {
  const std::span<const double> both(clocks.data(), clocks.size());
  const std::size_t count = clocks.shape(1);
  return {rows.data(), curved, both.first(count), both.last(count), pieces.first, pieces.second};
}

/// Copies of both ends of a motion, because the caller's arrays may change at any time.
class Ends {
 public:
  /// Reads both ends; none unless both are arrays of doubles of the right length.
  static std::optional<Ends> read(const Robot& robot, nb::handle q_0, nb::handle q_1) {
    const std::size_t width = robot.coordinates();
    Ends ends{std::vector<double>(2 * width)};
    const std::span<double> both(ends.values_);
    if (!copy_doubles(q_0, {width}, both.first(width)) ||
        !copy_doubles(q_1, {width}, both.last(width)))
      return std::nullopt;
    return ends;
  }

  static Ends copy(const Robot& robot, const double* start, const double* end) {
    Ends ends{std::vector<double>(start, start + robot.coordinates())};
    ends.values_.insert(ends.values_.end(), end, end + robot.coordinates());
    return ends;
  }

  /// Throws `invalid_argument` unless both ends are valid configurations.
  void check(const Robot& robot) const {
    robot.check({start(), width()}, "q0");
    robot.check({end(), width()}, "q1");
  }

  const double* start() const { return values_.data(); }
  const double* end() const { return values_.data() + width(); }

  /// Returns both ends as a (2, dof) array.
  nb::ndarray<nb::numpy, double> rows() const {
    return to_numpy(std::vector<double>(values_), {2, width()});
  }

 private:
  explicit Ends(std::vector<double> values) : values_(std::move(values)) {}
  std::size_t width() const { return values_.size() / 2; }

  std::vector<double> values_;
};

}  // namespace toccata
