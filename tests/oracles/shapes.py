"""Small meshes to move about, and poses to put them at."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]
Faces = NDArray[np.int32]
Shape = tuple[Points, Faces]


def box(size: ArrayLike = (1, 1, 1)) -> Shape:
    """A box about the origin, 12 triangles, outward normals."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [(q[0], q[1], q[2]) for q in quads] + [(q[0], q[2], q[3]) for q in quads]
    return signs * np.asarray(size, dtype=float) / 2, np.array(faces, dtype=np.int32)


def tetrahedron(size: float = 1.0) -> Shape:
    """A regular tetrahedron about the origin, 4 triangles, outward normals."""
    points = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], dtype=float)
    faces = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]], dtype=np.int32)
    return points * (size / 2), faces


def wedge(thickness: float = 0.05) -> Shape:
    """A thin wedge with a knife edge along y at the origin, 8 triangles, outward normals."""
    h = thickness / 2
    points = [(0, -0.5, 0), (0, 0.5, 0), (1, -0.5, h), (1, 0.5, h), (1, -0.5, -h), (1, 0.5, -h)]
    faces = [(0, 2, 3), (0, 3, 1), (0, 1, 5), (0, 5, 4), (2, 4, 5), (2, 5, 3), (0, 4, 2), (1, 3, 5)]
    return np.array(points, dtype=float), np.array(faces, dtype=np.int32)


def triangle(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> Shape:
    """One triangle; equal corners make it a segment or a point."""
    return np.array([a, b, c], dtype=float), np.array([[0, 1, 2]], dtype=np.int32)


def sphere(rings: int = 8, sectors: int = 12) -> Shape:
    """A sphere of radius one half, in latitude rings, outward normals."""
    polar = np.pi * np.arange(1, rings) / rings
    around = 2 * np.pi * np.arange(sectors) / sectors
    belt = [
        (np.sin(p) * np.cos(q), np.sin(p) * np.sin(q), np.cos(p)) for p in polar for q in around
    ]
    points = np.array([(0, 0, 1), *belt, (0, 0, -1)], dtype=float) / 2
    last = len(points) - 1
    faces = []
    for k in range(sectors):
        n = (k + 1) % sectors
        faces += [(0, 1 + k, 1 + n), (last, last - sectors + n, last - sectors + k)]
        for row in range(rings - 2):
            i, j = 1 + row * sectors, 1 + (row + 1) * sectors
            faces += [(i + k, j + k, j + n), (i + k, j + n, i + n)]
    return points, np.array(faces, dtype=np.int32)


def pose(translation: ArrayLike = (0, 0, 0), rotation: ArrayLike | None = None) -> Points:
    """A (4, 4) pose from a translation and a rotation matrix."""
    result = np.eye(4)
    result[:3, 3] = translation
    if rotation is not None:
        result[:3, :3] = rotation
    return result


def random_rotation(rng: np.random.Generator) -> Points:
    """A rotation drawn uniformly (a normalized Gaussian quaternion)."""
    w, x, y, z = (q := rng.normal(size=4)) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def random_pose(rng: np.random.Generator, spread: float) -> Points:
    """A pose with uniform rotation and Gaussian translation."""
    return pose(rng.normal(size=3) * spread, random_rotation(rng))
