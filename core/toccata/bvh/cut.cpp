// Cost of cuts by the surface area heuristic, in bins of equal width.
#include "toccata/bvh/cut.hpp"

#include <array>

namespace toccata {
namespace {

constexpr int most_bins = 16;
constexpr int least_share = 32;  ///< inverse of the smallest fraction on one side

/// A bin of boxes with adjacent centers, with a box around them.
struct Bin {
  Box box;
  std::size_t count = 0;

  void add(const Box& other, std::size_t n) {
    extend(box, other);
    count += n;
  }
  double cost() const {
    return count == 0 ? 0 : half_area(extent(box)) * static_cast<double>(count);
  }
};

/// Candidate cuts across one axis, at bins of equal width.
class BinnedCuts {
 public:
  BinnedCuts(std::span<const Box> boxes, int axis, double lo, double hi)
      : bins_(static_cast<int>(std::min<std::size_t>(most_bins, 2 * boxes.size()))),
        lo_(lo),
        width_((hi - lo) / bins_) {
    for (const Box& box : boxes) {
      const double where = (Cut::along(center(box), axis) - lo) / width_;
      bin_[std::min(static_cast<int>(where), bins_ - 1)].add(box, 1);
    }
  }

  /// Calls `offer(cost, at)` for each cut that leaves at least `least` boxes on both sides.
  template <class Offer>
  void run(std::size_t least, const Offer& offer) {
    std::array<Bin, most_bins + 1> above;
    for (int k = bins_ - 1; k > 0; --k) {
      above[k] = above[k + 1];
      above[k].add(bin_[k].box, bin_[k].count);
    }
    Bin below;
    for (int k = 1; k < bins_; ++k) {
      below.add(bin_[k - 1].box, bin_[k - 1].count);
      if (std::min(below.count, above[k].count) >= least)
        offer(below.cost() + above[k].cost(), lo_ + k * width_);
    }
  }

 private:
  int bins_;
  double lo_, width_;
  std::array<Bin, most_bins> bin_;
};

}  // namespace

std::optional<Cut> best_cut(std::span<const Box> boxes) {
  Box centers;
  for (const Box& box : boxes) extend(centers, center(box));
  const std::size_t least = std::max<std::size_t>(1, boxes.size() / least_share);
  std::optional<Cut> best;
  double least_cost = infinity;
  for (int axis = 0; axis < 3; ++axis) {
    const double lo = Cut::along(centers.lo, axis), hi = Cut::along(centers.hi, axis);
    if (!((hi - lo) / most_bins > 0)) continue;
    BinnedCuts(boxes, axis, lo, hi).run(least, [&](double cost, double at) {
      if (cost < least_cost) least_cost = cost, best = Cut{axis, at};
    });
  }
  return best;
}

}  // namespace toccata
