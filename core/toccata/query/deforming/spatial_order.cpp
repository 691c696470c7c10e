#include "toccata/query/deforming/spatial_order.hpp"

#include <algorithm>

#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

struct Item {
  std::array<float, 3> middle;  // of the element, halfway through the step
  Index element;
};

struct Run {
  Index begin, end;
};

int longest_axis(const std::vector<Item>& items, Run run) {
  std::array<float, 3> lo = items[run.begin].middle, hi = lo;
  for (Index i = run.begin + 1; i < run.end; ++i)
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], items[i].middle[k]);
      hi[k] = std::max(hi[k], items[i].middle[k]);
    }
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
  return axis;
}

/// Splits a run in two near its middle, at a multiple of `unit` from its begin. Ties are broken by
/// the element, so that the order does not depend on how the items came.
Index split(std::vector<Item>& items, Run run, Index unit) {
  const Index units = (run.end - run.begin + unit - 1) / unit;
  const Index middle = run.begin + (units + 1) / 2 * unit;
  const int axis = longest_axis(items, run);
  std::nth_element(items.begin() + run.begin, items.begin() + middle, items.begin() + run.end,
                   [axis](const Item& a, const Item& b) {
                     return a.middle[axis] != b.middle[axis] ? a.middle[axis] < b.middle[axis]
                                                             : a.element < b.element;
                   });
  return middle;
}

/// Sorts a run whose length is at most 8 unit, and its parts below.
void arrange(std::vector<Item>& items, Run run, Index unit, Index block) {
  const Index length = run.end - run.begin;
  if (length <= block) return;
  if (length <= unit) return arrange(items, run, unit / lanes, block);
  const Index middle = split(items, run, unit);
  arrange(items, {run.begin, middle}, unit, block);
  arrange(items, {middle, run.end}, unit, block);
}

/// The same, but leaves runs of at most `enough` to be arranged later.
void arrange_top(std::vector<Item>& items, Run run, Index unit, Index enough,
                 std::vector<std::pair<Run, Index>>& rest) {
  const Index length = run.end - run.begin;
  if (length <= enough) return rest.push_back({run, unit});
  if (length <= unit) return arrange_top(items, run, unit / lanes, enough, rest);
  const Index middle = split(items, run, unit);
  arrange_top(items, {run.begin, middle}, unit, enough, rest);
  arrange_top(items, {middle, run.end}, unit, enough, rest);
}

Item item_of(const Features& features, const LocalFrame& local, std::size_t element) {
  Vec3f sum{0, 0, 0};
  for (const Index v : features.corners(element)) sum = sum + local.start(v) + local.end(v);
  return {{sum.x, sum.y, sum.z}, static_cast<Index>(element)};
}

}  // namespace

std::vector<Index> spatial_order(const Features& features, const LocalFrame& local, Index block,
                                 unsigned threads) {
  const std::size_t count = features.element_count();
  std::vector<Item> items(count);
  parallel_for(count, 1 << 14, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) items[i] = item_of(features, local, i);
  });
  Index unit = block;
  while (unit * Count{lanes} < static_cast<Count>(count)) unit *= lanes;
  std::vector<std::pair<Run, Index>> rest;
  const Index enough = std::max<Index>(1 << 13, static_cast<Index>(count / (4 * threads)));
  arrange_top(items, {0, static_cast<Index>(count)}, unit, enough, rest);
  parallel_for(rest.size(), 1, threads, [&](std::size_t begin, std::size_t, unsigned) {
    arrange(items, rest[begin].first, rest[begin].second, block);
  });
  std::vector<Index> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = items[i].element;
  return order;
}

}  // namespace toccata
