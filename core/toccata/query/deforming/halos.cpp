#include "toccata/query/deforming/halos.hpp"

#include <optional>

#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

constexpr int rings = 8;
constexpr std::size_t chunk = 16;  // groups that a thread takes at once

/// A face in the halo of a group.
struct Shade {
  Index face, group;
};

/// Grows halos for one thread.
class HaloGrowth {
 public:
  HaloGrowth(const Features& features, const Patches& patches, const Partition& groups)
      : f_(features), patches_(patches), groups_(groups),
        inside_(features.faces.size(), Cover::none) {}

  void grow(Index g, std::vector<Shade>& out) {
    const StarView& view = patches_.views[groups_.part(g)[0]];
    const Index seed = patches_.faces.part(groups_.part(g)[0])[0];
    if (is_single(g) && !fits(view, seed, g)) return;  // its view may show nothing
    ring_.clear();
    for_each_member(g, [&](Index face) { inside_[face] = g; });
    for_each_member(g, [&](Index face) {
      if (is_on_border(face, g)) ring_.push_back(face);
    });
    for (int k = 0; k < rings && !ring_.empty(); ++k) add_ring(view, g, out);
  }

 private:
  template <class Visit>
  void for_each_member(Index g, const Visit& visit) const {
    for (const Index patch : groups_.part(g))
      for (const Index face : patches_.faces.part(patch)) visit(face);
  }

  void add_ring(const StarView& view, Index g, std::vector<Shade>& out) {
    next_.clear();
    for (const Index face : ring_)
      for (const Index other : f_.across[face])
        if (other != Features::none && inside_[other] != g && fits(view, other, g)) {
          inside_[other] = g;
          out.push_back({other, g});
          next_.push_back(other);
        }
    ring_.swap(next_);
  }

  bool fits(const StarView& view, Index face, Index g) const {
    return joins(view, f_, face, [&](Index other) { return inside_[other] == g; });
  }
  bool is_on_border(Index face, Index g) const {
    for (const Index other : f_.across[face])
      if (other != Features::none && inside_[other] != g) return true;
    return false;
  }
  bool is_single(Index g) const {
    const auto patches = groups_.part(g);
    return patches.size() == 1 && patches_.faces.part(patches[0]).size() == 1;
  }

  const Features& f_;
  const Patches& patches_;
  const Partition& groups_;
  std::vector<Index> inside_;  ///< the last group that took the face, as its own or for its halo
  std::vector<Index> ring_, next_;
};

/// The faces in halos, in the order of groups; those of a chunk of groups together.
std::vector<std::vector<Shade>> shades_of(const Features& features, const Patches& patches,
                                          const Partition& groups, unsigned threads) {
  std::vector<std::optional<HaloGrowth>> workers(threads);
  std::vector<std::vector<Shade>> shades((groups.count() + chunk - 1) / chunk);
  parallel_for(groups.count(), chunk, threads,
               [&](std::size_t begin, std::size_t end, unsigned worker) {
                 if (!workers[worker]) workers[worker].emplace(features, patches, groups);
                 for (std::size_t g = begin; g < end; ++g)
                   workers[worker]->grow(static_cast<Index>(g), shades[begin / chunk]);
               });
  return shades;
}

}  // namespace

void grow_halos(const Features& features, const Patches& patches, const Partition& groups,
                unsigned threads, UnfilledVector<Cover>& covers) {
  renew(covers, features.faces.size());
  parallel_for(groups.count(), chunk, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t g = begin; g < end; ++g)
      for (const Index patch : groups.part(static_cast<Index>(g)))
        for (const Index face : patches.faces.part(patch))
          covers[face] = Cover::in(static_cast<Index>(g));
  });
  const auto shades = shades_of(features, patches, groups, threads);
  // In the order of groups: the largest seeds come first, and their halos are kept. Each thread
  // looks at all shades for those of its faces.
  const std::size_t run = covers.size() / threads + 1;
  parallel_for(covers.size(), run, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (const auto& part : shades)
      for (const Shade& shade : part)
        if (const auto face = static_cast<std::size_t>(shade.face); face >= begin && face < end)
          covers[face].add(shade.group);
  });
}

}  // namespace toccata
