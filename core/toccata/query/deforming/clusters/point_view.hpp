// Views from a point: certificates that a patch of a surface does not touch itself during a step,
// for patches that surround the point, such as balls, bulges and ends of tubes.
//
// A patch is a set of faces. Choose a point O(t) that moves linearly, and an axis, a direction z.
// Let the following conditions hold throughout the step:
//   (i)   Each face, with the orientation of its corners, spans a positive volume with O:
//         phi = det(p - O, q - O, r - O) > 0. This is the criterion of He et al. 2015 with a strict
//         sign.
//   (ii)  Each edge of the boundary turns around the axis: det(z, p - O, q - O) > 0 for p -> q.
//         The boundary consists of the sides of all faces after opposite sides cancel.
//   (iii) At the start, either the boundary turns around the axis once, and no face contains the
//         direction -z as seen from O; or there is no boundary, and one direction that no edge
//         contains is in exactly one face.
//
// Proves that features of the patch touch only if they share a vertex. Project the patch from O to
// a sphere. By (i) no face contains O, each image is a triangle smaller than a hemisphere, and all
// images count positively. The number of images that contain a direction is therefore the degree of
// the patch there. It changes only across the boundary, by one, and at a direction that the
// boundary does not pass it is the same at all times.
//   - Without a boundary the degree is the same everywhere, so it is one by (iii). Condition (i)
//     alone does not suffice: a surface may cover the sphere twice, with branches at two vertices.
//   - With a boundary, each of its closed components turns at least once by (ii). So there is one,
//     along which the angle around the axis increases by one turn: a simple closed curve between z
//     and -z. The degree is larger by one on the side of z. By (ii) the curve never passes -z, so
//     the degree there is zero at all times by (iii). Without the last condition of (iii), the
//     patch may cover the whole sphere once more.
// In both cases no direction is in two images, except at common vertices and edges: as in star.hpp,
// the faces around an inner vertex or edge fill all directions around it, and those at the boundary
// fill all directions on the side of z. Another face there would overlap them. Features that touch
// in space are seen in the same direction. Nothing is assumed of the mesh.
//
// With linear motion, phi is cubic and turns are quadratic, because z is constant. They are
// positive if their Bernstein coefficients are.
//
// A patch that grows from a face which the axis passes satisfies (iii). A new face has at least one
// side that cancels. If one of the others turns, the boundary still turns once, and -z is not in
// the face: a face with phi > 0 contains -z if and only if no side of it turns. If all three sides
// cancel, their opposites are a closed component of the boundary, and hence all of it: the face
// closes the patch.
//
// Proves that features of inner faces are farther than a separation s from all features of the
// patch with which they share no vertex, if in addition a length rho > s exists for which
//   (iv)  throughout the step, all points of the patch are at least rho away from O, and the three
//         heights of the image of each face on the sphere exceed the angle asin(s / rho).
// A height is the angle from a corner to the great circle of the opposite side. Points at distances
// of at least rho from O are farther apart than s if the angle between them exceeds asin(s / rho).
// It suffices to prove this for images, and the proof in star.hpp needs three changes.
//   - Two arcs that do not intersect are closest at an end of one of them, because the distance
//     between two great circles has no local minimum except at their intersections.
//   - Latitudes above the great circle of ab replace heights, and longitudes along it replace
//     distances to the right of a. An arc shorter than a half turn that starts at a and crosses the
//     meridian of x above ab has its end at a longitude below a half turn. For the side ad with d
//     at longitude l, and a previous side from a that rises with slope angle beta, the height of d
//     above that side is at most asin(cos(beta) sin(lat d)), because sin(l) >= 0. Hence d is
//     higher than asin(s / rho).
//   - The great circle of pq satisfies tan(latitude) = P sin(l) + Q cos(l). It is at most
//     T = s / sqrt(rho^2 - s^2) at the longitude of x, and above T at the longitude of p, farther
//     to the right. A sinusoid exceeds T > 0 in an interval shorter than a half turn, so at a it is
//     below T. It is positive there, because a is to the left of pq. So a is closer to pq than
//     asin(s / rho), which contradicts (iv).
#pragma once

#include <optional>
#include <span>

#include "toccata/query/deforming/clusters/star.hpp"

namespace toccata {

/// A point that moves linearly.
struct MovingPoint {
  Vec3d start, end;
};

/// A view of a step from a point O, with an axis.
class PointView {
 public:
  /// A vertex relative to O: its image along the axis, and its coordinate along the axis, twice at
  /// the start and twice at the end.
  struct Point {
    ViewPoint flat;
    Quad depth;
  };

  /// Makes a view from `o`. The axis may have any length. The planes of accepted faces are farther
  /// than `nearest` from O; only used with a separation. Faces that are oriented inwards are seen
  /// in a mirror, in which all signs change.
  PointView(const PatchStep& step, const MovingPoint& o, const Vec3d& axis, double nearest,
            bool inwards = false);

  /// Returns the same view with an axis that leads away from the middle of a face at the start, so
  /// that the face contains -z.
  PointView away_from(const PatchStep& step, const Face& face) const;

  [[gnu::always_inline]] Point operator()(Index v) const {
    const Vec3d &p = frames_.start[v], &q = frames_.end[v];
    const Quad x = Quad{p.x, p.x, q.x, q.x} - origin_.x, y = Quad{p.y, p.y, q.y, q.y} - origin_.y,
               z = Quad{p.z, p.z, q.z, q.z} - origin_.z;
    return {x_.x * x + x_.y * y + x_.z * z, z_.x * x + z_.y * y + z_.z * z};
  }

  /// Returns whether a turn is proven positive throughout the step in spite of rounding, as for a
  /// star view. E bounds the distances of all points from O.
  bool positive(const Quad& coefficients) const { return all(coefficients > turn_rounding_); }

  /// Returns whether a face is proven to satisfy conditions (i) and (iv).
  bool accepts(const FaceImage<Point>& image) const {
    const Quad phi = volume(image);
    return separation_ == 0 ? all(phi > volume_rounding_) : is_far(image, phi);
  }

  /// Relation of a face with phi > 0 to the direction -z at the start.
  enum class Behind : std::uint8_t { no, yes, unknown };

  /// Returns whether a face contains the direction -z, with its boundary.
  Behind behind(const FaceImage<Point>& image) const {
    const double least = turn_rounding_[0];
    const double a = image.turns[0][0], b = image.turns[1][0], c = image.turns[2][0];
    if (a > least || b > least || c > least) return Behind::no;
    return a < -least && b < -least && c < -least ? Behind::yes : Behind::unknown;
  }

 private:
  /// Returns phi, given by its first Bernstein coefficient, three times the second, the fourth, and
  /// three times the third. With all coordinates at most E, a turn errs by 2^-48 E^2 (star.hpp) and
  /// a depth by 2^-50 E. Three products, each with one rounding, and their sums err by less than
  /// 2^-45 E^3 in the outer coefficients, and the inner ones, with twice as many, by less than
  /// 2^-43 E^3.
  [[gnu::always_inline]] static Quad volume(const FaceImage<Point>& image) {
    const auto part = [&](int side, int corner) {
      const Quad &turn = image.turns[side], &depth = image.at[corner].depth;
      const Quad same = turn * depth, other = turn * shuffle<2, 3, 0, 1>(depth);
      return same + shuffle<0, 4, 1, 6>(Quad{}, other);
    };
    return part(0, 2) + part(1, 0) + part(2, 1);
  }

  bool is_far(const FaceImage<Point>& image, const Quad& phi) const;

  StepFrames frames_;
  MovingPoint o_;
  Vec3q x_;       ///< two directions perpendicular to the axis, in turns
  Vec3q z_;       ///< the axis
  Vec3q origin_;  ///< O, coordinate by coordinate
  Quad turn_rounding_, volume_rounding_;
  double separation_;  ///< with slack, as for a star view
  double nearest_;
  bool inwards_;
};

inline Quad turn(const PointView::Point& p, const PointView::Point& q) {
  return turn(p.flat, q.flat);
}
inline bool passes_axis(const PointView::Point& p, const PointView::Point& q) {
  return passes_axis(p.flat, q.flat);
}

/// Returns a view of a patch from the point that is as far as possible at the same height below the
/// planes of all of its faces, at both ends of the step, or above all of them. `some` is a sample
/// of the faces. Returns nothing if the point is on different sides of these planes.
std::optional<PointView> view_from_inside(const PatchStep& step, std::span<const Index> some);

/// Returns a view of a patch from the mean of the middles of its faces.
PointView view_from_middle(const PatchStep& step, std::span<const Index> faces);

}  // namespace toccata
