"""For many pairs of triangles at once, a direction that separates them about as well as possible.

Only the direction is computed here, in doubles and without a guarantee. Callers compute the gap
along it, which is a lower bound of the distance for any direction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def separating_directions(a: Array, b: Array) -> tuple[Array, NDArray[np.intp]]:
    """Return unit vectors (n, 3) from b to a between closest points of (n, 3, 3) triangles.

    Also return the features of these points, as numbered in `swings`.
    """
    differences = np.concatenate(
        [_vertex_differences(a, b), -_vertex_differences(b, a), _edge_differences(a, b)], axis=1
    )
    squares = np.einsum("nki,nki->nk", differences, differences)
    feature = np.nanargmin(squares, axis=1)
    difference = differences[np.arange(len(a)), feature]
    length = np.linalg.norm(difference, axis=1, keepdims=True)
    # The direction is undefined if triangles touch; any unit vector is a valid choice.
    safe = np.where(length > 0, length, 1.0)
    return np.where(length > 0, difference / safe, np.array([1.0, 0.0, 0.0])), feature


def _vertex_differences(a: Array, b: Array) -> Array:
    """Return vectors from triangle b (its edges, and the face below a vertex) to vertices of a."""
    p = a[:, :, None, :]
    start, along = b[:, None, :, :], (np.roll(b, -1, axis=1) - b)[:, None, :, :]
    offset = p - start
    square = np.sum(along * along, axis=-1)
    k = np.sum(offset * along, axis=-1) / np.where(square > 0, square, 1.0)
    to_edges = offset - np.clip(k, 0.0, 1.0)[..., None] * along
    return np.concatenate([to_edges.reshape(len(a), 9, 3), _face_differences(a, b)], axis=1)


def _face_differences(a: Array, b: Array) -> Array:
    """Return vectors from the face of b up to the vertices of a; NaN beside the face."""
    normal = np.cross(b[:, 1] - b[:, 0], b[:, 2] - b[:, 0])[:, None, :]
    square = np.sum(normal * normal, axis=-1)
    height = np.sum((a - b[:, :1]) * normal, axis=-1) / np.where(square > 0, square, 1.0)
    difference = height[..., None] * normal
    foot = (a - difference)[:, :, None, :] - b[:, None, :, :]
    along = (np.roll(b, -1, axis=1) - b)[:, None, :, :]
    inside = np.sum(np.cross(along, foot) * normal[:, :, None, :], axis=-1) >= 0
    above = inside.all(axis=-1) & (square > 0)
    return np.where(above[..., None], difference, np.nan)


def _edge_differences(a: Array, b: Array) -> Array:
    """Return vectors between the insides of the nine pairs of edges; NaN if not both are inside."""
    u, v = (np.roll(a, -1, axis=1) - a)[:, :, None, :], (np.roll(b, -1, axis=1) - b)[:, None, :, :]
    w = b[:, None, :, :] - a[:, :, None, :]
    uu, uv, vv = (np.sum(x * y, axis=-1) for x, y in ((u, u), (u, v), (v, v)))
    uw, vw = np.sum(u * w, axis=-1), np.sum(v * w, axis=-1)
    det = uu * vv - uv * uv
    safe = np.where(det > 0, det, 1.0)
    i, j = (uw * vv - vw * uv) / safe, (uw * uv - vw * uu) / safe
    inside = (det > 0) & (i >= 0) & (i <= 1) & (j >= 0) & (j <= 1)
    difference = i[..., None] * u - w - j[..., None] * v
    return np.where(inside[..., None], difference, np.nan).reshape(len(a), 9, 3)
