"""A rasterizer with a depth buffer in plain NumPy.

It splits triangles into rows, and rows into pixels, for all triangles at once. Each triangle has a
64-bit key at a pixel: the depth in the upper half, and the index of the triangle in the lower half.
The smallest key at a pixel belongs to the triangle in front.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
_FARTHEST = 0xFFFFFFFE  # below the upper half of _EMPTY, so that empty pixels are recognized
_BATCH = 1 << 22  # pixels of bounding boxes per batch, which limits the memory
# Rounding must not lose a pixel center on the common edge of two triangles.
_EDGE_SLACK = 1e-9
# A triangle seen edge-on has no stable slope in depth, but its neighbors cover its pixels.
_SMALLEST_AREA = 1e-6


@dataclass(frozen=True, slots=True)
class Visibility:
    """The triangle in front at each pixel (-1: none), and its inverse depth (0: none)."""

    triangle: Indices
    inverse_depth: Array


def rasterize(corners: Array, width: int, height: int) -> Visibility:
    """Return the nearest triangle at every pixel center.

    `corners` is (m, 3, 3): the corners of each triangle with x and y in pixels and the inverse
    depth. Triangles that reach behind the eye are left out. At equal depth, the triangle with the
    lower index is in front.
    """
    near, far = _depth_range(corners)
    buffer = np.full(width * height, _EMPTY)
    for chosen, rows in _batches(corners, width, height):
        owner, pixel, inverse = _fragments(corners[chosen], rows, width)
        depth = np.clip((near - inverse) / (near - far), 0.0, 1.0) * _FARTHEST
        key = (depth.astype(np.uint64) << np.uint64(32)) | chosen[owner].astype(np.uint64)
        np.minimum.at(buffer, pixel, key)
    seen = buffer != _EMPTY
    triangle = np.where(seen, (buffer & np.uint64(0xFFFFFFFF)).astype(np.int64), -1)
    depth = (buffer >> np.uint64(32)).astype(np.float64) / _FARTHEST
    inverse = np.where(seen, near + depth * (far - near), 0.0)
    return Visibility(triangle.reshape(height, width), inverse.reshape(height, width))


def _depth_range(corners: Array) -> tuple[float, float]:
    """Return the inverse depths of the nearest and the farthest corner before the eye."""
    inverse = corners[..., 2]
    ahead = inverse[inverse > 0]
    if ahead.size == 0:
        return 1.0, 0.0
    near, far = float(ahead.max()), float(ahead.min())
    return near, min(far, near * (1.0 - 1e-12))


def _batches(corners: Array, width: int, height: int) -> Iterator[tuple[Indices, Indices]]:
    """Yield batches of triangles near pixel centers, with the first and last row of each."""
    low, high = corners[..., :2].min(axis=1), corners[..., :2].max(axis=1)
    limits = np.array([width - 1.0, height - 1.0])
    # Clip before the cast, because coordinates far outside the picture overflow an integer.
    first = np.ceil(np.clip(low - 0.5 - _EDGE_SLACK, 0.0, limits + 1.0)).astype(np.int64)
    last = np.floor(np.clip(high - 0.5 + _EDGE_SLACK, -1.0, limits)).astype(np.int64)
    extent = last - first + 1
    ahead = (corners[..., 2] > 0).all(axis=1)
    broad = np.abs(doubled_area(corners)) > _SMALLEST_AREA
    kept = np.flatnonzero((extent > 0).all(axis=1) & ahead & broad)
    load = np.cumsum(extent[kept].prod(axis=1))
    cuts = np.searchsorted(load, np.arange(_BATCH, load[-1] if load.size else 0, _BATCH))
    for chosen in np.split(kept, cuts):
        if chosen.size:
            yield chosen, np.stack([first[chosen, 1], last[chosen, 1]], axis=1)


def doubled_area(corners: Array) -> Array:
    """Return twice the signed area of each triangle in the picture, where y points down."""
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    return np.asarray(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])


def _fragments(corners: Array, rows: Indices, width: int) -> tuple[Indices, Indices, Array]:
    """Return the triangle, the pixel and the inverse depth of each covered pixel center."""
    owner, row = _expand(rows[:, 0], rows[:, 1] - rows[:, 0] + 1)
    middle = row.astype(np.float64) + 0.5
    left, right = _spans(corners, owner, middle)
    first = np.ceil(np.clip(left - 0.5 - _EDGE_SLACK, 0.0, width)).astype(np.int64)
    last = np.floor(np.clip(right - 0.5 + _EDGE_SLACK, -1.0, width - 1.0)).astype(np.int64)
    span, column = _expand(first, np.maximum(last - first + 1, 0))
    slope_x, slope_y = depth_slopes(corners)
    origin = corners[owner, 0]
    at_origin = origin[:, 2] + slope_y[owner] * (middle - origin[:, 1])
    inverse = at_origin[span] + slope_x[owner][span] * (column + 0.5 - origin[span, 0])
    return owner[span], (row * width)[span] + column, inverse


def _expand(first: Indices, count: Indices) -> tuple[Indices, Indices]:
    """List count[i] integers from first[i] on, for each i. Return their i, and the integers."""
    owner = np.repeat(np.arange(len(count)), count)
    ends = np.cumsum(count)
    return owner, np.arange(len(owner)) + np.repeat(first - ends + count, count)


def _spans(corners: Array, owner: Indices, y: Array) -> tuple[Array, Array]:
    """Return the x at which each horizontal line at `y` enters and leaves its triangle."""
    left, right = np.full(len(y), -np.inf), np.full(len(y), np.inf)
    winding = np.where(doubled_area(corners) > 0, 1.0, -1.0)
    for i in range(3):
        start, edge = corners[:, i, :2], corners[:, (i + 1) % 3, :2] - corners[:, i, :2]
        rise = edge[:, 1]
        # A horizontal edge bounds rows, not columns, and the rows are bounded already.
        with np.errstate(divide="ignore", invalid="ignore"):
            run = edge[:, 0] / rise
            x = start[owner, 0] + (y - start[owner, 1]) * run[owner]
        side = (rise * winding)[owner]
        right = np.where(side > 0, np.minimum(right, x), right)
        left = np.where(side < 0, np.maximum(left, x), left)
    return left, right


def depth_slopes(corners: Array) -> tuple[Array, Array]:
    """Return the change of the inverse depth of each triangle per pixel to the right and down."""
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = doubled_area(corners)
    area = np.where(area == 0, np.inf, area)
    slope_x = (u[:, 2] * v[:, 1] - u[:, 1] * v[:, 2]) / area
    slope_y = (u[:, 0] * v[:, 2] - u[:, 2] * v[:, 0]) / area
    return slope_x, slope_y
