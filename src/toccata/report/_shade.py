"""Lighting of the surfaces that the rasterizer found. All colors here are linear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toccata.report._normals import unit
from toccata.report._raster import Visibility, depth_slopes, doubled_area

Array = NDArray[np.float64]

# Directions to the lights in camera axes (right, down, forward). The lights move with the viewer:
# a strong one from the upper left and a weak one from the lower right.
_KEY = unit(np.array([-0.55, -0.75, -0.65]))
_FILL = unit(np.array([0.6, 0.65, -0.5]))
_KEY_LIGHT = np.array([0.88, 0.85, 0.80])
_FILL_LIGHT = np.array([0.36, 0.35, 0.36])
_SKY_LIGHT = np.array([0.42, 0.44, 0.48])
_GROUND_LIGHT = np.array([0.32, 0.29, 0.28])
_GLOSS = 0.16
_EDGE_DIMMING = 0.2  # toward silhouettes, to separate bodies of the same color

# Shading of hollows: its strength, the radii of means relative to the height of the picture, the
# depth at which it fades relative to the reach, and the distance of the pixels that are averaged.
_STRENGTH = 0.55
_RADII = (1 / 90, 1 / 34)
_FAR = 5.0
_COARSE = 4


@dataclass(frozen=True, slots=True)
class Surface:
    """Triangles after projection."""

    corners: Array  # (m, 3, 3) x, y in pixels, inverse depth
    normals: Array  # (m, 3, 3) per corner, in camera axes
    colors: Array  # (m, 3)
    up: Array  # (3,) the vertical in camera axes


def to_linear(display: Array) -> Array:
    """Convert display values in [0, 1] (sRGB) to linear light."""
    return np.where(display <= 0.04045, display / 12.92, ((display + 0.055) / 1.055) ** 2.4)


def to_display(linear: Array) -> Array:
    """Convert linear light to display values in [0, 1] (sRGB)."""
    x = np.clip(linear, 0.0, 1.0)
    return np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055)


def shade(view: Visibility, surface: Surface, backdrop: Array, reach: float = 0.0) -> Array:
    """Return the (h, w, 3) picture of lit surfaces in front of `backdrop`.

    Hollows up to `reach` deep, in units of the scene, are dark.
    """
    rows, columns = np.nonzero(view.triangle >= 0)
    triangle = view.triangle[rows, columns]
    centers = np.stack([columns, rows], axis=1).astype(np.float64) + 0.5
    weights = _flat_weights(surface.corners[triangle], centers) * surface.corners[triangle, :, 2]
    normals = np.einsum("pi,pij->pj", weights, surface.normals[triangle])
    # Both sides of a surface are visible, so the normal points to the side of the eye.
    facing = np.where(doubled_area(surface.corners) < 0, 1.0, -1.0)[triangle]
    lit = _lit(unit(normals) * facing[:, None], surface.colors[triangle], surface.up)
    picture = backdrop.copy()
    if reach > 0:
        lit *= _cavity(view, surface.corners, reach)[:, None]
    picture[rows, columns] = lit
    return picture


def _flat_weights(corners: Array, points: Array) -> Array:
    """Return the barycentric coordinates of points of the picture.

    Multiplied by the inverse depths of the corners, they are barycentric coordinates in space, up
    to a common factor.
    """
    dx, dy = corners[..., 0] - points[:, :1], corners[..., 1] - points[:, 1:]
    pairs = ((1, 2), (2, 0), (0, 1))
    parts = np.stack([dx[:, i] * dy[:, j] - dx[:, j] * dy[:, i] for i, j in pairs], axis=1)
    return np.clip(parts / doubled_area(corners)[:, None], 0.0, 1.0)


def _lit(normals: Array, colors: Array, up: Array) -> Array:
    """Return the light that reaches the eye: ambient, key and fill light, and a slight gloss."""
    height = 0.5 + 0.5 * (normals @ up)[:, None]
    key = np.maximum(normals @ _KEY, 0.0)[:, None]
    fill = np.maximum(normals @ _FILL, 0.0)[:, None]
    light = _GROUND_LIGHT + height * (_SKY_LIGHT - _GROUND_LIGHT)
    light = light + key * _KEY_LIGHT + fill * _FILL_LIGHT
    light *= 1.0 - _EDGE_DIMMING * (1.0 + np.minimum(normals[:, 2:], 0.0))
    between = unit(_KEY + np.array([0.0, 0.0, -1.0]))
    x = np.maximum(normals @ between, 0.0)
    x2 = x * x
    x8 = (x2 * x2) ** 2
    gloss = _GLOSS * ((x8 * x8) ** 2 * x8 * x2)  # x ** 42, which numpy computes 10 times slower
    return np.asarray(colors * light + gloss[:, None])


def _cavity(view: Visibility, corners: Array, reach: float) -> Array:
    """Return the brightness of each visible pixel in row order, in (0, 1], small in hollows.

    The brightness accounts for light that does not reach a hollow. The mean inverse depth around a
    pixel is compared with the mean that the pixel's own plane would have at the same pixels.
    Therefore flat faces keep their brightness at every tilt and at their edges; only hollows, and
    surfaces just behind a silhouette, are darker. The mean of squares distinguishes a few pixels
    far in front from many pixels slightly in front: surfaces far in front cast no shadow.
    """
    rows, columns = np.nonzero(view.triangle >= 0)
    triangle = view.triangle[rows, columns]
    inverse = view.inverse_depth[rows, columns]
    slope_x, slope_y = depth_slopes(corners)
    shadow = np.zeros(len(rows))
    for share in _RADII:
        means = _means(view, max(1, round(share * len(view.triangle) / _COARSE)))
        mean_x, mean_y, mean, square = means[:, rows // _COARSE, columns // _COARSE]
        step_x, step_y = mean_x - columns, mean_y - rows
        plane = inverse + slope_x[triangle] * step_x + slope_y[triangle] * step_y
        before = np.maximum(mean - plane, 0.0)
        spread = np.maximum(square - 2.0 * plane * mean + plane**2, before**2)
        gap = spread / np.maximum(before, 1e-12 * inverse)
        # A difference of inverse depths times the squared depth is a length.
        length = gap / (reach * inverse**2)
        shadow += before / np.maximum(gap, 1e-300) * length * np.exp(-length / _FAR)
    return np.asarray(1.0 - _STRENGTH * (1.0 - np.exp(-0.8 * shadow)))


def _means(view: Visibility, radius: int) -> Array:
    """Return means over visible pixels, (4, h, w): column, row, inverse depth and its square."""
    seen = (view.triangle[::_COARSE, ::_COARSE] >= 0).astype(np.float64)
    inverse = view.inverse_depth[::_COARSE, ::_COARSE]
    row = np.arange(seen.shape[0])[:, None] * float(_COARSE)
    column = np.arange(seen.shape[1]) * float(_COARSE)
    sums = np.stack([seen, seen * column, seen * row, inverse, inverse**2])
    for _ in range(3):  # three box filters along each axis
        sums = _box(_box(sums, radius).transpose(0, 2, 1), radius).transpose(0, 2, 1)
    return np.asarray(sums[1:] / np.maximum(sums[0], 1e-9))


def _box(images: Array, radius: int) -> Array:
    """Return means of 2 radius + 1 neighbors along the second axis; pixels outside count as 0."""
    count, height, breadth = images.shape
    width = 2 * radius + 1
    total = np.zeros((count, height + width, breadth))
    np.cumsum(images, axis=1, out=total[:, radius + 1 : height + radius + 1])
    total[:, height + radius + 1 :] = total[:, height + radius, None]
    return np.asarray((total[:, width:] - total[:, :-width]) / width)
