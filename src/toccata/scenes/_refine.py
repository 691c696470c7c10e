"""Longest-edge bisection, which refines a closed mesh to an exact number of triangles.

An edge is split only if it is the longest edge of both of its triangles (Rivara 1984). Therefore
angles stay bounded below, and no two edges that are split in one pass share a triangle.
"""

import numpy as np
from numpy.typing import NDArray

from .surface import MeshArrays, as_mesh

Ids = NDArray[np.int64]


def refined(mesh: MeshArrays, count: int) -> MeshArrays:
    """Split the longest edges of a closed mesh at their middles until it has `count` triangles.

    An odd `count` gives one triangle more.
    """
    vertices, faces = mesh[0], mesh[1].astype(np.int64)
    while len(faces) < count:
        vertices, faces = _pass(vertices, faces, (count - len(faces) + 1) // 2)
    return as_mesh(vertices, faces)


def _pass(vertices: NDArray[np.float64], faces: Ids, most: int) -> tuple[NDArray[np.float64], Ids]:
    """Split at most `most` edges, none of them much shorter than the longest edge."""
    ends, edge_of = _edges(faces)
    lengths = np.linalg.norm(vertices[ends[:, 0]] - vertices[ends[:, 1]], axis=1)
    rank = np.empty(len(ends), dtype=np.int64)
    rank[np.argsort(-lengths, kind="stable")] = np.arange(len(ends))
    side = rank[edge_of].argmin(axis=1)
    longest = edge_of[np.arange(len(faces)), side]
    votes = np.bincount(longest, minlength=len(ends))
    chosen = np.flatnonzero((votes == 2) & (lengths > 0.75 * lengths.max()))
    chosen = chosen[np.argsort(rank[chosen])][:most]

    middle = np.full(len(ends), -1, dtype=np.int64)
    middle[chosen] = len(vertices) + np.arange(len(chosen))
    split = np.flatnonzero(middle[longest] >= 0)
    at, new = side[split], middle[longest[split]]
    p, q, apex = (faces[split, (at + k) % 3] for k in range(3))
    faces = faces.copy()
    faces[split] = np.stack([p, new, apex], axis=1)
    added = vertices[ends[chosen]].mean(axis=1)
    return np.concatenate([vertices, added]), np.concatenate([faces, np.stack([new, q, apex], 1)])


def _edges(faces: Ids) -> tuple[Ids, Ids]:
    """Return the undirected edges, (k, 2), and the edges 01, 12 and 20 of each triangle, (m, 3)."""
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    size = int(faces.max()) + 1
    keys, edge_of = np.unique(sides[:, 0] * size + sides[:, 1], return_inverse=True)
    return np.stack(np.divmod(keys, size), axis=1), edge_of.reshape(-1, 3)
