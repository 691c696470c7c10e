// Star views: certificates that a patch of a surface does not touch itself during a step.
//
// A patch is a set of faces. Choose a linear map P from space to the plane (a view along one
// direction) and a point O(t) that moves linearly. Let the following conditions hold throughout the
// step:
//   (i)   The image of each face, with the orientation of its corners, has a positive area.
//   (ii)  Each edge of the boundary turns around O: cross(P p - P O, P q - P O) > 0 for p -> q. The
//         boundary consists of the sides of all faces after opposite sides cancel.
//   (iii) The boundary turns around O once at the start. By (ii) no edge ever passes through O, so
//         it turns once at all times.
//
// Proves that features of the patch touch only if they share a vertex. Every closed component of
// the boundary turns at least once, so there is one loop, and its image is a simple polygon as seen
// from O. A point of the plane that is on no edge lies in as many images of faces as the winding
// number of the boundary around it, because all images count positively by (i). This number is one
// inside the polygon and zero outside: images of faces do not overlap. Nor do they touch, except at
// a common vertex or edge. Around an inner vertex, its faces have positive angles and close up, so
// they fill all directions. Around a vertex of the boundary, they fill all directions into the
// polygon. Beside an edge, its faces fill both sides, or its inner side. Another face with such a
// point would overlap them. Features that touch in space touch in the view. Hence no vertex meets a
// face, no two edges meet, and no edge pierces a face, unless they share a vertex. Nothing is
// assumed of the mesh: holes, folds, Moebius strips and spirals that wind around O twice violate
// one of the conditions.
//
// With linear motion, (i) and (ii) say that quadratic polynomials are positive. They are positive
// if their three Bernstein coefficients are.
//
// Proves that features of inner faces are farther than a separation s from all features of the
// patch with which they share no vertex, if in addition
//   (iv)  the three heights of the image of each face exceed s throughout the step.
// A vertex is inner if it is on no side of the boundary. A face is inner if its corners are. It
// suffices to prove the claim in the view.
//   - An inner vertex v: its faces fill all directions, and end at sides opposite to v, which are
//     farther away than s by (iv). A feature without the vertex v is not within these faces, and
//     hence not within s.
//   - A side ab of an inner face, and a vertex w within s of it. Let x be the point of ab closest
//     to w. It is not a or b, which are inner vertices. Draw ab horizontally with w above x, at a
//     height of at most s. The face above ab has a third corner c, which is higher than s by (iv),
//     so w is not c. The segment from x up to w leaves this face through one side, for example ac,
//     with a to its left and c to its right. It continues in the faces around a, which all exist.
//     Whenever it leaves a face through a side ad, d is to its right and higher than s: by (iv) d
//     is farther than s from the side through which the segment entered, and that side rises from a
//     to the right. Finally the segment leaves a face through the side pq opposite to a, or ends
//     there, below s, with p to its right and higher than s. So the line pq rises to the right, and
//     above a it is lower than s. Then a is closer to it than s, which contradicts (iv).
//   - Two edges without a common vertex do not intersect in the view, so they are closest at an end
//     of one of them. A vertex is closest to a face at one of its sides, because it is not in the
//     face.
#pragma once

#include <array>

#include "toccata/math/quad.hpp"
#include "toccata/query/deforming/features.hpp"
#include "toccata/query/deforming/frames.hpp"

namespace toccata {

/// Image of a vertex minus the image of O: x and y at the start, then x and y at the end.
using ViewPoint = Quad;

/// Returns twice the area that the vector from O to a point sweeps from p to q. It is a quadratic
/// polynomial on [0, 1], given by its first Bernstein coefficient, twice the second, the third, and
/// again twice the second.
[[gnu::always_inline]] inline Quad turn(const ViewPoint& p, const ViewPoint& q) {
  const auto other_time = [](const Quad& x) { return shuffle<2, 3, 0, 1>(x); };
  const Quad y_x = shuffle<1, 0, 3, 2>(q);
  const Quad same = p * y_x, mixed = other_time(p) * y_x;
  const Quad c = shuffle<0, 4, 2, 6>(same, mixed) - shuffle<1, 5, 3, 7>(same, mixed);
  return shuffle<0, 5, 2, 7>(c, c + other_time(c));
}

/// Images of the corners of a face, and the turns from each to the next.
template <class Point>
struct FaceImage {
  std::array<Point, 3> at;
  std::array<Quad, 3> turns;
};

/// A step of a mesh, for which patches are certified to keep the separation from themselves.
struct PatchStep {
  const Features& features;
  StepFrames frames;
  double diagonal;  ///< bounds the distances of all points at the same time
  double separation = 0;
};

/// A view of a step along one direction, with its point O.
class StarView {
 public:
  using Point = ViewPoint;

  /// Makes a view against `normal`, of any length. O moves with the middle of the face `seed`.
  StarView(const PatchStep& step, const Vec3d& normal, Index seed);

  [[gnu::always_inline]] ViewPoint operator()(Index v) const {
    const Vec3d &p = frames_.start[v], &q = frames_.end[v];
    return x_ * (Quad{p.x, p.x, q.x, q.x} - origin_.x) +
           y_ * (Quad{p.y, p.y, q.y, q.y} - origin_.y) +
           z_ * (Quad{p.z, p.z, q.z, q.z} - origin_.z);
  }

  /// Returns whether a turn, or a sum of three, is proven positive throughout the step in spite of
  /// rounding. With D the diagonal, a coordinate errs by 4.1 * 2^-53 D: one rounding of the
  /// difference and three of the dot product, with directions of unit length. A coefficient of a
  /// turn errs by 4 D times that and by 4 * 2^-53 D^2 of its own, or 6 for the second coefficient,
  /// which is half of a sum. This is less than 2^-48 D^2, and a sum of three errs by less than
  /// 2^-46 D^2. So does a turn between differences of images, which err by 9.2 * 2^-53 D each.
  bool positive(const Quad& coefficients) const { return all(coefficients > rounding_); }

  /// Returns whether a face is proven to satisfy conditions (i) and (iv). Twice its area must
  /// exceed the separation times its longest side. The length of a side is at most the linear
  /// interpolation between its lengths at the start and at the end. A length errs by 2^-48 D, and a
  /// separation below a height is less than D, so this adds another 2^-48 D^2.
  [[gnu::always_inline]] bool accepts(const FaceImage<ViewPoint>& image) const {
    const Quad area = image.turns[0] + image.turns[1] + image.turns[2];
    if (separation_ == 0) return positive(area);
    const auto squares = [&](int k) {
      const Quad side = image.at[k == 2 ? 0 : k + 1] - image.at[k], square = side * side;
      return square + shuffle<1, 0, 3, 2>(square);
    };
    const Quad length = sqrt(max(max(squares(0), squares(1)), squares(2)));
    const Quad both = length + shuffle<2, 3, 0, 1>(length);
    return all(area > shuffle<0, 5, 2, 7>(length, both) * separation_ + rounding_ * 2.0);
  }

 private:
  StepFrames frames_;
  Quad x_, y_, z_;  ///< the directions of the view, coordinate by coordinate
  Vec3q origin_;    ///< O, coordinate by coordinate
  Quad rounding_;   ///< rounding of the coefficients
  /// Separation with slack: directions of the view may be too long by 2^-50, and a length has a
  /// rounding error of that size.
  double separation_;
};

/// Returns whether an edge that turns positively crosses the positive x axis at the start. The
/// number of such edges of a closed boundary is its number of turns around O. Rounding does not
/// change this number, because it moves the points without changing any turn by more than the slack
/// of `positive`.
inline bool passes_axis(const ViewPoint& p, const ViewPoint& q) { return p[1] < 0 && q[1] >= 0; }

}  // namespace toccata
