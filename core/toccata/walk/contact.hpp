// What a query answers.
#pragma once

#include <cstdint>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/geometry/triangle.hpp"

namespace toccata {

/// What takes the place of points and directions that do not exist.
inline constexpr Vec3d nowhere = all_three(not_a_number);

enum class Status : std::uint8_t { free, contact, initial_overlap, undecided };

/// Work done, in the quantities that the papers plot, and times of the stages if asked for.
struct Stats {
  Count ca_iterations = 0;         ///< advancements: of the whole (c2a) or of single pairs
  Count bv_tests = 0;              ///< pairs of bounding volumes
  Count front_nodes = 0;           ///< pairs at which the walk stopped
  Count elementary_tests = 0;      ///< pairs of triangles or of their features
  Count subdivisions = 0;          ///< halvings of a time window
  Count work = 0;                  ///< units of the budget, of rigid bodies
  double seconds_broad_phase = 0;  ///< choosing pairs of bodies
  double seconds_setup = 0;        ///< checking and placing the two bodies
  double seconds_walk = 0;         ///< in the hierarchies, without elementary tests
  double seconds_elementary = 0;   ///< in elementary tests
  double seconds_inside = 0;       ///< asking whether a body starts inside a solid
};

inline Stats& operator+=(Stats& a, const Stats& b) {
  a.ca_iterations += b.ca_iterations;
  a.bv_tests += b.bv_tests;
  a.front_nodes += b.front_nodes;
  a.elementary_tests += b.elementary_tests;
  a.subdivisions += b.subdivisions;
  a.work += b.work;
  a.seconds_broad_phase += b.seconds_broad_phase;
  a.seconds_setup += b.seconds_setup;
  a.seconds_walk += b.seconds_walk;
  a.seconds_elementary += b.seconds_elementary;
  a.seconds_inside += b.seconds_inside;
  return a;
}

/// The bodies are farther apart than the separation before `safe_until`, whatever the status. At
/// `toc` they are within separation + tolerance, if the status says contact.
struct Contact {
  Status status = Status::free;
  double toc = infinity;
  double safe_until = 1;
  double tolerance = 0;  ///< that was asked for, or chosen
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, nowhere.x, Feature::none};  ///< world, at toc
  Vec3d normal = nowhere;  ///< unit, from b to a; NaN for an initial overlap
  Stats stats;

  /// Nothing is known from `time` on.
  void give_up(double time) {
    *this = Contact{.status = Status::undecided, .toc = time, .safe_until = time, .stats = stats};
  }
};

/// Nothing is known at all.
inline Contact undecided_at_start() {
  return {.status = Status::undecided, .toc = 0, .safe_until = 0, .stats = {}};
}

/// What touches from the start has no normal: the pair that was found need not be the deepest.
void classify_start(Contact& contact);

/// Writes three coordinates to a row of a column.
inline void set_row(std::vector<double>& column, std::size_t row, const Vec3d& v) {
  column[3 * row] = v.x, column[3 * row + 1] = v.y, column[3 * row + 2] = v.z;
}

/// Answers side by side, one row per query; fields as in `Contact`.
struct Contacts {
  std::vector<std::uint8_t> status, feature;
  std::vector<double> toc, safe_until, tolerance, distance;
  std::vector<double> point_a, point_b, normal;  ///< three numbers per row
  std::vector<Index> element_a, element_b;

  explicit Contacts(std::size_t count);
  void set(std::size_t row, const Contact& contact);
};

}  // namespace toccata
