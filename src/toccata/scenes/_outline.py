"""Flat outlines, defined by signed distances, and their triangles for panels.

A distance is negative inside. The minimum of two distances is the union of the outlines, the
maximum is the intersection, and adding a constant moves the border inward.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .surface import MeshArrays, as_mesh, boundary

Floats = NDArray[np.float64]
Outline = Callable[[Floats], Floats]
"""Function from points, (n, 2), to signed distances, (n,)."""


def polygon(corners: ArrayLike, radius: float = 0.0) -> Outline:
    """Return a convex polygon, counter-clockwise, with corners rounded by `radius`."""
    tips = np.asarray(corners, dtype=np.float64)
    edges = np.roll(tips, -1, axis=0) - tips
    edges /= np.linalg.norm(edges, axis=1, keepdims=True)
    inward = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
    # Two sides, moved inward by `radius`, meet at the center of the arc at their corner.
    normals = np.stack([np.roll(inward, 1, axis=0), inward], axis=1)
    heights = np.einsum("ijk,ik->ij", normals, tips) + radius
    core = np.linalg.solve(normals, heights[..., None])[..., 0]
    return lambda points: _to_polygon(points, core) - radius


def _to_polygon(points: Floats, corners: Floats) -> Floats:
    """Return the signed distances of points to a convex polygon."""
    edges = np.roll(corners, -1, axis=0) - corners
    arms = points[:, None] - corners
    share = np.clip((arms * edges).sum(axis=2) / (edges**2).sum(axis=1), 0.0, 1.0)
    distance = np.linalg.norm(arms - share[..., None] * edges, axis=2).min(axis=1)
    left = edges[:, 0] * arms[..., 1] - edges[:, 1] * arms[..., 0]
    return np.asarray(np.where((left >= 0).all(axis=1), -distance, distance))


def rectangle(low: ArrayLike, high: ArrayLike, radius: float = 0.0) -> Outline:
    """Return a rectangle from corner to corner, with sides along the axes."""
    (x0, y0), (x1, y1) = np.asarray(low), np.asarray(high)
    return polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], radius)


def disc(center: ArrayLike, radius: float) -> Outline:
    """Return a disc."""
    middle = np.asarray(center, dtype=np.float64)
    return lambda points: np.asarray(np.linalg.norm(points - middle, axis=1) - radius)


def inset(outline: Outline, by: float) -> Outline:
    """Return an outline with its border moved inward, or outward if `by` is negative."""
    return lambda points: outline(points) + by


def cut(outline: Outline, *holes: Outline) -> Outline:
    """Return an outline with holes."""
    return lambda points: np.maximum.reduce(
        [outline(points), *(-hole(points) for hole in holes)],
    )


def shared(*outlines: Outline) -> Outline:
    """Return the intersection of outlines."""
    return lambda points: np.maximum.reduce([outline(points) for outline in outlines])


class Cells(NamedTuple):
    """A grid of square cells from which a flat mesh is cut."""

    low: tuple[float, float]
    high: tuple[float, float]
    size: float


def flat_mesh(outline: Outline, cells: Cells) -> MeshArrays:
    """Return triangles of an outline in the plane z = 0, counter-clockwise.

    Vertices of the grid near the border move to the border, so that no triangle is thin where the
    border is smooth. Sides follow the border within a hundredth of a cell; sharp corners are cut.
    """
    points, faces = _grid(cells)
    values = outline(points)
    near = np.abs(values) < 0.3 * cells.size
    points[near] = _onto_border(outline, points[near], cells.size)
    values[near] = 0.0
    return _curved(outline, _clipped(outline, points, faces, values), cells.size)


def _curved(outline: Outline, mesh: MeshArrays, size: float) -> MeshArrays:
    """Split sides of triangles that are too far from the border."""
    flat, faces = mesh[0][:, :2], mesh[1].astype(np.int64)
    for _ in range(4):
        rim = boundary(faces)
        middle = flat[rim].mean(axis=1)
        far = np.flatnonzero(np.abs(outline(middle)) > 0.01 * size)
        if not len(far):
            break
        new = _onto_border(outline, middle[far], size)
        faces = _split(faces, rim[far], len(flat))
        flat = np.concatenate([flat, new])
    return as_mesh(np.column_stack([flat, np.zeros(len(flat))]), faces)


def _split(faces: NDArray[np.int64], sides: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Split directed sides (a, b) of triangles at new vertices with indices from `count` on."""
    where = {(int(a), int(b)): count + k for k, (a, b) in enumerate(sides)}
    touched = np.isin(faces, sides).sum(axis=1) >= 2
    pieces = [faces[~touched]]
    for face in faces[touched].tolist():
        ring = []
        for a, b in zip(face, face[1:] + face[:1], strict=True):
            ring += [a, *([where[a, b]] if (a, b) in where else [])]
        # The fan starts at a new vertex if there is one, so that no triangle is degenerate.
        first = next((k for k, vertex in enumerate(ring) if vertex >= count), 0)
        ring = ring[first:] + ring[:first]
        pieces.append(np.array([(ring[0], p, q) for p, q in pairwise(ring[1:])]))
    return np.concatenate(pieces)


def _grid(cells: Cells) -> tuple[Floats, NDArray[np.int64]]:
    """Return the points and triangles of the grid, with alternating diagonals."""
    low, high = np.asarray(cells.low), np.asarray(cells.high)
    columns, rows = np.ceil((high - low) / cells.size).astype(int) + 1
    x, y = np.meshgrid(np.arange(columns + 1), np.arange(rows + 1))
    points = low - cells.size / 2 + cells.size * np.stack([x.ravel(), y.ravel()], axis=1)
    i, j = np.meshgrid(np.arange(columns), np.arange(rows))
    a = (j * (columns + 1) + i).ravel()
    b, c, d = a + 1, a + columns + 2, a + columns + 1
    even = ((i + j) % 2 == 0).ravel()
    first = np.where(even, [a, b, c], [a, b, d]).T
    second = np.where(even, [a, c, d], [b, c, d]).T
    return points, np.concatenate([first, second])


def _onto_border(outline: Outline, points: Floats, size: float) -> Floats:
    """Move points along the gradient of the distance, twice, toward distance 0."""
    for _ in range(2):
        value, step = outline(points), 1e-4 * size
        slope = np.stack(
            [(outline(points + shift) - outline(points - shift)) / (2 * step)
             for shift in step * np.eye(2)], axis=1
        )  # fmt: skip
        length = np.maximum((slope**2).sum(axis=1), 0.25)
        points = points - (value / length)[:, None] * slope
    return points


def _clipped(
    outline: Outline, points: Floats, faces: NDArray[np.int64], values: Floats
) -> MeshArrays:
    """Return the parts of triangles where values are negative."""
    signs = np.sign(values[faces]).astype(int)
    middle = outline(points[faces].mean(axis=1))
    kept = (signs.max(axis=1) <= 0) & ((signs.min(axis=1) < 0) | (middle < 0))
    crossed = np.flatnonzero((signs.max(axis=1) > 0) & (signs.min(axis=1) < 0))
    ends = np.sort(faces[crossed][:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    ends = ends[values[ends[:, 0]] * values[ends[:, 1]] < 0]
    keys, where = np.unique(ends[:, 0] * len(points) + ends[:, 1], return_index=True)
    a, b = ends[where].T
    share = values[a] / (values[a] - values[b])
    new = _secant(outline, points[a], points[b], share)
    pieces = [faces[kept]]
    for face in crossed:
        pieces.append(_inside(faces[face], values, keys, len(points)))
    used, ids = np.unique(np.concatenate(pieces), return_inverse=True)
    flat = np.concatenate([points, new])[used]
    return as_mesh(np.column_stack([flat, np.zeros(len(flat))]), ids.reshape(-1, 3))


def _secant(outline: Outline, a: Floats, b: Floats, share: Floats) -> Floats:
    """Return the points of the border between a and b, by bisection of the shares."""
    low, high = np.zeros(len(a)), np.ones(len(a))
    inside = outline(a) < 0 if len(a) else np.zeros(0, dtype=bool)
    for _ in range(12):
        value = outline(a + share[:, None] * (b - a))
        before = (value < 0) == inside
        low, high = np.where(before, share, low), np.where(before, high, share)
        share = (low + high) / 2
    return np.asarray(a + share[:, None] * (b - a))


def _inside(
    face: NDArray[np.int64], values: Floats, keys: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    """Return the triangles of the negative part of a face that the border crosses."""
    corners: list[int] = []
    for p, q in zip(face, np.roll(face, -1), strict=True):
        if values[p] <= 0:
            corners.append(int(p))
        if values[p] * values[q] < 0:
            key = min(p, q) * count + max(p, q)
            corners.append(count + int(np.searchsorted(keys, key)))
    fan = [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    return np.array(fan, dtype=np.int64)
