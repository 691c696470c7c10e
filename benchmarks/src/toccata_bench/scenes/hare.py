"""Bunnies of any number of triangles: the Stanford bunny if it is found, or our own."""

from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from toccata import Mesh
from toccata.scenes._refine import refined
from toccata.scenes._tube import limb, pillow
from toccata.scenes.surface import MeshArrays, as_mesh, shifted, turned, union
from toccata_bench.data import find_data


def scan(name: str) -> MeshArrays | None:
    """Return a public mesh by name, or None if its file is not found."""
    found = find_data(f"meshes/{name}.obj")
    if found is None:
        return None
    mesh = Mesh.load(found)
    return as_mesh(mesh.vertices, mesh.faces)


def bunny() -> MeshArrays | None:
    """Return the Stanford bunny (69.5k triangles, open below), or None if it is not found."""
    return scan("bunny")


@lru_cache(maxsize=4)
def hare(count: int) -> MeshArrays:
    """Return a bunny of about `count` triangles, 0.15 m long, centered, with z up.

    It is a coarse Stanford bunny if `bunny` finds the file, else `own_hare`.
    """
    found = bunny()
    return _upright(found, count) if found else own_hare(count)


def _upright(model: MeshArrays, count: int) -> MeshArrays:
    low, high = 1e-4, 0.05
    for _ in range(24):  # the count falls as cells grow
        middle = sqrt(low * high)
        low, high = (low, middle) if len(clustered(model, middle)[1]) <= count else (middle, high)
    coarse = turned(clustered(model, high), "x", np.pi / 2)
    middle_of = (coarse[0].min(axis=0) + coarse[0].max(axis=0)) / 2
    return as_mesh(coarse[0] - middle_of, coarse[1])


def clustered(mesh: MeshArrays, cell: float) -> MeshArrays:
    """Merge all vertices in a cube of side `cell` into their mean.

    Collapsed triangles are dropped, and so are pairs of triangles that coincide.
    """
    vertices, faces = mesh
    cubes = np.floor((vertices - vertices.min(axis=0)) / cell).astype(np.int64)
    _, ids = np.unique(cubes @ np.array([1, 2**20, 2**40]), return_inverse=True)
    size = np.bincount(ids)
    points = np.stack([np.bincount(ids, column) / size for column in vertices.T], axis=1)
    kept: NDArray[np.int64] = ids[faces]
    kept = kept[(kept != np.roll(kept, 1, axis=1)).all(axis=1)]
    _, first, times = np.unique(
        np.sort(kept, axis=1), axis=0, return_index=True, return_counts=True
    )
    kept = kept[np.sort(first[times % 2 == 1])]
    used, corners = np.unique(kept, return_inverse=True)
    return as_mesh(points[used], corners.reshape(-1, 3))


def own_hare(count: int) -> MeshArrays:
    """Return a sitting hare of closed parts with exactly `count` triangles (even, 3000 or more)."""
    ear = limb(0.055, 0.008, 0.011, 16, 12)
    ears = [shifted(turned(ear, "x", 0.3 * side), (0.045, -0.012 * side, 0.05)) for side in (-1, 1)]
    feet = [
        shifted(pillow((0.030, 0.014, 0.012), 2.0, 16, 10), (0.03, y, -0.052))
        for y in (-0.03, 0.03)
    ]
    paws = [shifted(limb(0.04, 0.010, 0.013, 14, 10), (0.052, y, -0.055)) for y in (-0.018, 0.018)]
    parts = [
        pillow((0.060, 0.045, 0.055), 2.2, 32, 22),
        shifted(pillow((0.032, 0.027, 0.028), 2.0, 28, 20), (0.052, 0.0, 0.042)),
        shifted(pillow((0.015, 0.015, 0.015), 2.0, 16, 10), (-0.062, 0.0, -0.025)),
        *ears,
        *feet,
        *paws,
    ]
    return refined(union(*parts), count)
