// Batches of elementary tests of deforming meshes.
#pragma once

#include <span>
#include <vector>

#include "toccata/narrow/linear/contact.hpp"
#include "toccata/walk/contact.hpp"

namespace toccata {

/// Results in the order of the pairs. `toc` is infinite if a pair is free.
struct ElementaryContacts {
  std::vector<std::uint8_t> status;  ///< values of `Status`
  std::vector<double> toc;
};

/// Returns the status of a contact. A contact at time 0 is an initial overlap.
Status status_of(const LinearContact& contact);

/// Computes first contacts of vertices and faces, or of pairs of edges. Each pair has four points,
/// at the start and at the end of the step.
ElementaryContacts first_contacts(PairKind kind, std::span<const std::array<Vec3d, 4>> start,
                                  std::span<const std::array<Vec3d, 4>> end,
                                  const LinearOptions& options, unsigned threads);

}  // namespace toccata
