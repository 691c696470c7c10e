// Construction of hierarchies from top to bottom, by the surface area heuristic.
#include <algorithm>
#include <numeric>

#include "toccata/base/interruption.hpp"
#include "toccata/bvh/bvh.hpp"
#include "toccata/bvh/cut.hpp"
#include "toccata/bvh/volume.hpp"

namespace toccata {
namespace {

/// Builder for elements of `points` corners each.
template <int points>
class Builder {
 public:
  explicit Builder(std::span<const Vec3d> corners, std::span<const double> margins)
      : corners_(corners), margins_(margins), order_(corners.size() / points), box_(order_.size()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  Bvh build() {
    const Part all = part(0, static_cast<Index>(order_.size()));
    fill(add_node(), {&all, 1});
    return std::move(bvh_);
  }

 private:
  static constexpr Index root_node = 0;

  /// Elements order_[begin, end), the axes of a box around them, and half the surface area of that
  /// box.
  struct Part {
    Index begin, end;
    Mat3d axes;
    double area;
  };

  std::span<const Vec3d> corners_of(Index element) const {
    return corners_.subspan(points * element, points);
  }

  std::span<const Vec3d> gather(Index begin, Index end) {
    scratch_.clear();
    for (Index i = begin; i < end; ++i) {
      const auto corners = corners_of(order_[i]);
      scratch_.insert(scratch_.end(), corners.begin(), corners.end());
    }
    return scratch_;
  }

  Part part(Index begin, Index end) {
    if (end - begin > lanes) interruption_point();
    const auto corners = gather(begin, end);
    Part part{begin, end, fit_axes(corners), 0};
    part.area = half_area(extent(local_box(corners, part.axes)));
    return part;
  }

  /// Partitions the elements and returns the index at which the second part begins.
  Index split(const Part& part) {
    const std::span<Index> order(&order_[part.begin], part.end - part.begin);
    boxes_.clear();
    for (const Index i : order) boxes_.push_back(box_[i] = local_box(corners_of(i), part.axes));
    if (const std::optional<Cut> cut = best_cut(boxes_)) {
      const auto is_below = [&](Index i) { return cut->is_below(box_[i]); };
      const auto middle = std::partition(order.begin(), order.end(), is_below);
      if (middle != order.begin() && middle != order.end())
        return part.begin + static_cast<Index>(middle - order.begin());
    }
    return part.begin + halve(order);
  }

  /// Halves the elements along the longest axis, if no cut is good.
  Index halve(std::span<Index> order) {
    Box centers;
    for (const Box& box : boxes_) extend(centers, center(box));
    const Vec3d size = extent(centers);
    const int axis = size.x >= std::max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2;
    const auto where = [&](Index i) { return Cut::along(center(box_[i]), axis); };
    const auto middle = order.begin() + order.size() / 2;
    std::nth_element(order.begin(), middle, order.end(), [&](Index i, Index j) {
      return where(i) < where(j) || (where(i) == where(j) && i < j);
    });
    return static_cast<Index>(middle - order.begin());
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
    const std::size_t count = whole.end - whole.begin <= lanes ? elements_of(whole, parts)
                                                               : cut_up(whole, parts);
    const Index node = add_node();
    fill(node, {parts.data(), count});
    return node;
  }

  std::size_t elements_of(const Part& whole, std::array<Part, lanes>& parts) {
    std::size_t count = 0;
    for (Index i = whole.begin; i < whole.end; ++i) parts[count++] = part(i, i + 1);
    return count;
  }

  std::size_t cut_up(const Part& whole, std::array<Part, lanes>& parts) {
    parts[0] = whole;
    std::size_t count = 1;
    while (count < lanes) {
      // Splits the largest part that has more elements than a node has lanes. Children of similar
      // size cull equally well. Parts that fit into one node stay whole: a few full nodes are
      // smaller and faster to test than many nodes with two or three leaves.
      Part* largest = nullptr;
      for (Part& p : std::span(parts.data(), count))
        if (p.end - p.begin > lanes && (!largest || p.area > largest->area)) largest = &p;
      if (!largest) break;
      const Index middle = split(*largest), end = largest->end;
      *largest = part(largest->begin, middle);
      parts[count++] = part(middle, end);
    }
    return count;
  }

  std::span<const Vec3d> corners_;
  std::span<const double> margins_;
  std::vector<Index> order_;
  // Boxes of elements, in the axes of the part with the element that was split last.
  std::vector<Box> box_;
  // Boxes of the elements of that part.
  std::vector<Box> boxes_;
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
