// Why a patch of a surface cannot touch itself during a step.
//
// A patch is a set of faces. Choose a linear map P from space to the plane (a view along one
// direction) and a point O(t) that moves on a straight line. During the whole step let
//   (i)  the image of each face, with the orientation of its corners, have a positive area,
//   (ii) each edge of the boundary turn around O: cross(P p - P O, P q - P O) > 0 for p -> q, where
//        the boundary is what is left of the sides of all faces when opposite sides cancel,
//   (iii) all of the boundary turn around O once at the start, hence at all times: by (ii) no edge
//        ever passes through O.
// Every closed part of the boundary turns at least once, so there is one loop, and seen from O
// it is a simple polygon. A point of the plane that is on no edge is in as many images of faces
// as the boundary winds around it, since by (i) all count positively. That is one inside the
// polygon and none outside: images of faces do not overlap. Nor do they touch, but where they
// share a vertex or an edge: around an inner vertex its faces have positive angles and close up,
// so they cover all directions; around a vertex of the boundary they cover all directions into
// the polygon; and beside an edge its faces cover both sides, or its inner side. Another face
// which had that point would overlap them. What touches in space touches in the view, so no
// vertex meets a face, no two edges meet, and no edge pierces a face, unless they share a
// vertex. Nothing is assumed of the mesh: holes, folds, Moebius strips and spirals that wind
// around O twice break one of the conditions.
//
// With linear motion, (i) and (ii) say that quadratic polynomials are positive, which they are if
// their three Bernstein coefficients are.
//
// Why parts of a patch stay farther apart than a separation s: let, in addition to that,
//   (iv) the three heights of the image of each face be above s during the whole step.
// A vertex is inner if it is on no side of the boundary, and a face is if its corners are. Then a
// feature of an inner face is farther than s from each feature of the patch with which it shares no
// vertex. It is enough to see that in the view.
//  * An inner vertex v: its faces cover all directions, and end at sides opposite to v, farther
//    away than s by (iv). What does not have v is not within these faces, hence not within s.
//  * A side ab of an inner face, and a vertex w within s of it. Let x be the point of ab next to w.
//    It is not a or b, which are inner vertices. Draw ab level with w above x, at a height of at
//    most s over ab. The face above ab has a third corner c, higher than s by (iv), so w is not c,
//    and the way from x up to w leaves this face, through ac, say, with a to the left of the way
//    and c to the right. It goes on among the faces of a, all of which are there. Each that it
//    leaves through a side ad has d to the right, and higher than s: d is farther than s from the
//    side through which the way came, by (iv), and that side rises from a to the right. At last it
//    leaves a face through the side pq opposite to a, or ends there, below s, with p to the right
//    and higher than s. So the line pq rises to the right, and above a it is lower than s: then a
//    is closer to it than s, against (iv).
//  * Two edges without a common vertex do not cross in the view, so they are closest at an end of
//    one of them; and a vertex is closest to a face at one of its sides, as it is not in the face.
#pragma once

#include "toccata/math/quad.hpp"
#include "toccata/query/deforming/features.hpp"
#include "toccata/query/deforming/frames.hpp"

namespace toccata {

/// The image of a vertex minus that of O: x and y at the start, x and y at the end.
using ViewPoint = Quad;

/// Twice the area that the vector from O to a point sweeps on the way from p to q. A quadratic
/// polynomial on [0, 1]: its first Bernstein coefficient, twice the second, the third, and once
/// more twice the second.
inline Quad turn(const ViewPoint& p, const ViewPoint& q) {
  const auto other_time = [](const Quad& x) { return shuffle<2, 3, 0, 1>(x); };
  const Quad y_x = shuffle<1, 0, 3, 2>(q);
  const Quad same = p * y_x, mixed = other_time(p) * y_x;
  const Quad c = shuffle<0, 4, 2, 6>(same, mixed) - shuffle<1, 5, 3, 7>(same, mixed);
  return shuffle<0, 5, 2, 7>(c, c + other_time(c));
}

/// A step of a mesh, for which patches are proven to keep the separation from themselves.
struct PatchStep {
  const Features& features;
  StepFrames frames;
  double diagonal;  ///< bounds the distances of all points at the same time
  double separation = 0;
};

/// A view of a step, with its point O.
class StarView {
 public:
  /// A view against `normal`, any length, in which O moves with the middle of a face.
  StarView(const PatchStep& step, const Vec3d& normal, Index seed);

  ViewPoint operator()(Index v) const {
    const Vec3d &p = frames_.start[v], &q = frames_.end[v];
    return x_ * (Quad{p.x, p.x, q.x, q.x} - origin_.x) +
           y_ * (Quad{p.y, p.y, q.y, q.y} - origin_.y) +
           z_ * (Quad{p.z, p.z, q.z, q.z} - origin_.z);
  }

  /// Whether a turn, or a sum of three, is positive during the whole step in spite of rounding.
  /// With D the diagonal, a coordinate errs by 4.1 * 2^-53 D: one rounding of the difference,
  /// three of the dot product, directions of unit length. A coefficient of a turn errs by 4 D
  /// times that and by 4 * 2^-53 D^2 of its own, or 6 for the second, which is half of a sum: by
  /// less than 2^-48 D^2, and a sum of three by 2^-46 D^2. So does a turn between differences of
  /// images, which err by 9.2 * 2^-53 D each.
  bool positive(const Quad& coefficients) const { return all(coefficients > rounding_); }

  /// Whether a face with these corners meets the conditions (i) and (iv). Twice its area, whose
  /// coefficients are `area`, has to exceed the separation times its longest side, which is at most
  /// as long as the line between its lengths at the start and at the end. A length errs by 2^-48 D,
  /// and the separation is less than D if it is less than a height: that is another 2^-48 D^2.
  bool is_high(const Quad& area, const ViewPoint& p, const ViewPoint& q, const ViewPoint& r) const {
    if (separation_ == 0) return positive(area);
    const auto squares = [](const Quad& side) {
      const Quad square = side * side;
      return square + shuffle<1, 0, 3, 2>(square);
    };
    const Quad length = sqrt(max(max(squares(q - p), squares(r - q)), squares(p - r)));
    const Quad both = length + shuffle<2, 3, 0, 1>(length);
    return all(area > shuffle<0, 5, 2, 7>(length, both) * separation_ + rounding_ * 2.0);
  }

 private:
  StepFrames frames_;
  Quad x_, y_, z_;  ///< the directions of the view, coordinate by coordinate
  Vec3q origin_;    ///< O, likewise
  Quad rounding_;   ///< of the coefficients
  /// A little more than asked for: directions of the view may be 2^-50 too long, and a length is
  /// rounded by as much.
  double separation_;
};

/// Whether an edge that turns positively passes the positive x axis at the start. All edges of a
/// closed boundary together do it as often as it turns: moving the points to where rounding puts
/// them changes no turn by more than `positive` allows, hence not their number.
inline bool passes_axis(const ViewPoint& p, const ViewPoint& q) { return p[1] < 0 && q[1] >= 0; }

// Faces against the conditions of a view, wherever they are; what grows has its own
// (`RingGrowth`).

/// The images of the corners of a face.
struct FaceImage {
  std::array<ViewPoint, 3> at;

  FaceImage(const StarView& view, const Face& face)
      : at{view(face[0]), view(face[1]), view(face[2])} {}

  bool is_high(const StarView& view) const {
    return view.is_high(turn(at[1] - at[0], at[2] - at[0]), at[0], at[1], at[2]);
  }
  const ViewPoint& begin(int side) const { return at[side]; }
  const ViewPoint& end(int side) const { return at[side == 2 ? 0 : side + 1]; }
};

/// Calls visit(side) for the sides of a face with none of the others across, until it returns
/// false.
template <class Inside, class Visit>
bool for_each_outer_side(const Features& f, Index face, const Inside& inside, const Visit& visit) {
  for (int k = 0; k < 3; ++k) {
    const Index other = f.across[face][k];
    if ((other == Features::none || !inside(other)) && !visit(k)) return false;
  }
  return true;
}

/// Whether a patch can take a face across one of its sides and keep the conditions of its view.
template <class Inside>
bool joins(const StarView& view, const Features& f, Index face, const Inside& inside) {
  const FaceImage image(view, f.faces[face]);
  return image.is_high(view) && for_each_outer_side(f, face, inside, [&](int k) {
           return view.positive(turn(image.begin(k), image.end(k)));
         });
}

/// Whether some faces meet the conditions of a view; `inside` tells which they are.
template <class Inside>
bool is_star(const StarView& view, const Features& f, std::span<const Index> faces,
             const Inside& inside) {
  Index passes = 0;
  for (const Index face : faces) {
    const FaceImage image(view, f.faces[face]);
    const auto turns = [&](int k) {
      passes += passes_axis(image.begin(k), image.end(k));
      return view.positive(turn(image.begin(k), image.end(k)));
    };
    if (!image.is_high(view) || !for_each_outer_side(f, face, inside, turns)) return false;
  }
  return passes == 1;
}

}  // namespace toccata
