"""Normals at the corners of triangles: smooth over gentle bends, sharp at creases."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_CREASE = np.cos(np.radians(38.0))
_MOST_COMPARED = 24
"""Largest number of triangles around a vertex that are compared pair by pair."""
_MOST_SPLIT = 300_000
"""Largest number of triangles of a mesh that is split at creases."""


def face_normals(vertices: Array, faces: Indices) -> Array:
    """Return the unit normals of triangles, (m, 3); zero for triangles without area."""
    a, b, c = vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]
    return unit(np.cross(b - a, c - a))


def corner_normals(vertices: Array, faces: Indices) -> Array:
    """Return a unit normal at each corner of each face, (m, 3, 3).

    Each normal is the mean of face normals around the vertex. Only normals within the crease angle
    of the face's own normal are included.
    """
    normals = face_normals(vertices, faces)
    position = _position_ids(vertices)[faces].ravel()
    order = np.argsort(position, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(position[order]) != 0])
    counts = np.diff(np.r_[starts, len(order)])
    own = normals[order // 3]
    smooth = own.copy()
    for valence in np.unique(counts):
        rows = starts[counts == valence][:, None] + np.arange(valence)
        smooth[rows] = _smoothed(own[rows])
    corners = np.empty_like(smooth)
    corners[order] = unit(smooth)
    return corners.reshape(-1, 3, 3)


def _smoothed(around: Array) -> Array:
    """Return sums of normals within the crease angle, for (v, k, 3) normals around v vertices."""
    if around.shape[1] <= _MOST_COMPARED:
        alike = np.einsum("vik,vjk->vij", around, around) > _CREASE
        return np.asarray(alike.astype(np.float64) @ around)
    # If many triangles meet at a vertex, their mean normal replaces normals that are similar to it.
    mean = unit(around.sum(axis=1, keepdims=True))
    alike = np.einsum("vik,vjk->vij", around, mean) > _CREASE
    return np.where(alike, mean, around)


def smooth_mesh(vertices: Array, faces: Indices) -> tuple[Array, Indices, Indices]:
    """Split vertices at creases, so that normals averaged at vertices look right.

    Return vertices, faces, and the original vertex of each vertex. Triangles of a soup, which share
    no vertices, are joined at smooth edges.
    """
    if not len(faces) or len(faces) > _MOST_SPLIT:
        return vertices, faces, np.arange(len(vertices))
    normals = np.rint(corner_normals(vertices, faces).reshape(-1, 3) * 1e4)
    corners = faces.reshape(-1)
    is_soup = len(np.unique(corners)) == len(corners)
    where = vertices[corners] if is_soup else corners[:, None]
    _, first, index = np.unique(
        np.column_stack([where, normals]), axis=0, return_index=True, return_inverse=True
    )
    return vertices[corners[first]], index.reshape(-1, 3), corners[first]


def unit(vectors: Array) -> Array:
    """Scale vectors along the last axis to length one; zero vectors stay zero."""
    length = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    return np.asarray(vectors / np.where(length > 0, length, 1.0))


def _position_ids(vertices: Array) -> Indices:
    """Return an id of each vertex; vertices at equal positions have equal ids."""
    order = np.lexsort(vertices.T)
    sorted_vertices = vertices[order]
    fresh = np.r_[True, (np.diff(sorted_vertices, axis=0) != 0).any(axis=1)]
    ids = np.empty(len(vertices), dtype=np.int64)
    ids[order] = np.cumsum(fresh) - 1
    return ids
