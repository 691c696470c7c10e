"""Hollows look dark: a cheap stand-in for the light that does not get into them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toccata.report.raster import Visibility, depth_slopes

Array = NDArray[np.float64]

_STRENGTH = 0.55
_RADII = (1 / 90, 1 / 34)  # as shares of the picture's height
_COARSE = 2  # means vary slowly, so they are taken over every second pixel


def cavity(view: Visibility, corners: Array, reach: float) -> Array:
    """Return a factor in (0, 1] per seen pixel, in row order: small behind its surroundings.

    The mean inverse depth around a pixel is compared with what the pixel's own plane would give
    at the same places. So a flat face keeps its brightness however it is tilted and wherever it
    ends; only hollows, and what lies just behind a silhouette, get darker.
    """
    rows, columns = np.nonzero(view.triangle >= 0)
    triangle = view.triangle[rows, columns]
    inverse = view.inverse_depth[rows, columns]
    slope_x, slope_y = depth_slopes(corners)
    shadow = np.zeros(len(rows))
    for share in _RADII:
        mean = _means(view, max(1, round(share * len(view.triangle) / _COARSE)))
        mean_x, mean_y, mean_inverse = mean[:, rows // _COARSE, columns // _COARSE]
        step_x, step_y = mean_x - columns, mean_y - rows
        plane = inverse + slope_x[triangle] * step_x + slope_y[triangle] * step_y
        # A difference of inverse depths times the depth squared is a length.
        shadow += np.maximum(mean_inverse - plane, 0.0) / (reach * inverse**2)
    return np.asarray(1.0 - _STRENGTH * (1.0 - np.exp(-0.8 * shadow)))


def _means(view: Visibility, radius: int) -> Array:
    """Return (3, h, w): column, row and inverse depth, averaged over the seen pixels around."""
    seen = (view.triangle[::_COARSE, ::_COARSE] >= 0).astype(np.float64)
    inverse = view.inverse_depth[::_COARSE, ::_COARSE]
    row = np.arange(seen.shape[0])[:, None] * float(_COARSE)
    column = np.arange(seen.shape[1]) * float(_COARSE)
    sums = np.stack([_blur(x, radius) for x in (seen * column, seen * row, inverse)])
    return np.asarray(sums / np.maximum(_blur(seen, radius), 1e-9))


def _blur(image: Array, radius: int) -> Array:
    """Return a soft mean over a neighbourhood: three box filters along each axis."""
    for axis in (0, 1, 0, 1, 0, 1):
        image = _box(image, radius, axis)
    return image


def _box(image: Array, radius: int, axis: int) -> Array:
    padding = [(0, 0), (0, 0)]
    padding[axis] = (radius + 1, radius)
    total = np.cumsum(np.pad(image, padding), axis=axis)
    width = 2 * radius + 1
    upper = np.take(total, range(width, total.shape[axis]), axis=axis)
    lower = np.take(total, range(total.shape[axis] - width), axis=axis)
    return np.asarray((upper - lower) / width)
