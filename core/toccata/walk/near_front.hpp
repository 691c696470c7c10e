// A front of node pairs of two bodies that is kept while they move: what is farther apart than they
// have moved since it was looked at need not be looked at again.
//
// Fronts of walks are well known from step to step (Ehmann, Lin 2001; the coherence tables of
// Redon, Kheddar, Coquillart 2002). Here each pair has a lower bound of its distance, and the
// bodies a length that they have travelled: the bound minus what was travelled since holds for
// ever.
#pragma once

#include <array>
#include <vector>

#include "toccata/walk/expand.hpp"

namespace toccata {

/// Two bodies at one time, for questions of distance.
struct NearView {
  const MovingPair& pair;
  std::array<RelativeState, 2> seen;

  NearView(const MovingPair& of, const PairState& state)
      : pair(of), seen{of.relative(state, false), of.relative(state, true)} {}
};

/// Pairs of triangles that may be near.
struct NearTriangles {
  Index a, b;
  float gap;  ///< lower bound of their distance
};

/// Every pair of triangles lies below exactly one of its node pairs. Needs memory linear in the
/// meshes. Always of the same two meshes.
class NearFront {
 public:
  /// Nothing is known.
  void clear();
  /// No two points of the bodies have come nearer to each other by more than this.
  void travel(double length) { travelled_ += length; }
  double travelled() const { return travelled_; }
  /// How often a list has started from the roots.
  Count roots() const { return roots_; }

  /// All pairs of triangles that may be within a distance now, each once. False if there are too
  /// many to keep: then these are not all.
  bool list(const NearView& view, double distance, std::vector<NearTriangles>& found);
  /// The node pairs that may be within a distance now; no more than `most` and one families.
  void collect(const NearView& view, double distance, std::size_t most,
               std::vector<FrontFamily>& found);
  /// A lower bound of all distances now.
  double least_distance() const;

 private:
  struct Entry {
    FrontFamily pairs;
    double looked;  ///< what had been travelled when it was looked at
    double until;   ///< travelled until then, the nearest pair may touch
    Pack gap;       ///< when it was looked at
  };

  bool is_near(const Entry& entry, double distance) const {
    return !(entry.until - travelled_ > distance);
  }
  bool is_too_fine() const;
  void look(const NearView& view, double distance, Entry& entry) const;
  bool look_again(const NearView& view, double distance, Entry& entry) const;
  void descend(const NearView& view, double distance, std::size_t k,
               std::vector<NearTriangles>& found);

  std::vector<Entry> entries_;
  double travelled_ = 0;
  std::size_t rooted_size_ = 0;  // after the list of the largest distance since the last root
  double rooted_distance_ = 0;
  Count roots_ = 0;
};

}  // namespace toccata
