// Disjoint sets with signs (union-find), to orient connected faces consistently.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "toccata/base/index.hpp"

namespace toccata {

/// Disjoint sets. Each member has a sign relative to the root of its set.
class SignedSets {
 public:
  explicit SignedSets(std::size_t count) : above_(count), sign_(count, 1) {
    std::iota(above_.begin(), above_.end(), 0);
  }

  Index root(Index i) { return find(i).first; }
  int sign(Index i) { return find(i).second; }

  /// Unites the sets of i and j, so that the product of their signs is `product`. Returns false if
  /// they are united already with the opposite product.
  bool join(Index i, Index j, int product) {
    auto [a, s] = find(i);
    auto [b, t] = find(j);
    if (a == b) return s * t == product;
    if (a > b) std::swap(a, b);
    above_[b] = a;
    sign_[b] = static_cast<signed char>(s * t * product);
    return true;
  }

 private:
  std::pair<Index, int> find(Index i) {
    int sign = 1;
    Index root = i;
    for (; above_[root] != root; root = above_[root]) sign *= sign_[root];
    const std::pair<Index, int> found{root, sign};
    while (above_[i] != root && i != root) {
      const int rest = sign * sign_[i];
      sign_[i] = static_cast<signed char>(sign);
      i = std::exchange(above_[i], root);
      sign = rest;
    }
    return found;
  }

  std::vector<Index> above_;
  std::vector<signed char> sign_;
};

}  // namespace toccata
