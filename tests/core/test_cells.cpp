// Cells hold each face once and are about as large as each other; they, the patches in them and
// the clusters are the same for any number of threads.
#include "check.hpp"
#include "deforming_models.hpp"
#include "toccata/base/counting_sort.hpp"
#include "toccata/query/deforming/clusters/patches.hpp"
#include "toccata/query/deforming/frames.hpp"

using namespace toccata;

namespace {

using testing::Model;
using testing::Places;

/// A sheet that is crumpled, and has to be cut into many patches.
Model crumpled(Index rows, Index columns) {
  Model m;
  testing::add_sheet(m, rows, columns, [](double u, double v) {
    const double x = 0.06 * std::sin(60 * v), y = 0.06 * std::cos(50 * u),
                 z = 0.06 * std::sin(55 * u) * std::cos(45 * v);
    return Places({u + x, 2 * v + y, z}, {u - x, 2 * v + y, z + 0.1 * x});
  });
  return m;
}

void check_cells() {
  const Model m = crumpled(90, 90);
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  const Cells cells(f, m.start, 3);
  CHECK(cells.count() == 8);
  Index seen = 0;
  for (Index i = 0; i < cells.count(); ++i) {
    const auto part = cells.faces.part(i);
    CHECK(part.size() > 1000 && part.size() < 4000);  // of 2025
    CHECK(std::is_sorted(part.begin(), part.end()));
    for (const Index face : part) seen += cells.owner[face] == i;
  }
  CHECK(seen == static_cast<Index>(m.faces.size()));
}

/// All faces at one place: there is nothing to cut.
void check_point() {
  Model m = crumpled(40, 40);
  std::fill(m.start.begin(), m.start.end(), Vec3d{1, 2, 3});
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  const Cells cells(f, m.start, 2);
  std::size_t largest = 0;
  for (Index i = 0; i < cells.count(); ++i) largest = std::max(largest, cells.faces.part(i).size());
  CHECK(cells.count() > 1 && largest == m.faces.size());
}

bool same(const Partition& a, const Partition& b) {
  return a.first == b.first &&
         std::equal(a.order.begin(), a.order.end(), b.order.begin(), b.order.end());
}

void check_threads() {
  const Model m = crumpled(90, 90);
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  const StepFrames frames{m.start, m.end};
  const PatchStep step{f, frames, LocalFrame(frames, 0).diagonal};
  const Patches one = grow_patches(step, 1);
  const Partition clusters = merge_patches(step, one, 1).clusters;
  CHECK(one.faces.count() > 100 && clusters.count() < one.faces.count());
  for (Index c = 0; c < one.faces.count(); ++c)
    for (const Index face : one.faces.part(c)) {
      CHECK(one.owner(face) == c);
      CHECK(one.cells.owner[face] == one.cells.owner[one.faces.part(c)[0]]);
    }
  for (const unsigned threads : {2u, 3u, 4u, 16u}) {
    const Patches more = grow_patches(step, threads);
    CHECK(same(one.faces, more.faces) && one.first == more.first);
    CHECK(same(clusters, merge_patches(step, more, threads).clusters));
  }
}

/// Things of a bucket stay in their order.
void check_counting_sort() {
  constexpr std::size_t count = 5000, buckets = 7;
  for (const unsigned threads : {1u, 3u}) {
    std::vector<std::size_t> sorted(2 * count);
    const auto first = counting_sort<2>(
        count, buckets, threads,
        [](std::size_t i, const auto& visit) {
          for (const std::size_t thing : {2 * i, 2 * i + 1}) visit(thing, thing * thing % buckets);
        },
        [&](std::size_t thing, std::size_t place) { sorted[place] = thing; });
    CHECK(first.size() == buckets + 1 && first.back() == sorted.size());
    for (std::size_t b = 0; b < buckets; ++b)
      for (std::size_t i = first[b]; i < first[b + 1]; ++i) {
        CHECK(sorted[i] * sorted[i] % buckets == b);
        CHECK(i == first[b] || sorted[i - 1] < sorted[i]);
      }
  }
}

}  // namespace

int main() {
  check_counting_sort();
  check_cells();
  check_point();
  check_threads();
}
