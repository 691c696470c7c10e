#include "toccata/bvh/merged.hpp"

#include <bit>
#include <cstdint>

namespace toccata {
namespace {

std::uint64_t hash(const Vec3d& v) {
  std::uint64_t h = 0;
  for (const double x : {v.x, v.y, v.z}) {  // 0 and -0 are one place
    h = (h ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0x9e3779b97f4a7c15;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace

std::vector<Index> merged(std::span<const Vec3d> vertices) {
  const std::size_t mask = std::bit_ceil(2 * vertices.size()) - 1;
  std::vector<Index> table(mask + 1, -1), result(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3d& v = vertices[i];
    std::size_t slot = hash(v) & mask;
    const auto differs = [&](const Vec3d& w) { return v.x != w.x || v.y != w.y || v.z != w.z; };
    while (table[slot] >= 0 && differs(vertices[table[slot]])) slot = (slot + 1) & mask;
    if (table[slot] < 0) table[slot] = static_cast<Index>(i);
    result[i] = table[slot];
  }
  return result;
}

}  // namespace toccata
