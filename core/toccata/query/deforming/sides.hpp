// The sides of all elements of a mesh, sorted such that equal ones meet.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/unfilled_vector.hpp"
#include "toccata/query/deforming/features.hpp"

namespace toccata {

/// One side of an element.
struct Side {
  Index lower, upper;  ///< its vertices
  Index element;
};

/// By lower vertex, upper vertex and element. A bucket holds the sides of a range of lower vertices.
class SortedSides {
 public:
  SortedSides(const Features& features, unsigned threads);

  std::size_t bucket_count() const { return first_.size() - 1; }
  std::span<const Side> bucket(std::size_t b) const {
    return std::span(sides_).subspan(first_[b], first_[b + 1] - first_[b]);
  }

 private:
  void sort_bucket(std::size_t bucket);

  int shift_;  ///< vertex v is in bucket v >> shift
  UnfilledVector<Side> sides_;
  std::vector<std::size_t> first_;
};

}  // namespace toccata
