// Faces against the conditions of a view, wherever they are; what grows has its own (`RingGrowth`).
#pragma once

#include "toccata/query/deforming/star_view.hpp"

namespace toccata {

/// The images of the corners of a face.
struct FaceImage {
  std::array<ViewPoint, 3> at;

  FaceImage(const StarView& view, const Face& face)
      : at{view(face[0]), view(face[1]), view(face[2])} {}

  Quad area() const { return turn(at[1] - at[0], at[2] - at[0]); }
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
  return view.positive(image.area()) && for_each_outer_side(f, face, inside, [&](int k) {
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
    if (!view.positive(image.area()) || !for_each_outer_side(f, face, inside, turns)) return false;
  }
  return passes == 1;
}

}  // namespace toccata
