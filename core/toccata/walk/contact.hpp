// The answers of first-contact queries: status, times, points and normal of a contact, and the
// statistics of the search.
#pragma once

#include <cstdint>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/geometry/triangle.hpp"

namespace toccata {

struct TriangleApproach;

/// Three NaNs, for points and directions that do not exist.
inline constexpr Vec3d nowhere = all_three(not_a_number);

/// The status of an answer. Undecided: the budget or the precision did not suffice from
/// `safe_until` on.
enum class Status : std::uint8_t { free, contact, initial_overlap, undecided };

/// Counts of work, in the quantities that the papers plot. Seconds are measured only if the options
/// say `timed`.
struct Stats {
  Count ca_iterations = 0;         ///< advances of both bodies (c2a) or of node pairs
  Count bv_tests = 0;              ///< tested pairs of bounding volumes
  Count front_nodes = 0;           ///< node pairs at which the traversal stopped
  Count elementary_tests = 0;      ///< tested pairs of triangles or of their features
  Count subdivisions = 0;          ///< halvings of a window
  Count work = 0;                  ///< used units of the budget, for rigid bodies
  double seconds_broad_phase = 0;  ///< broad phase
  double seconds_setup = 0;        ///< construction of the pair of bodies
  double seconds_walk = 0;         ///< traversal, without elementary tests
  double seconds_elementary = 0;   ///< elementary tests
  double seconds_inside = 0;       ///< tests of whether a body starts inside a solid
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

/// The answer of a first-contact query. For every status, the bodies are farther apart than the
/// separation before `safe_until`. For a contact, they are within separation + tolerance at `toc`.
struct Contact {
  Status status = Status::free;
  double toc = infinity;
  double safe_until = 1;
  double tolerance = 0;  ///< tolerance of the query, or the default of the bodies
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, nowhere.x, Feature::none};  ///< in world coordinates, at `toc`
  Vec3d normal = nowhere;  ///< unit vector from b to a; NaN for an initial overlap
  Stats stats;

  /// Makes the answer undecided from `time` on.
  void give_up(double time) {
    *this = Contact{.status = Status::undecided, .toc = time, .safe_until = time, .stats = stats};
  }
};

/// Returns an answer that is undecided from the start.
inline Contact undecided_at_start() {
  return {.status = Status::undecided, .toc = 0, .safe_until = 0, .stats = {}};
}

/// Records in `contact` that elements a and b touch at `time`, with the points and the normal of
/// `approach`.
void record(Contact& contact, double time, Index a, Index b, const TriangleApproach& approach);

/// Turns a contact at time 0 into an initial overlap. Removes the normal, because the pair that was
/// found is not always the deepest pair.
void classify_start(Contact& contact);

/// Writes three coordinates to a row of a column.
inline void set_row(std::vector<double>& column, std::size_t row, const Vec3d& v) {
  column[3 * row] = v.x, column[3 * row + 1] = v.y, column[3 * row + 2] = v.z;
}

/// Columns of answers, with one row per query. The fields are those of `Contact`.
struct Contacts {
  std::vector<std::uint8_t> status, feature;
  std::vector<double> toc, safe_until, tolerance, distance;
  std::vector<double> point_a, point_b, normal;  ///< three coordinates per row
  std::vector<Index> element_a, element_b;

  explicit Contacts(std::size_t count);
  void set(std::size_t row, const Contact& contact);
};

}  // namespace toccata
