// What two bodies have near each other, kept while they move a little: queries that are asked
// again and again, step by step, need not start at the roots of the hierarchies.
#pragma once

#include "toccata/walk/distance_front.hpp"
#include "toccata/walk/proximities.hpp"

namespace toccata {

/// A memory for one pair of bodies made of triangles; one thread at a time. Meshes must outlive it.
/// The same queries in the same order get the same bits.
class PairCoherence {
 public:
  /// What answered.
  struct Counts {
    Count lists = 0, contacts = 0;  ///< asked for
    Count rooted = 0;               ///< lists that started from the roots
    Count by_distance = 0;          ///< excluded by distances and the lengths of motions alone
    Count by_front = 0;             ///< found or excluded by pairs that are near
  };

  /// Appends what `proximities` lists, bit by bit and in the same order: bodies at t = 0.
  void list(const Body& a, const Body& b, double distance, std::vector<Proximity>& found,
            const ProximityScope& scope = {});

  /// As `toccata::first_contact`, and by its contract.
  Contact first_contact(const Body& a, const Body& b, const Options& options);

  /// A lower bound of the distance of the surfaces at t = 0, as far as it is known.
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
  double listed_ = 0;  // the distance of the last list
  DistanceFront front_;
  std::vector<TriangleGap> triangles_;
  std::vector<FrontSiblings> siblings_;
  bool by_profile_ = false;  // the last long walk was ended by profiles
  int no_profile_ = 0;       // so many queries are not asked about them
  Counts counts_;
};

}  // namespace toccata
