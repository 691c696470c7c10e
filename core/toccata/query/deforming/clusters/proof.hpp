// Tests of given faces against the conditions of a view. Growing patches have their own tests
// (`RingGrowth`).
#pragma once

#include <variant>

#include "toccata/query/deforming/clusters/point_view.hpp"

namespace toccata {

/// The view that certifies a patch.
using View = std::variant<StarView, PointView>;

template <class V>
FaceImage<typename V::Point> image_of(const V& view, const Face& face) {
  const auto a = view(face[0]), b = view(face[1]), c = view(face[2]);
  return {{a, b, c}, {turn(a, b), turn(b, c), turn(c, a)}};
}

/// Calls visit(side) for the sides of a face without a face of the set across, until it returns
/// false.
template <class Inside, class Visit>
bool for_each_outer_side(const Features& f, Index face, const Inside& inside, const Visit& visit) {
  for (int k = 0; k < 3; ++k) {
    const Index other = f.across[face][k];
    if ((other == Features::none || !inside(other)) && !visit(k)) return false;
  }
  return true;
}

/// Returns whether a patch can take a face across one of its sides and keep the conditions of its
/// view.
template <class V, class Inside>
bool joins(const V& view, const Features& f, Index face, const Inside& inside) {
  const auto image = image_of(view, f.oriented()[face]);
  return view.accepts(image) &&
         for_each_outer_side(f, face, inside, [&](int k) { return view.positive(image.turns[k]); });
}

/// Counts for condition (iii) of a view, over the faces and boundary of a patch that satisfies the
/// other conditions.
struct Census {
  Index sides = 0;    ///< number of sides of the boundary
  Index turns = 0;    ///< number of turns of the boundary
  Index behind = 0;   ///< number of faces that contain -z; only of views from a point
  bool known = true;  ///< whether this number is certain

  void add_face(const StarView&, const FaceImage<ViewPoint>&) {}
  void add_face(const PointView& view, const FaceImage<PointView::Point>& image) {
    const PointView::Behind found = view.behind(image);
    behind += found == PointView::Behind::yes;
    known = known && found != PointView::Behind::unknown;
  }
  template <class Point>
  void add_side(const Point& p, const Point& q) {
    ++sides;
    turns += passes_axis(p, q);
  }
  /// Returns whether the boundary proves that no direction is in two faces.
  bool turns_once() const { return turns == 1 && behind == 0 && known; }
  /// Returns whether this is proven for a patch without a boundary.
  bool covers_once() const { return sides == 0 && behind == 1 && known; }
};

/// Returns whether the faces of a closed patch with phi > 0 cover each direction once.
/// `for_each_face` calls a function for each of them.
template <class Each>
bool covers_once(const PointView& view, const PatchStep& step, Index face, const Each& each) {
  const PointView other = view.away_from(step, step.features.oriented()[face]);
  Census census;
  each([&](Index one) { census.add_face(other, image_of(other, step.features.oriented()[one])); });
  return census.covers_once();
}

/// Returns whether some faces satisfy the conditions of a view. `inside` identifies these faces.
template <class V, class Inside>
bool is_star(const V& view, const PatchStep& step, std::span<const Index> faces,
             const Inside& inside) {
  const Features& f = step.features;
  Census census;
  for (const Index face : faces) {
    const auto image = image_of(view, f.oriented()[face]);
    const auto turns = [&](int k) {
      census.add_side(image.at[k], image.at[k == 2 ? 0 : k + 1]);
      return view.positive(image.turns[k]);
    };
    if (!view.accepts(image) || !for_each_outer_side(f, face, inside, turns)) return false;
    census.add_face(view, image);
  }
  if constexpr (std::is_same_v<V, PointView>)
    if (census.sides == 0)
      return covers_once(view, step, faces[0], [&](const auto& visit) {
        for (const Index face : faces) visit(face);
      });
  return census.turns_once();
}

}  // namespace toccata
