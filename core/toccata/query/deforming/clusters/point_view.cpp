// Construction of views from a point, and the choice of the point.
#include "toccata/query/deforming/clusters/point_view.hpp"

#include <algorithm>

namespace toccata {
namespace {

using Point = PointView::Point;

Quad other_time(const Quad& x) { return shuffle<2, 3, 0, 1>(x); }

/// Returns the dot products of two vectors relative to O, at the start and at the end, twice.
Quad dots(const Point& p, const Point& q) {
  const Quad flat = p.flat * q.flat;
  return flat + shuffle<1, 0, 3, 2>(flat) + p.depth * q.depth;
}
Quad squares(const Point& p) { return dots(p, p); }
Point minus(const Point& p, const Point& q) { return {p.flat - q.flat, p.depth - q.depth}; }

Vec3d middle_of(std::span<const Vec3d> p, const Face& f) {
  return p[f[0]] + ((p[f[1]] - p[f[0]]) + (p[f[2]] - p[f[0]])) * (1.0 / 3);
}

}  // namespace

PointView::PointView(const PatchStep& step, const MovingPoint& o, const Vec3d& axis, double nearest,
                     bool inwards)
    : frames_(step.frames),
      o_(o),
      separation_(step.separation * (1 + 0x1p-40)),
      nearest_(nearest),
      inwards_(inwards) {
  const Vec3d &s = o.start, &e = o.end;
  origin_ = {Quad{s.x, s.x, e.x, e.x}, Quad{s.y, s.y, e.y, e.y}, Quad{s.z, s.z, e.z, e.z}};
  const Vec3d n = unit_or_zero(axis);
  const Vec3d right = unit_or_zero(cross(far_axis(n), n)), v = cross(n, right);
  const Vec3d u = inwards ? -right : right;
  x_ = {Quad{u.x, v.x, u.x, v.x}, Quad{u.y, v.y, u.y, v.y}, Quad{u.z, v.z, u.z, v.z}};
  z_ = {quad(n.x), quad(n.y), quad(n.z)};
  const double offset = std::max(norm(s - step.frames.start[0]), norm(e - step.frames.end[0])) *
                        (1 + 0x1p-40);
  const double most = step.diagonal + offset, once = 0x1p-46 * most * most + 0x1p-1000;
  turn_rounding_ = Quad{once, 2 * once, once, 2 * once};
  const double cube = 0x1p-45 * most * most * most + 0x1p-1000;
  volume_rounding_ = Quad{cube, 4 * cube, cube, 4 * cube};
}

PointView PointView::away_from(const PatchStep& step, const Face& face) const {
  return {step, o_, o_.start - middle_of(frames_.start, face), nearest_, inwards_};
}

/// Returns whether phi exceeds s / rho times the largest distance of a corner from O, squared,
/// times the longest side. This suffices for the heights of the image: the sine of the height of C
/// is phi / (|A x B| |C|), and |A x B| is at most the distance of A times the length of AB. Lengths
/// are at most the linear interpolation between their values at both ends; their rounding adds less
/// than the rounding of phi, because s < rho. Also returns whether the plane of the face is farther
/// from O than rho: phi exceeds rho times the length of the normal (B - A) x (C - A), which is at
/// most the quadratic polynomial of the lengths of its Bernstein coefficients. These err by less
/// than 2^-45 E^2, and the second by twice as much.
bool PointView::is_far(const FaceImage<Point>& image, const Quad& phi) const {
  const auto& [a, b, c] = image.at;
  if (!(separation_ < nearest_)) return false;
  const Point ab = minus(b, a), ac = minus(c, a);
  const Quad far = sqrt(max(max(squares(a), squares(b)), squares(c)));
  const Quad side = sqrt(max(max(squares(ab), squares(minus(c, b))), squares(ac)));
  const Quad outer = far * far * side;
  const Quad inner = far * (other_time(far) * side * 2.0 + far * other_time(side));
  const Quad bound = shuffle<0, 5, 2, 7>(outer, inner);
  if (!all(phi * nearest_ > bound * separation_ + volume_rounding_ * (2 * nearest_))) return false;
  // The normal at both ends, and twice the second coefficient.
  const Quad ends = ab.flat * ac.depth - ab.depth * ac.flat;
  const Quad mixed = ab.flat * other_time(ac.depth) - other_time(ab.depth) * ac.flat;
  const Quad flat = turn(ab.flat, ac.flat);
  const auto length = [](const Quad& xy, const Quad& z) {
    const Quad square = xy * xy;
    return sqrt(square + shuffle<1, 0, 3, 2>(square) + z * z);
  };
  const Quad at_ends = length(ends, shuffle<0, 0, 2, 2>(flat));
  const Quad between = length(mixed + other_time(mixed), shuffle<1, 1, 3, 3>(flat));
  const Quad normal = shuffle<0, 5, 2, 7>(at_ends, at_ends + between);
  return all(phi > (normal + turn_rounding_ * 2.0) * (nearest_ * (1 + 0x1p-40)) + volume_rounding_);
}

namespace {

/// Middle and unit normal of a face.
struct Plane {
  Vec3d middle, normal;
};

Plane plane_of(std::span<const Vec3d> p, const Face& f) {
  return {middle_of(p, f), unit_or_zero(cross(p[f[1]] - p[f[0]], p[f[2]] - p[f[0]]))};
}

/// Returns the height of a plane above a point.
double height(const Plane& plane, const Vec3d& point) {
  return dot(plane.normal, plane.middle - point);
}

/// Returns the point O for which the heights n (m - O) of planes vary least, in the mean square.
/// For planes that touch a sphere this is its center. A small multiple of the distance from the
/// mean of their middles is added, because the heights may not depend on one coordinate.
Vec3d center_below(std::span<const Plane> planes) {
  const double each = 1 / static_cast<double>(planes.size());
  Vec3d middle{0, 0, 0}, normal{0, 0, 0};
  for (const Plane& plane : planes) {
    middle = middle + plane.middle * each;
    normal = normal + plane.normal * each;
  }
  Vec3d x{0, 0, 0}, y{0, 0, 0}, z{0, 0, 0}, right{0, 0, 0};  // covariances
  for (const Plane& plane : planes) {
    const Vec3d n = plane.normal - normal;
    x = x + n * (n.x * each);
    y = y + n * (n.y * each);
    z = z + n * (n.z * each);
    right = right + n * (dot(plane.normal, plane.middle - middle) * each);
  }
  const double more = 1e-3 * (x.x + y.y + z.z) + 1e-9;
  x.x += more;
  y.y += more;
  z.z += more;
  const Vec3d yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
  return middle + (yz * right.x + zx * right.y + xy * right.z) * (1 / dot(x, yz));
}

}  // namespace

std::optional<PointView> view_from_inside(const PatchStep& step, std::span<const Index> some) {
  MovingPoint o{};
  Vec3d normals{0, 0, 0};
  double least = std::numeric_limits<double>::infinity(), most = -least;  // heights
  std::vector<Plane> planes(some.size());
  for (const bool at_end : {false, true}) {
    const std::span<const Vec3d> frame = at_end ? step.frames.end : step.frames.start;
    std::transform(some.begin(), some.end(), planes.begin(),
                   [&](Index face) { return plane_of(frame, step.features.oriented()[face]); });
    const Vec3d at = (at_end ? o.end : o.start) = center_below(planes);
    for (const Plane& plane : planes) {
      least = std::min(least, height(plane, at));
      most = std::max(most, height(plane, at));
      normals = normals + plane.normal;
    }
    if (!(least > 0 || most < 0)) return std::nullopt;
  }
  // The faces of a closed patch have normals in all directions.
  const bool has_axis = norm(normals) > 0.05 * static_cast<double>(some.size());
  const bool inwards = most < 0;
  const Vec3d outwards = inwards ? -normals : normals;
  const Vec3d axis = has_axis ? outwards : o.start - planes[0].middle;
  return PointView(step, o, axis, 0.5 * (inwards ? -most : least), inwards);
}

PointView view_from_middle(const PatchStep& step, std::span<const Index> faces) {
  const auto mean = [&](std::span<const Vec3d> frame) {
    Vec3d sum{0, 0, 0};
    for (const Index face : faces) sum = sum + middle_of(frame, step.features.oriented()[face]);
    return sum * (1 / static_cast<double>(faces.size()));
  };
  const MovingPoint o{mean(step.frames.start), mean(step.frames.end)};
  const auto plane = [&](std::span<const Vec3d> frame, Index face) {
    return plane_of(frame, step.features.oriented()[face]);
  };
  const bool inwards = height(plane(step.frames.start, faces[0]), o.start) < 0;
  double nearest = std::numeric_limits<double>::infinity();
  if (step.separation > 0)
    for (const Index face : faces)
      nearest = std::min({nearest, std::abs(height(plane(step.frames.start, face), o.start)),
                          std::abs(height(plane(step.frames.end, face), o.end))});
  const Vec3d axis = o.start - middle_of(step.frames.start, step.features.oriented()[faces[0]]);
  return {step, o, axis, 0.75 * nearest, inwards};
}

}  // namespace toccata
