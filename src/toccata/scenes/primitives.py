"""Simple closed solids, centered at the origin unless their docstrings say otherwise."""

from math import ceil, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .surface import MeshArrays, Points, along, as_mesh, grid_faces, shifted, skin

_BOX_FACES = (
    (0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4),
    (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5),
)  # fmt: skip


def box(extents: ArrayLike = (1.0, 1.0, 1.0)) -> MeshArrays:
    """Return a box of twelve triangles; bit k of a corner's index is its side on axis k."""
    bits = np.arange(8)[:, None] >> np.arange(3) & 1
    return as_mesh((bits - 0.5) * np.asarray(extents, dtype=np.float64), _BOX_FACES)


def plate(width: float = 2.0, depth: float = 2.0, thickness: float = 0.125) -> MeshArrays:
    """Return a slab with its top face in the plane z = 0."""
    return shifted(box((width, depth, thickness)), (0.0, 0.0, -thickness / 2))


def sheet(width: float = 2.0, depth: float = 2.0, thickness: float = 2.0**-10) -> MeshArrays:
    """Return a very thin slab in the plane z = 0, still closed."""
    return box((width, depth, thickness))


def bar(length: float = 2.0, width: float = 0.1, axis: str = "x") -> MeshArrays:
    """Return a bar with a square section along `axis`."""
    return along(box((width, width, length)), axis)


def circle(radius: float, count: int, z: float = 0.0) -> Points:
    """Return points on a horizontal circle, counter-clockwise from the x axis."""
    angle = 2 * pi * np.arange(count) / count
    flat = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.column_stack([flat, np.full(count, z)])


def cylinder(
    radius: float = 0.5, length: float = 1.0, segments: int = 32, axis: str = "z"
) -> MeshArrays:
    """Return a cylinder; with four segments, a bar with its edges in the coordinate planes."""
    step = 2 * pi * radius / segments
    rings = max(1, round(length / step))
    heights = np.linspace(-length / 2, length / 2, rings + 1)
    sides = [circle(radius, segments, z) for z in heights]
    poles = (np.array([[0.0, 0.0, z]]) for z in heights[[0, -1]])
    return along(skin([next(poles), *sides, next(poles)]), axis)


def capsule(
    length: float = 1.0, radius: float = 0.25, segments: int = 24, axis: str = "z"
) -> MeshArrays:
    """Return a cylinder of `length` with a half ball of `radius` at either end."""
    quarter = max(2, segments // 4)
    polar = np.linspace(0.0, pi / 2, quarter + 1)[1:]
    caps = [(radius * np.sin(p), length / 2 + radius * np.cos(p)) for p in polar]
    middle = max(1, ceil(length * segments / (2 * pi * radius)))
    core = [(radius, z) for z in np.linspace(-length / 2, length / 2, middle + 1)[1:-1]]
    profile = [*((r, -z) for r, z in caps), *core, *reversed(caps)]
    top = length / 2 + radius
    rings = [circle(r, segments, z) for r, z in profile]
    return along(skin([np.array([[0.0, 0.0, -top]]), *rings, np.array([[0.0, 0.0, top]])]), axis)


def torus(major: float = 1.0, minor: float = 0.25, nu: int = 48, nv: int = 16) -> MeshArrays:
    """Return a torus about z with `nu` sections of `nv` points each: 2 * nu * nv triangles."""
    u, v = np.meshgrid(2 * pi * np.arange(nu) / nu, 2 * pi * np.arange(nv) / nv, indexing="ij")
    r = major + minor * np.cos(v)
    points = np.stack([r * np.cos(u), r * np.sin(u), minor * np.sin(v)], axis=-1)
    return as_mesh(points.reshape(-1, 3), grid_faces(nu, nv)[:, ::-1])


def icosphere(radius: float = 1.0, subdivisions: int = 3) -> MeshArrays:
    """Return a ball of 20 * 4**subdivisions triangles, with vertices at z = radius and -radius."""
    vertices, faces = icosahedron()
    for _ in range(subdivisions):
        vertices, faces = _quartered(vertices, faces)
        vertices /= np.linalg.norm(vertices, axis=1, keepdims=True)
    return as_mesh(radius * vertices, faces)


def icosahedron() -> tuple[Points, NDArray[np.int64]]:
    """Return the twelve corners of an icosahedron on the unit sphere, and its twenty faces."""
    z = 1 / sqrt(5)
    lower = circle(2 * z, 5, -z)
    upper = lower * (-1.0, -1.0, -1.0)
    vertices = np.concatenate([[[0.0, 0.0, -1.0]], lower, upper, [[0.0, 0.0, 1.0]]])
    # The upper ring is the lower ring after half a turn: its point k is opposite to lower point k.
    i, j = np.arange(5), (np.arange(5) + 1) % 5
    above = 6 + (i + 3) % 5  # the upper point over the lower edge i, j
    after = 6 + (i + 4) % 5  # the next upper point, over the lower point j
    ring = np.stack([1 + i, 1 + j, above, 1 + j, after, above], axis=1).reshape(-1, 3)
    bottom = np.stack([np.zeros(5, dtype=int), 1 + j, 1 + i], axis=1)
    top = np.stack([np.full(5, 11), 6 + i, 6 + j], axis=1)
    return vertices, np.concatenate([bottom, ring, top])


def _quartered(vertices: Points, faces: NDArray[np.int64]) -> tuple[Points, NDArray[np.int64]]:
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    ends, ids = np.unique(sides, axis=0, return_inverse=True)
    middle = len(vertices) + ids.reshape(-1, 3)
    a, b, c = faces.T
    ab, bc, ca = middle.T
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    points = np.concatenate([vertices, vertices[ends].mean(axis=1)])
    return points, np.concatenate([np.stack(part, axis=1) for part in parts])
