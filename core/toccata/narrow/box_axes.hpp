// The fifteen axes of the separating axis test of two oriented boxes (Gottschalk, Lin, Manocha
// 1996): the three face axes of x, the three of y, and their nine cross products. Shared by all
// tests of boxes.
#pragma once

#include "toccata/bvh/volume.hpp"
#include "toccata/math/pack.hpp"

namespace toccata {

/// Projected radii of two boxes with half sizes hx and hy: their extents from their centers along
/// the axes. `Cosine` is the type of the absolute cosines between face axes: packs, or lines in
/// time that bound them.
template <class Cosine, class Half>
struct BoxRadii {
  const Cosine (&cosine)[3][3];  ///< between axis i of x and axis j of y
  const Pack (&hx)[3];
  const Half (&hy)[3];

  /// Returns the projected radius of y along axis i of x. The radius of x is hx[i].
  [[gnu::always_inline]] Cosine of_y(int i) const {
    return cosine[i][0] * hy[0] + cosine[i][1] * hy[1] + cosine[i][2] * hy[2];
  }
  /// Returns the projected radius of x along axis j of y. The radius of y is hy[j].
  [[gnu::always_inline]] Cosine of_x(int j) const {
    return cosine[0][j] * hx[0] + cosine[1][j] * hx[1] + cosine[2][j] * hx[2];
  }
  /// Returns the sum of both radii along the cross product of axis i of x and axis j of y, times
  /// its length.
  [[gnu::always_inline]] Cosine across(int i, int j) const {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return cosine[i2][j] * hx[i1] + cosine[i1][j] * hx[i2] +
           (cosine[i][j2] * hy[j1] + cosine[i][j1] * hy[j2]);
  }
};

/// Eight boxes x and one box y, at one time.
struct BoxPairs {
  Pack at[3];         ///< the line from the center of y to the center of x, along the axes of x
  Pack along_y[3];    ///< the line along the axes of y
  Pack cosine[3][3];  ///< between axis i of x and axis j of y
  Pack size[3][3];    ///< absolute values of the cosines
  Pack hx[3];
  float hy[3];

  [[gnu::always_inline]] BoxPairs(const Vec3p& line, const Mat3p& axes, const Vec3p& h,
                                  const Volume& y)
      : hx{h.x, h.y, h.z}, hy{y.half.x, y.half.y, y.half.z} {
    const Vec3p* ex[3] = {&axes.x, &axes.y, &axes.z};
    const Vec3f* ey[3] = {&y.axes.x, &y.axes.y, &y.axes.z};
    for (int i = 0; i < 3; ++i) {
      at[i] = dot(line, *ex[i]);
      along_y[i] = dot(line, *ey[i]);
      for (int j = 0; j < 3; ++j) {
        cosine[i][j] = dot(*ex[i], *ey[j]);
        size[i][j] = abs(cosine[i][j]);
      }
    }
  }

  /// Returns the line's component along the cross product of axis i of x and axis j of y, times its
  /// length.
  [[gnu::always_inline]] Pack across(int i, int j) const {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    return at[i2] * cosine[i1][j] - at[i1] * cosine[i2][j];
  }
  [[gnu::always_inline]] BoxRadii<Pack, float> radii() const { return {size, hx, hy}; }
};

}  // namespace toccata
