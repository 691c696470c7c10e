// Batches of first-contact queries of two bodies: the same bodies in all rows, or a pair per row.
#pragma once

#include <span>

#include "toccata/bvh/mesh.hpp"
#include "toccata/motion/rows.hpp"
#include "toccata/walk/contact.hpp"
#include "toccata/walk/options.hpp"

namespace toccata {

/// Motions of both bodies, one per row. Without motions of b, body b is fixed at the origin.
struct PairMotions {
  MotionRows a, b;

  std::size_t size() const { return a.size(); }
  void check() const;
  Motion of_b(std::size_t row) const { return b.size() ? b[row] : Motion::fixed({}); }
};

/// Answers one query per row. The answers do not depend on the number of threads.
Contacts first_contact_batch(const Mesh& a, const Mesh& b, const PairMotions& motions,
                             const Options& options, unsigned threads);

/// The two meshes of each row, as indices into `meshes`.
struct PairMeshes {
  std::span<const Mesh* const> meshes;
  std::span<const Index> a, b;
};

/// Answers one query per row for different pairs of bodies.
Contacts first_contact_pairs(const PairMeshes& bodies, const PairMotions& motions,
                             const Options& options, unsigned threads);

}  // namespace toccata
