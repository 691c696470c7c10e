"""Triangle surfaces as arrays, and the operations that make all models."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]
Faces = NDArray[np.int32]
MeshArrays = tuple[Points, Faces]
"""Vertices, (n, 3), and faces, (m, 3), counter-clockwise seen from outside."""


def as_mesh(vertices: ArrayLike, faces: ArrayLike) -> MeshArrays:
    """Return both arrays contiguous and in the types that `toccata.Mesh` takes."""
    points = np.ascontiguousarray(vertices, dtype=np.float64)
    return points, np.ascontiguousarray(faces, dtype=np.int32)


def union(*meshes: MeshArrays) -> MeshArrays:
    """Join several meshes without welding or cutting them."""
    counts = [len(vertices) for vertices, _ in meshes]
    offsets = np.cumsum([0, *counts[:-1]])
    faces = [faces + offset for (_, faces), offset in zip(meshes, offsets, strict=True)]
    return as_mesh(np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(faces))


def shifted(mesh: MeshArrays, offset: ArrayLike) -> MeshArrays:
    """Move a mesh by `offset`."""
    return mesh[0] + np.asarray(offset, dtype=np.float64), mesh[1]


def along(mesh: MeshArrays, axis: str) -> MeshArrays:
    """Turn a mesh from the z axis to `axis` by a permutation of its coordinates."""
    return np.ascontiguousarray(np.roll(mesh[0], "zxy".index(axis), axis=1)), mesh[1]


def turned(mesh: MeshArrays, axis: str, angle: float) -> MeshArrays:
    """Rotate a mesh about a coordinate axis through the origin, counter-clockwise."""
    i = ("xyz".index(axis) + 1) % 3
    j = (i + 1) % 3
    vertices = mesh[0].copy()
    c, s = np.cos(angle), np.sin(angle)
    vertices[:, i] = c * mesh[0][:, i] - s * mesh[0][:, j]
    vertices[:, j] = s * mesh[0][:, i] + c * mesh[0][:, j]
    return vertices, mesh[1]


def unit(vertices: Points, faces: Faces) -> MeshArrays:
    """Center a mesh on a nearly minimal bounding sphere, and scale this sphere to radius 1.

    The center starts at the middle of the bounding box and moves toward the farthest vertex
    (Badoiu and Clarkson). The best center is used, so a symmetric model keeps its exact center.
    """
    center = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
    best, best_radius = center, np.inf
    for step in range(2, 34):
        squares = np.einsum("ij,ij->i", vertices - center, vertices - center)
        far = int(squares.argmax())
        if squares[far] < best_radius:
            best, best_radius = center, float(squares[far])
        center = center + (vertices[far] - center) / step**1.5
    centered = vertices - best
    return as_mesh(centered / np.linalg.norm(centered, axis=1).max(), faces)


def ring_faces(count_a: int, count_b: int) -> Faces:
    """Return triangles between ring a (indices from 0) and ring b above it (from `count_a` on).

    Both rings run counter-clockwise from the same angle. They may have any size; a ring of one
    point is a pole. The segments of both rings are visited in the order of their middles, which
    keeps the triangles as even as possible.
    """
    steps_a = np.arange(count_a) if count_a > 1 else np.empty(0, dtype=int)
    steps_b = np.arange(count_b) if count_b > 1 else np.empty(0, dtype=int)
    moments = np.concatenate([(steps_a + 0.5) / count_a, (steps_b + 0.5) / count_b])
    order = np.argsort(moments, kind="stable")
    is_a = order < len(steps_a)
    at_a = (np.cumsum(is_a) - is_a) % count_a
    at_b = (np.cumsum(~is_a) - ~is_a) % count_b
    step = np.where(is_a, (at_a + 1) % count_a, count_a + (at_b + 1) % count_b)
    return np.stack([at_a, step, count_a + at_b], axis=1).astype(np.int32)


def skin(rings: Sequence[Points]) -> MeshArrays:
    """Return a closed surface through rings, (n_i, 3), from bottom to top, between two poles."""
    sizes = [len(ring) for ring in rings]
    starts = np.cumsum([0, *sizes])
    strips = [
        ring_faces(lower, upper) + start
        for lower, upper, start in zip(sizes, sizes[1:], starts, strict=False)
    ]
    return as_mesh(np.concatenate(rings), np.concatenate(strips))


def grid_faces(rows: int, columns: int) -> Faces:
    """Return triangles of a grid that is closed in both directions; indices run along the rows."""
    row, column = np.divmod(np.arange(rows * columns), columns)
    up, right = (row + 1) % rows, (column + 1) % columns
    here, east = row * columns + column, row * columns + right
    north, corner = up * columns + column, up * columns + right
    cells = np.stack([here, east, corner, here, corner, north], axis=1)
    return cells.reshape(-1, 3).astype(np.int32)


def patch_faces(ids: NDArray[np.int_]) -> NDArray[np.int_]:
    """Return triangles of an open grid of vertex indices, (rows, columns), two for each cell."""
    here, east = ids[:-1, :-1].ravel(), ids[:-1, 1:].ravel()
    north, corner = ids[1:, :-1].ravel(), ids[1:, 1:].ravel()
    return np.stack([here, east, corner, here, corner, north], axis=1).reshape(-1, 3)


def extrude(outline: MeshArrays, half_height: ArrayLike, layers: int = 1) -> MeshArrays:
    """Extend a flat mesh (z ignored, faces counter-clockwise) to -half_height..half_height.

    `half_height` is one number, or a number for each vertex. The walls have `layers` rows of cells.
    """
    flat, faces = outline
    count = len(flat)
    height = np.broadcast_to(np.asarray(half_height, dtype=np.float64), count)
    rim = boundary(faces)
    inner = np.unique(rim)
    levels = np.linspace(-1.0, 1.0, layers + 1)
    rows = [np.arange(count), *(np.zeros(count, dtype=int) for _ in levels[1:-1])]
    points = [np.column_stack([flat[:, :2], -height])]
    for k, level in enumerate(levels[1:-1]):
        rows[k + 1][inner] = count + k * len(inner) + np.arange(len(inner))
        points.append(np.column_stack([flat[inner, :2], level * height[inner]]))
    points.append(np.column_stack([flat[:, :2], height]))
    rows.append(np.arange(count) + sum(len(p) for p in points[:-1]))
    walls = [
        np.concatenate(
            [
                np.stack([low[rim[:, 0]], low[rim[:, 1]], high[rim[:, 1]]], axis=1),
                np.stack([low[rim[:, 0]], high[rim[:, 1]], high[rim[:, 0]]], axis=1),
            ]
        )
        for low, high in pairwise(rows)
    ]
    sides = [faces[:, ::-1], rows[-1][faces]]
    return as_mesh(np.concatenate(points), np.concatenate([*sides, *walls]))


def boundary(faces: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the directed edges that belong to only one triangle, (k, 2)."""
    edges = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64)
    size = int(edges.max()) + 1
    key, reverse = edges[:, 0] * size + edges[:, 1], edges[:, 1] * size + edges[:, 0]
    return edges[~np.isin(key, reverse)]
