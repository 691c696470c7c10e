// A front of node pairs of two bodies that is kept while they move: what is farther apart than they
// have moved since it was looked at need not be looked at again.
//
// Fronts of walks are well known from step to step (Ehmann, Lin 2001; the coherence tables of
// Redon, Kheddar, Coquillart 2002). Here each pair has a lower bound of its distance, and the
// bodies a length that they have travel: the bound minus what was travel since holds for
// ever. A pair also has a direction along which it is apart: what slides past it comes no nearer.
#pragma once

#include <array>
#include <vector>

#include "toccata/walk/expand.hpp"

namespace toccata {

/// Two bodies at one time, for queries of distance.
struct DistanceView {
  /// One body seen from the other: its axes, and its center from that of the other.
  struct Placed {
    Mat3d axes{};
    Vec3d center{};
  };

  const MovingPair& pair;
  std::array<RelativeState, 2> seen;  ///< by whether body a is x, as in `MovingPair::relative`
  std::array<Placed, 2> placed;       ///< y in the axes of x, in double precision

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

/// What the bodies of a view do next, until they are seen from another one. No point of one is
/// farther from a straight and even way than `bend`, seen from the other, and none of them turns by
/// more than `turn`, relative to it.
struct TravelBounds {
  const DistanceView& end;
  double length;  ///< no point moves farther, relative to the other body
  double bend, turn;
};

/// Pairs of triangles that may be near.
struct TriangleGap {
  Index a, b;
  float gap;  ///< lower bound of their distance
};

/// Every pair of triangles lies below exactly one of its node pairs. Needs memory linear in the
/// meshes. Always of the same two meshes.
class DistanceFront {
 public:
  /// Nothing is known.
  void clear();
  /// No two points of the bodies have come nearer to each other by more than this.
  void move(double length) { travel_ += length; }
  double travel() const { return travel_; }
  /// How often a list has started from the roots.
  Count roots() const { return roots_; }

  /// All pairs of triangles that may be within a distance now, each once. False if there are too
  /// many to keep: then these are not all.
  bool list(const DistanceView& view, double distance, std::vector<TriangleGap>& found);
  /// The node pairs that may come within a distance; no more than `most` and one siblings.
  void collect(const DistanceView& view, const TravelBounds& sweep, double distance,
               std::size_t most, std::vector<FrontSiblings>& found);
  /// A lower bound of all distances now.
  double least_distance() const;

 private:
  struct Entry {
    FrontSiblings pairs;
    double looked = 0;  ///< what had been travel when it was looked at
    double until = 0;   ///< travel until then, the nearest pair may touch
    Count view = 0;     ///< from which it was looked at
    Pack gap{};         ///< then, along a direction
    Vec3p direction{};  ///< not longer than 1, from y to x, in x's axes

    explicit Entry(const FrontSiblings& of) : pairs(of) {}
  };
  /// How y has moved in the axes of x since a view.
  struct Shift {
    Mat3d axes{};
    Vec3d center{};
    double turn = 0;  ///< points move about the center by no more than this, by their distance
  };
  static constexpr Count views = 32;

  bool is_near(const Entry& entry, double distance) const {
    return !(entry.until - travel_ > distance);
  }
  bool is_too_fine() const;
  void begin(const DistanceView& view);
  Pack bounds(const DistanceView& view, const Entry& entry,
              const TravelBounds* sweep = nullptr) const;
  void look(const DistanceView& view, double distance, Entry& entry) const;
  void descend(const DistanceView& view, double distance, std::size_t k,
               std::vector<TriangleGap>& found);

  std::vector<Entry> entries_;
  double travel_ = 0;
  Count view_ = 0;                                                 // the last one
  double viewed_ = -1;                                             // what had been travel by then
  std::array<std::array<DistanceView::Placed, 2>, views> placed_;  // of the last views
  std::array<std::array<Shift, 2>, views> shifts_;                 // since then
  std::size_t rooted_size_ = 0;  // after the list of the largest distance since the last root
  double rooted_distance_ = 0;
  Count roots_ = 0;
};

}  // namespace toccata
