// Growth of patches in all cells, and their boundaries.
#include "toccata/query/deforming/clusters/patches.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/clusters/growth.hpp"
#include "toccata/query/deforming/clusters/small_part.hpp"

namespace toccata {
namespace {

/// Patches of one cell. Aligned to prevent false sharing.
struct alignas(128) CellPatches {
  Partition faces;
  std::vector<View> views;
  std::size_t wasted = 0;  ///< number of visits to faces in search of small parts
};

/// Returns the k-th number of a sequence below n without clusters: multiples of the golden ratio,
/// modulo 1.
std::uint64_t spread(std::uint64_t k, std::uint64_t n) {
  constexpr std::uint64_t golden = 0x9e3779b9;  // times 2^32
  return (k * golden & 0xffffffff) * n >> 32;
}

/// A patch with so few faces that a linear search suffices.
struct SmallPatch {
  std::vector<Index>* faces;

  bool is_inside(Index face) const {
    return std::find(faces->begin(), faces->end(), face) != faces->end();
  }
  bool may_take(Index face) const { return !is_inside(face); }
  void fetch(Index) const {}
  void take(Index face) const { faces->push_back(face); }
};

class Growth {
 public:
  Growth(const PatchStep& step, unsigned threads)
      : step_(step), threads_(threads), workers_(threads) {
    all_.cells = Cells(step.features, step.frames.start, threads);
    all_.owners = AtomicIndices(step.features.faces.size());
    grown_.resize(all_.cells.count());
  }

  Patches run() {
    for_each_cell([this](Index cell, unsigned) { start(cell); });
    for_each_cell([this](Index cell, unsigned worker) { fill(cell, worker); });
    join();
    return std::move(all_);
  }

 private:
  template <class Work>
  void for_each_cell(const Work& work) {
    parallel_for(grown_.size(), 1, threads_, [&](std::size_t cell, std::size_t, unsigned worker) {
      work(static_cast<Index>(cell), worker);
    });
  }

  void start(Index cell) {
    for (const Index face : all_.cells.faces.part(cell))
      std::construct_at(&all_.owners[face], free_in(cell));
  }

  /// Grows a patch around each unassigned face. Starts with a sample of faces from the whole cell:
  /// a patch that begins far from others becomes larger, and needs no other start.
  void fill(Index cell, unsigned worker) {
    auto& growth = workers_[worker];
    if (!growth) growth = std::make_unique<PatchGrowth>(step_, all_.owners);
    const auto is_free = [&](Index face) { return all_.owner(face) == free_in(cell); };
    std::vector<Index> left;
    const auto sow = [&](Index seed) {
      if (!is_free(seed)) return;
      if (!take_whole(seed, cell)) grow(seed, cell, *growth);
      // A patch may not contain its seed, which is then tried again.
      if (is_free(seed)) left.push_back(seed);
    };
    const auto faces = all_.cells.faces.part(cell);
    grown_[cell].faces.order.reserve(faces.size());
    for (std::uint64_t k = 1; k <= faces.size() / 100; ++k) sow(faces[spread(k, faces.size())]);
    for (const Index face : faces) sow(face);
    while (!left.empty())
      for (const Index seed : std::exchange(left, {})) sow(seed);
  }

  /// Makes a patch of a whole part if it is small, in the cell, and certified. Gives up in a cell
  /// after as many visits to faces of other parts as the cell has faces.
  bool take_whole(Index seed, Index cell) {
    CellPatches& grown = grown_[cell];
    if (grown.wasted > all_.cells.faces.part(cell).size()) return false;
    SmallPart part;
    if (part.visit(step_.features, seed)) {
      const auto is_free = [&](Index face) { return all_.owner(face) == free_in(cell); };
      if (std::all_of(part.faces().begin(), part.faces().end(), is_free))
        if (const auto view = part.certify(step_)) {
          add(*view, cell, part.faces());
          return true;
        }
    }
    grown.wasted += part.faces().size();
    return false;
  }

  void grow(Index seed, Index cell, PatchGrowth& growth) {
    const StarView view = growth.grow(seed, cell);
    add(view, cell, growth.faces());
  }

  void add(const View& view, Index cell, std::span<const Index> patch) {
    auto& [faces, views, wasted] = grown_[cell];
    views.push_back(view);
    for (const Index face : patch) {
      all_.owners[face].store(faces.count(), std::memory_order_relaxed);
      faces.order.push_back(face);
    }
    faces.close_part();
  }

  /// Combines the patches of all cells.
  void join() {
    all_.first = {0};
    for (const CellPatches& some : grown_)
      all_.first.push_back(all_.first.back() + some.faces.count());
    all_.faces.order.resize(step_.features.faces.size());
    all_.faces.first.resize(all_.first.back() + 1);
    all_.views.resize(all_.first.back());
    for_each_cell([this](Index cell, unsigned) {
      const auto& [faces, views, wasted] = grown_[cell];
      const Index patch = all_.first[cell], begin = all_.cells.faces.first[cell];
      std::copy(views.begin(), views.end(), all_.views.begin() + patch);
      std::copy(faces.order.begin(), faces.order.end(), all_.faces.order.begin() + begin);
      for (Index i = 1; i <= faces.count(); ++i)
        all_.faces.first[patch + i] = begin + faces.first[i];
      for (const Index face : faces.order)
        all_.owners[face].store(patch + all_.owner(face), std::memory_order_relaxed);
    });
  }

  const PatchStep& step_;
  unsigned threads_;
  std::vector<std::unique_ptr<PatchGrowth>> workers_;
  std::vector<CellPatches> grown_;
  Patches all_;
};

}  // namespace

Patches grow_patches(const PatchStep& step, unsigned threads) {
  return Growth(step, threads).run();
}

double sampled_patch_size(const PatchStep& step) {
  constexpr std::uint64_t samples = 24;
  constexpr int rings = 3;
  const std::size_t count = step.features.faces.size();
  if (count == 0) return 0;
  AtomicIndices no_owners;
  const PatchGrowth growth(step, no_owners);
  RingGrowth some(step.features);
  std::vector<Index> faces;
  SmallPart part;
  std::size_t sum = 0;
  for (std::uint64_t k = 1; k <= samples; ++k) {
    const Index seed = static_cast<Index>(spread(k, count));
    if (part.visit(step.features, seed) && part.certify(step)) {
      sum += part.faces().size();
      continue;
    }
    const StarView view = growth.view_of({seed, growth.normal_around(seed)});
    faces.clear();
    const SmallPatch patch{&faces};
    if (some.start(view, seed, patch))
      for (int ring = 0; ring < rings && some.add_ring(view, patch); ++ring) {
      }
    sum += std::max<std::size_t>(faces.size(), 1);
  }
  return static_cast<double>(sum) / samples;
}

PatchBoundaries::PatchBoundaries(const Features& f, const Patches& patches, unsigned threads)
    : sides_(patches.cells.count()), of_(patches.faces.count()) {
  parallel_for(sides_.size(), 1, threads, [&](std::size_t cell, std::size_t, unsigned) {
    collect(f, patches, static_cast<Index>(cell));
  });
}

void PatchBoundaries::collect(const Features& f, const Patches& patches, Index cell) {
  std::vector<BoundarySide> sides;
  std::vector<std::size_t> first{0};
  for (Index c = patches.first[cell]; c < patches.first[cell + 1]; ++c) {
    for (const Index face : patches.faces.part(c))
      for (int k = 0; k < 3; ++k) {
        const Index other = f.across[face][k];
        const Index across = other == Features::none ? Features::none : patches.owner(other);
        if (across != c)
          sides.push_back({f.oriented()[face][k], f.oriented()[face][(k + 1) % 3], across});
      }
    first.push_back(sides.size());
  }
  for (std::size_t i = 0; i + 1 < first.size(); ++i)
    of_[patches.first[cell] + i] = std::span(sides).subspan(first[i], first[i + 1] - first[i]);
  sides_[cell] = std::move(sides);
}

}  // namespace toccata
