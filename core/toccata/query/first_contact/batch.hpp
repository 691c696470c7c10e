// Many queries at once, one per row: of the same two bodies, or each of its own.
#pragma once

#include <span>

#include "toccata/bvh/mesh.hpp"
#include "toccata/motion/rows.hpp"
#include "toccata/walk/contact.hpp"
#include "toccata/walk/options.hpp"

namespace toccata {

/// Motions of both bodies; those of b may be empty (b stays where it is).
struct PairMotions {
  MotionRows a, b;

  std::size_t size() const { return a.size(); }
  void check() const;
  Motion of_b(std::size_t row) const { return b.size() ? b[row] : Motion::fixed({}); }
};

/// Answers one query per row. The outcome does not depend on the number of threads.
Contacts first_contact_batch(const Mesh& a, const Mesh& b, const PairMotions& motions,
                             const Options& options, unsigned threads);

/// Which two of some meshes each row is about.
struct PairMeshes {
  std::span<const Mesh* const> meshes;
  std::span<const Index> a, b;
};

/// The same for different pairs of bodies: row by row the answer of the single query.
Contacts first_contact_pairs(const PairMeshes& bodies, const PairMotions& motions,
                             const Options& options, unsigned threads);

}  // namespace toccata
