// Coherence of two bodies that move in small steps: a front with lower bounds of distances, so that
// queries of each step need not start at the roots of the hierarchies.
#pragma once

#include "toccata/walk/distance_front.hpp"
#include "toccata/walk/proximities.hpp"

namespace toccata {

/// Coherence of one pair of bodies made of triangles. For one thread at a time. Meshes must outlive
/// it. Equal sequences of queries have equal answers, bit by bit.
class PairCoherence {
 public:
  /// Numbers of queries.
  struct Counts {
    Count lists = 0, contacts = 0;  ///< all queries, by kind
    Count rooted = 0;               ///< lists that started from the roots
    Count by_distance = 0;          ///< contacts excluded by distances and lengths of motions alone
    Count by_front = 0;             ///< contacts found or excluded by the front
  };

  /// Appends the proximities at t = 0. They are equal to the result of `proximities`, bit by bit
  /// and in the same order.
  void list(const Body& a, const Body& b, double distance, std::vector<Proximity>& found,
            const ProximityScope& scope = {});

  /// Returns the first contact, by the contract of `toccata::first_contact`.
  Contact first_contact(const Body& a, const Body& b, const Options& options);

  /// Returns the known lower bound of the distance of the surfaces at t = 0.
  double least_distance(const Body& a, const Body& b);

  Counts counts() const;

 private:
  struct Placement {
    Pose a, b;
  };

  void travel_to(const MovingPair& pair, const Placement& now);
  Contact answer(const MovingPair& pair);
  Contact answer_from_roots(const MovingPair& pair);

  const Mesh *mesh_a_ = nullptr, *mesh_b_ = nullptr;
  Placement last_;
  double listed_ = 0;  // distance of the last list
  DistanceFront front_;
  std::vector<TriangleGap> triangles_;
  std::vector<FrontSiblings> siblings_;
  bool by_profile_ = false;  // profiles ended the last long traversal
  int no_profile_ = 0;       // number of further queries without a proof by profile
  Counts counts_;
};

}  // namespace toccata
