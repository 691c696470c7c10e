"""Hollows look dark: a cheap stand-in for the light that does not get into them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toccata.report._raster import Visibility, depth_slopes

Array = NDArray[np.float64]

_STRENGTH = 0.55
_RADII = (1 / 90, 1 / 34)  # as shares of the picture's height
_FAR = 5.0  # in reaches
_COARSE = 4  # means vary slowly, so they are taken over every fourth pixel


def cavity(view: Visibility, corners: Array, reach: float) -> Array:
    """Return a factor in (0, 1] per seen pixel, in row order: small behind its surroundings.

    The mean inverse depth around a pixel is compared with what the pixel's own plane would give
    at the same places. So a flat face keeps its brightness however it is tilted and wherever it
    ends; only hollows, and what lies just behind a silhouette, get darker. The mean of squares
    tells a little that is far before from much that is near: what is far before casts no shadow.
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
        # A difference of inverse depths times the depth squared is a length.
        length = gap / (reach * inverse**2)
        shadow += before / np.maximum(gap, 1e-300) * length * np.exp(-length / _FAR)
    return np.asarray(1.0 - _STRENGTH * (1.0 - np.exp(-0.8 * shadow)))


def _means(view: Visibility, radius: int) -> Array:
    """Return (4, h, w): column, row, inverse depth and its square, of the seen pixels around."""
    seen = (view.triangle[::_COARSE, ::_COARSE] >= 0).astype(np.float64)
    inverse = view.inverse_depth[::_COARSE, ::_COARSE]
    row = np.arange(seen.shape[0])[:, None] * float(_COARSE)
    column = np.arange(seen.shape[1]) * float(_COARSE)
    sums = _blur(np.stack([seen, seen * column, seen * row, inverse, inverse**2]), radius)
    return np.asarray(sums[1:] / np.maximum(sums[0], 1e-9))


def _blur(images: Array, radius: int) -> Array:
    """Blur (n, h, w) images by three box filters along each axis."""
    for _ in range(3):
        images = _box(_box(images, radius).transpose(0, 2, 1), radius).transpose(0, 2, 1)
    return images


def _box(images: Array, radius: int) -> Array:
    """Return the means of 2 radius + 1 neighbors along the second axis, zero outside of it."""
    count, height, breadth = images.shape
    width = 2 * radius + 1
    total = np.zeros((count, height + width, breadth))
    np.cumsum(images, axis=1, out=total[:, radius + 1 : height + radius + 1])
    total[:, height + radius + 1 :] = total[:, height + radius, None]
    return np.asarray((total[:, width:] - total[:, :-width]) / width)
