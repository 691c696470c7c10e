"""Distances of feature pairs in NumPy, independent of the core.

An array of pairs has shape (n, 4, 3). The four points are a vertex and a face a b c, or the ends of
edges a0 a1 and b0 b1. Faces without area and edges without length are allowed.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Kind = Literal["vertex-face", "edge-edge"]


def distance(kind: Kind, corners: Array) -> Array:
    """Return the distance of each pair."""
    a, b, c, d = (corners[:, i] for i in range(4))
    return vertex_face(a, b, c, d) if kind == "vertex-face" else edge_edge(a, b, c, d)


def vertex_face(p: Array, a: Array, b: Array, c: Array) -> Array:
    """Return the distance of vertices from triangles."""
    nearest = point_segment(p, a, b)
    for start, end in ((b, c), (c, a)):
        np.minimum(nearest, point_segment(p, start, end), out=nearest)
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    over = length > 0.0  # the projection is inside the face, so the plane is nearest
    for start, end in ((a, b), (b, c), (c, a)):
        over &= dot(np.cross(end - start, p - start), normal) >= 0.0
    height = np.abs(dot(p - a, normal)) / np.where(over, length, 1.0)
    return np.where(over, np.minimum(nearest, height), nearest)


def edge_edge(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Return the distance of segments a b from segments c d."""
    nearest = point_segment(a, c, d)
    for p, start, end in ((b, c, d), (c, a, b), (d, a, b)):
        np.minimum(nearest, point_segment(p, start, end), out=nearest)
    u, v, w = b - a, d - c, a - c
    normal = np.cross(u, v)
    square = dot(normal, normal)
    safe = np.where(square > 0.0, square, 1.0)
    s = dot(np.cross(v, w), normal) / safe
    t = dot(np.cross(u, w), normal) / safe
    inside = (square > 0.0) & (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)
    gap = np.abs(dot(w, normal)) / np.sqrt(safe)
    return np.where(inside, np.minimum(nearest, gap), nearest)


def point_segment(p: Array, a: Array, b: Array) -> Array:
    """Return the distance of points from segments."""
    along = b - a
    square = dot(along, along)
    share = np.clip(dot(p - a, along) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    found: Array = np.linalg.norm(p - a - share[:, None] * along, axis=1)
    return found


def dot(a: Array, b: Array) -> Array:
    """Return the dot product of each row."""
    found: Array = np.einsum("ij,ij->i", a, b)
    return found
