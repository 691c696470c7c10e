#include <algorithm>
#include <numeric>

#include "toccata/bvh/bvh.hpp"

namespace toccata {
namespace {

/// Builds over elements of `points` corners each.
template <int points>
class Builder {
 public:
  explicit Builder(std::span<const Vec3d> corners, std::span<const double> margins)
      : corners_(corners), margins_(margins), order_(corners.size() / points),
        centroids_(order_.size()), keys_(order_.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      Vec3d sum = corners[points * i];
      for (int k = 1; k < points; ++k) sum = sum + corners[points * i + k];
      centroids_[i] = sum * (1.0 / points);
    }
  }

  Bvh build() {
    const Part all = part(0, static_cast<Index>(order_.size()));
    fill(add_node(), {&all, 1});
    return std::move(bvh_);
  }

 private:
  static constexpr Index root_node = 0;

  /// Elements order_[begin, end) with their axes.
  struct Part {
    Index begin, end;
    Mat3d axes;
    Vec3d longest;  // unit vector
    double extent;  // along `longest`
  };

  std::span<const Vec3d> gather(Index begin, Index end) {
    scratch_.clear();
    for (Index i = begin; i < end; ++i)
      for (int k = 0; k < points; ++k) scratch_.push_back(corners_[points * order_[i] + k]);
    return scratch_;
  }

  Part part(Index begin, Index end) {
    const auto corners = gather(begin, end);
    Part part{begin, end, fit_axes(corners), {}, -1};
    for (const Vec3d& axis : {part.axes.x, part.axes.y, part.axes.z}) {
      double lo = dot(axis, corners[0]), hi = lo;
      for (const Vec3d& p : corners) {
        const double x = dot(axis, p);
        lo = std::min(lo, x), hi = std::max(hi, x);
      }
      if (hi - lo > part.extent) part.extent = hi - lo, part.longest = axis;
    }
    return part;
  }

  /// Splits at the mean, which separates clusters well; at the median where the mean is lopsided.
  Index split(const Part& part) {
    const Index count = part.end - part.begin;
    double mean = 0;
    for (Index i = part.begin; i < part.end; ++i) {
      keys_[order_[i]] = dot(part.longest, centroids_[order_[i]]);
      mean += keys_[order_[i]];
    }
    mean /= count;
    const auto first = order_.begin() + part.begin, last = order_.begin() + part.end;
    const auto middle = std::partition(first, last, [&](Index i) { return keys_[i] < mean; });
    const Index left = static_cast<Index>(middle - first);
    if (8 * std::min(left, count - left) >= count) return part.begin + left;
    std::nth_element(first, first + count / 2, last, [&](Index i, Index j) {
      return keys_[i] < keys_[j] || (keys_[i] == keys_[j] && i < j);
    });
    return part.begin + count / 2;
  }

  Index add_node() {
    bvh_.nodes.emplace_back();
    return static_cast<Index>(bvh_.nodes.size()) - 1;
  }

  FittedVolumes fit(const Part& part) {
    FittedVolumes volumes = fit_volumes(gather(part.begin, part.end), part.axes);
    if (margins_.empty()) return volumes;
    double margin = 0;
    for (Index i = part.begin; i < part.end; ++i) margin = std::max(margin, margins_[order_[i]]);
    widen(volumes, margin);
    return volumes;
  }

  void fill(Index node, std::span<const Part> parts) {
    bvh_.nodes[node].used = (1u << parts.size()) - 1;
    for (int lane = 0; lane < lanes; ++lane) {
      const bool used = lane < static_cast<int>(parts.size());
      const Part& p = parts[used ? lane : 0];
      if (used) volumes_ = fit(p);
      else volumes_ = unused_;
      if (lane == 0) unused_ = volumes_;
      set_volumes(bvh_.nodes[node], lane, volumes_);
      bvh_.nodes[node].child[lane] = used ? 0 : WideNode::no_child;
    }
    for (int lane = 0; lane < static_cast<int>(parts.size()); ++lane) {
      const Part& p = parts[lane];
      const bool leaf = node != root_node && p.end - p.begin == 1;
      const Index child = leaf ? ~order_[p.begin] : below(p);
      bvh_.nodes[node].child[lane] = child;
    }
  }

  Index below(const Part& whole) {
    std::array<Part, lanes> parts;
    parts[0] = whole;
    std::size_t count = 1;
    // Just above the leaves, parts that fill one node are left whole: a few full nodes are smaller
    // and faster to test than many with two or three leaves.
    const Index enough = whole.end - whole.begin > lanes ? lanes : 1;
    while (count < lanes) {
      // The longest part that still can be split: children of similar size cull alike.
      Part* widest = nullptr;
      for (Part& p : std::span(parts.data(), count))
        if (p.end - p.begin > enough && (!widest || p.extent > widest->extent)) widest = &p;
      if (!widest) break;
      const Index middle = split(*widest), end = widest->end;
      *widest = part(widest->begin, middle);
      parts[count++] = part(middle, end);
    }
    const Index node = add_node();
    fill(node, {parts.data(), count});
    return node;
  }

  std::span<const Vec3d> corners_;
  std::span<const double> margins_;
  std::vector<Index> order_;
  std::vector<Vec3d> centroids_;
  std::vector<double> keys_;
  std::vector<Vec3d> scratch_;
  FittedVolumes volumes_, unused_;
  Bvh bvh_;
};

}  // namespace

Bvh build_bvh(std::span<const Vec3d> corners) { return Builder<3>(corners, {}).build(); }

Bvh build_bvh(std::span<const Vec3d> corners, std::span<const double> margins) {
  return Builder<6>(corners, margins).build();
}

}  // namespace toccata
