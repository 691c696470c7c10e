// Boxes side by side meet as single ones do, and projected radii are those of the corners.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/geometry/box_pack.hpp"
#include "toccata/narrow/box_axes.hpp"

using namespace toccata;

namespace {

bool meet(const Boxf& a, const Boxf& b) {
  const auto overlap = [](float lo, float hi, float other_lo, float other_hi) {
    return lo <= other_hi && other_lo <= hi;
  };
  return overlap(a.lo.x, a.hi.x, b.lo.x, b.hi.x) && overlap(a.lo.y, a.hi.y, b.lo.y, b.hi.y) &&
         overlap(a.lo.z, a.hi.z, b.lo.z, b.hi.z);
}

void boxes_side_by_side_meet_as_single_ones() {
  testing::Random random(1);
  int met = 0;
  const auto box = [&] {
    Box b;
    for (int k = 0; k < 2; ++k) extend(b, random.point(1));
    return outward(b);
  };
  for (int i = 0; i < 500; ++i) {
    std::vector<BoxPack> packs;
    std::vector<Boxf> boxes;
    for (Index k = 0; k < 11; ++k) {
      boxes.push_back(box());
      append(packs, k, boxes.back());
    }
    CHECK(packs.size() == 2);
    const Boxf other = box();
    const unsigned found = meets(packs[0], other) | meets(packs[1], other) << 8;
    CHECK(found >> 11 == 0);  // empty lanes meet nothing
    const Boxf all = outward(grown(Box{{0, 0, 0}, {0, 0, 0}}, 1e300));
    CHECK(meets(packs[1], all) == 0b111);  // not even what is everywhere
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      CHECK((found >> k & 1) == meet(boxes[k], other));
      CHECK(box_of(packs, k).hi.y == boxes[k].hi.y && box_of(packs, k).lo.z == boxes[k].lo.z);
    }
    met += std::popcount(found);
  }
  CHECK(met > 500 && met < 5000);
}

/// By the corners.
double radius_along(const Vec3d& n, const Mat3d& axes, const Vec3d& half) {
  double most = 0;
  for (int k = 0; k < 8; ++k)
    most = std::max(
        most, dot(n, axes.x * (k & 1 ? half.x : -half.x) + axes.y * (k & 2 ? half.y : -half.y) +
                         axes.z * (k & 4 ? half.z : -half.z)));
  return most;
}

void projected_radii_are_those_of_the_corners() {
  testing::Random random(2);
  for (int i = 0; i < 500; ++i) {
    const Mat3d x = random.pose(0).rotation, y = random.pose(0).rotation;
    const Vec3d hx = abs(random.point(1)), hy = abs(random.point(1)), line = random.point(2);
    const Mat3p axes{broadcast(to_float(x.x)), broadcast(to_float(x.y)), broadcast(to_float(x.z))};
    const BoxPairs boxes(broadcast(to_float(line)), axes, broadcast(to_float(hx)),
                         {to_float(y), {}, to_float(hy), 0});
    const BoxRadii radii = boxes.radii();
    const Vec3d ex[3] = {x.x, x.y, x.z}, ey[3] = {y.x, y.y, y.z};
    const auto close = [&](const Pack& a, double b) { return std::abs(a[i % 8] - b) < 1e-5; };
    for (int k = 0; k < 3; ++k) {
      CHECK(close(radii.of_y(k), radius_along(ex[k], y, hy)));
      CHECK(close(radii.of_x(k), radius_along(ey[k], x, hx)));
      CHECK(close(boxes.at[k], dot(line, ex[k])) && close(boxes.along_y[k], dot(line, ey[k])));
      for (int j = 0; j < 3; ++j) {
        const Vec3d n = cross(ex[k], ey[j]);
        CHECK(close(radii.across(k, j), radius_along(n, x, hx) + radius_along(n, y, hy)));
        CHECK(close(boxes.across(k, j), dot(line, n)));
      }
    }
  }
}

}  // namespace

int main() {
  boxes_side_by_side_meet_as_single_ones();
  projected_radii_are_those_of_the_corners();
}
