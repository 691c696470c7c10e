// Links of a robot and bodies of the world that need no test.
#pragma once

#include <cstddef>
#include <vector>

#include "toccata/base/index.hpp"

namespace toccata {

/// One bit for every link and body of the world.
class Untested {
 public:
  Untested(Index links, Index bodies)
      : width_(bodies), bits_(static_cast<std::size_t>(links) * width_, false) {}

  void add(Index link, Index body) { bits_[link * width_ + body] = true; }
  bool has(Index link, Index body) const { return bits_[link * width_ + body]; }

 private:
  std::size_t width_;
  std::vector<bool> bits_;
};

/// Null stands for none.
inline bool is_tested(const Untested* untested, Index link, Index body) {
  return !untested || !untested->has(link, body);
}

}  // namespace toccata
