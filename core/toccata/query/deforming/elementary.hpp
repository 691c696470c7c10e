// The elementary tests of deforming meshes, in batches.
#pragma once

#include <span>
#include <vector>

#include "toccata/narrow/linear/contact.hpp"
#include "toccata/walk/contact.hpp"

namespace toccata {

/// Answers in the order of the questions. `toc` is infinite when free.
struct ElementaryContacts {
  std::vector<std::uint8_t> status;  ///< numbers of `Status`
  std::vector<double> toc;
};

/// The status of a contact: one at time 0 is an initial overlap.
Status status_of(const LinearContact& contact);

/// First contacts of vertices and faces, or of pairs of edges; four points each, at the start and
/// at the end of the step.
ElementaryContacts first_contacts(PairKind kind, std::span<const std::array<Vec3d, 4>> start,
                                  std::span<const std::array<Vec3d, 4>> end,
                                  const LinearOptions& options, unsigned threads);

}  // namespace toccata
