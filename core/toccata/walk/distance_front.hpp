// A front of node pairs with lower bounds of their distances, kept while two bodies move. Node
// pairs that are farther apart than the motion since their last test are not tested again.
//
// Fronts are a known form of coherence (Ehmann, Lin 2001; the coherence tables of Redon, Kheddar,
// Coquillart 2002). Here, the front counts the travel of the bodies: the sum of bounds of how much
// nearer any two points came. A gap minus the travel since its test is a valid bound at any later
// time. Each gap also has a direction, because bodies that slide past each other do not come nearer
// along it.
#pragma once

#include <array>
#include <vector>

#include "toccata/walk/expand.hpp"

namespace toccata {

/// A pair of bodies at one time, for queries of distance.
struct DistanceView {
  /// Pose of one body relative to the other: its axes, and the offset between the centers.
  struct Placed {
    Mat3d axes{};
    Vec3d center{};
  };

  const MovingPair& pair;
  std::array<RelativeState, 2> seen;  ///< relative states; index 1 if body a is x
  std::array<Placed, 2> placed;       ///< body y in the axes of x, in double precision

  DistanceView(const MovingPair& of, const PairState& state)
      : pair(of),
        seen{of.relative(state, false), of.relative(state, true)},
        placed{from(state.b, state.a), from(state.a, state.b)} {}

 private:
  static Placed from(const BodyState& x, const BodyState& y) {
    const Mat3d& axes = x.motion.pose.rotation;
    return {transposed_times(axes, y.motion.pose.rotation),
            transposed_times(axes, y.center - x.center)};
  }
};

/// Bounds of the motion of both bodies from one view to the view `end`, relative to each other.
struct TravelBounds {
  const DistanceView& end;
  double length;  ///< largest distance that a point moves
  double bend;    ///< largest distance of a point from a uniform motion along a line
  double turn;    ///< largest angle, in radians
};

/// Two triangles, with a lower bound of their distance.
struct TriangleGap {
  Index a, b;
  float gap;
};

/// The front of two meshes, which must not change. Each pair of triangles lies below exactly one
/// node pair. Needs storage linear in the meshes.
class DistanceFront {
 public:
  /// Forgets all node pairs.
  void clear();
  /// Adds to the travel: no two points of the bodies have come nearer by more than `length`.
  void move(double length) { travel_ += length; }
  double travel() const { return travel_; }
  /// Returns the number of lists that started from the roots.
  Count roots() const { return roots_; }

  /// Appends all pairs of triangles that may be within a distance now, once each. Returns false if
  /// there are too many for the front; then some are missing.
  bool list(const DistanceView& view, double distance, std::vector<TriangleGap>& found);
  /// Appends the node pairs that may come within a distance during a motion. Stops after more than
  /// `most` siblings.
  void collect(const DistanceView& view, const TravelBounds& motion, double distance,
               std::size_t most, std::vector<FrontSiblings>& found);
  /// Returns a lower bound of the distance now.
  double least_distance() const;

 private:
  struct Entry {
    FrontSiblings pairs;
    double tested = 0;  ///< travel at the last test
    double until = 0;   ///< travel up to which no pair touches
    Count view = 0;     ///< number of the view of the last test
    Pack gap{};         ///< gaps at the last test, along `direction`
    Vec3p direction{};  ///< vectors from y to x in x's axes, of length at most 1

    explicit Entry(const FrontSiblings& of) : pairs(of) {}
  };
  /// Motion of y in the axes of x since a view.
  struct Shift {
    Mat3d axes{};     ///< difference of the axes
    Vec3d center{};   ///< displacement of the center
    double turn = 0;  ///< largest displacement about the center per unit of distance from it
  };
  static constexpr Count views = 32;

  bool is_near(const Entry& entry, double distance) const {
    return !(entry.until - travel_ > distance);
  }
  bool is_too_fine() const;
  void begin(const DistanceView& view);
  Pack bounds(const DistanceView& view, const Entry& entry,
              const TravelBounds* motion = nullptr) const;
  void test(const DistanceView& view, double distance, Entry& entry) const;
  void descend(const DistanceView& view, double distance, std::size_t k,
               std::vector<TriangleGap>& found);

  std::vector<Entry> entries_;
  double travel_ = 0;
  Count view_ = 0;                                                 // number of the last view
  double viewed_ = -1;                                             // travel at the last view
  std::array<std::array<DistanceView::Placed, 2>, views> placed_;  // of the last views
  std::array<std::array<Shift, 2>, views> shifts_;                 // motion since each of them
  // Largest distance listed since the last start from the roots, and size of the front after it.
  double rooted_distance_ = 0;
  std::size_t rooted_size_ = 0;
  Count roots_ = 0;
};

}  // namespace toccata
