"""Bodies with fewer triangles, for small pictures of large meshes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata.view._items import Body

MOST_TRIANGLES = 60_000
_PER_CELL = 12
"""Triangles of a surface per square of cells. A grid with n cells per axis leaves n² times as many
triangles."""


def simplified(bodies: Sequence[Body], most: int = MOST_TRIANGLES) -> list[Body]:
    """Return rigid bodies with about `most` triangles in total, reduced in equal proportion."""
    total = sum(len(body.faces) for body in bodies)
    if total <= most:
        return [*bodies]
    known: dict[tuple[int, int], tuple[Floats, NDArray[np.int64]]] = {}
    found = []
    for body in bodies:
        key = id(body.vertices), id(body.faces)
        if key not in known:
            share = max(most * len(body.faces) // total, 12)
            known[key] = clustered(np.asarray(body.vertices), body.faces, share)
        vertices, faces = known[key]
        found.append(replace(body, vertices=vertices, faces=faces))
    return found


def clustered(
    vertices: Floats, faces: NDArray[np.integer[Any]], most: int
) -> tuple[Floats, NDArray[np.int64]]:
    """Return a mesh of at most `most` triangles. The vertices in a grid cell become their mean.

    Triangles that do not collapse, such as those of a soup, are thinned out evenly.
    """
    if len(faces) <= most:
        return vertices, faces.astype(np.int64)
    low, size = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max()) or 1.0
    cells = max(2, round((most / _PER_CELL) ** 0.5))
    grid = np.minimum(((vertices - low) * (cells / size)).astype(np.int64), cells - 1)
    _, cell = np.unique(grid @ np.array([cells * cells, cells, 1]), return_inverse=True)
    count = np.bincount(cell)
    means = np.stack([np.bincount(cell, axis) / count for axis in vertices.T], axis=1)
    kept = np.sort(cell[faces], axis=1)
    flat = (kept[:, 0] == kept[:, 1]) | (kept[:, 1] == kept[:, 2])
    _, first = np.unique(kept[~flat], axis=0, return_index=True)
    left = cell[faces][~flat][np.sort(first)]
    return means, left[:: 1 + len(left) // most]
