"""Normals per triangle corner: smooth over gentle bends, sharp at creases."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_CREASE = np.cos(np.radians(38.0))
# Pairs of triangles around a vertex are compared, so the cost is quadratic in their number.
_MOST_COMPARED = 24
_MOST_SPLIT = 300_000
"""Triangles of a mesh whose creases are searched for."""


def face_normals(vertices: Array, faces: Indices) -> Array:
    """Return (m, 3) unit normals; zero for triangles without area."""
    a, b, c = vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]
    return unit(np.cross(b - a, c - a))


def corner_normals(vertices: Array, faces: Indices) -> Array:
    """Return (m, 3, 3): at each corner the mean of the normals that bend little from its face's."""
    normals = face_normals(vertices, faces)
    position = _position_numbers(vertices)[faces].ravel()
    order = np.argsort(position, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(position[order]) != 0])
    counts = np.diff(np.r_[starts, len(order)])
    own = normals[order // 3]
    smooth = own.copy()
    for valence in np.unique(counts):
        first = starts[counts == valence]
        around = own[first[:, None] + np.arange(valence)]
        mean = _mean_compared if valence <= _MOST_COMPARED else _mean_of_all
        smooth[first[:, None] + np.arange(valence)] = mean(around)
    corners = np.empty_like(smooth)
    corners[order] = unit(smooth)
    return corners.reshape(-1, 3, 3)


def smooth_mesh(vertices: Array, faces: Indices) -> tuple[Array, Indices, Indices]:
    """Split vertices at creases, so that normals averaged at vertices look right.

    Returns vertices, faces and the original vertex of each. Triangles of a soup, which share no
    vertices, are joined where they meet smoothly.
    """
    if not len(faces) or len(faces) > _MOST_SPLIT:
        return vertices, faces, np.arange(len(vertices))
    normals = np.rint(corner_normals(vertices, faces).reshape(-1, 3) * 1e4)
    corners = faces.reshape(-1)
    is_soup = len(np.unique(corners)) == len(corners)
    where = vertices[corners] if is_soup else corners[:, None]
    _, first, number = np.unique(
        np.column_stack([where, normals]), axis=0, return_index=True, return_inverse=True
    )
    return vertices[corners[first]], number.reshape(-1, 3), corners[first]


def unit(vectors: Array) -> Array:
    """Scale the last axis to length one; zero vectors stay zero."""
    length = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    return np.asarray(vectors / np.where(length > 0, length, 1.0))


def _position_numbers(vertices: Array) -> Indices:
    """Number the vertices so that equal positions share a number: soups repeat their vertices."""
    order = np.lexsort(vertices.T)
    sorted_vertices = vertices[order]
    fresh = np.r_[True, (np.diff(sorted_vertices, axis=0) != 0).any(axis=1)]
    numbers = np.empty(len(vertices), dtype=np.int64)
    numbers[order] = np.cumsum(fresh) - 1
    return numbers


def _mean_compared(around: Array) -> Array:
    """For (v, k, 3) normals around v vertices, sum for each those within the crease angle."""
    alike = np.einsum("vik,vjk->vij", around, around) > _CREASE
    return np.asarray(alike.astype(np.float64) @ around)


def _mean_of_all(around: Array) -> Array:
    """The same for many triangles: one common mean, where it bends little from the face."""
    mean = unit(around.sum(axis=1, keepdims=True))
    alike = np.einsum("vik,vjk->vij", around, mean) > _CREASE
    return np.where(alike, mean, around)
