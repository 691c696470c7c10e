"""Connected components of a mesh, cuts, and crossings of edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._topology import origins_at

Indices = NDArray[np.integer[Any]]


def edges_of(faces: Indices) -> tuple[Indices, Indices]:
    """Return the edges, (e, 2), each with the lower vertex first, and their numbers of faces."""
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    found, count = np.unique(sides, axis=0, return_counts=True)
    return found, count


def pieces(faces: Indices, count: int) -> Indices:
    """Return the component of each of `count` vertices. Component 0 is the largest component.

    In each round, every vertex v takes the least index i of its neighbors, and then the index of
    vertex i. Each round therefore doubles the distance over which indices spread.
    """
    edges = edges_of(faces)[0]
    index = np.arange(count)
    while True:
        before = index.copy()
        np.minimum.at(index, edges[:, 0], before[edges[:, 1]])
        np.minimum.at(index, edges[:, 1], before[edges[:, 0]])
        index = index[index]
        if (index == before).all():
            break
    _, piece, sizes = np.unique(index, return_inverse=True, return_counts=True)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return np.asarray(rank[piece])


def cut_edges(before: Indices, after: Indices, origin: Indices) -> Indices:
    """Return the boundary edges of the new mesh that were inner edges of the old mesh, (k, 2).

    `origin` maps each vertex of the new mesh to a vertex of the old mesh, or to -1.
    """
    edges, count = edges_of(after)
    border = edges[count == 1]
    old, faces = edges_of(before)
    inner = old[faces > 1]
    was = np.sort(origin[border], axis=1)
    width = int(before.max(initial=0)) + 2
    known = (was >= 0).all(axis=1) & (was < width).all(axis=1)
    keys = inner[:, 0].astype(np.int64) * width + inner[:, 1]
    return np.asarray(border[known & np.isin(was[:, 0].astype(np.int64) * width + was[:, 1], keys)])


def matched(before: Floats, after: Floats) -> Indices:
    """Return the old vertex at the position of each new vertex, or -1."""
    return origins_at(before, after)[0]


def crossings(ends: Floats) -> Floats:
    """Return the midpoints between closest points of pairs of segments, for ends (k, 4, 3)."""
    a, b = ends[:, 1] - ends[:, 0], ends[:, 3] - ends[:, 2]
    between = ends[:, 2] - ends[:, 0]
    aa, bb, ab = (np.einsum("ki,ki->k", x, y) for x, y in ((a, a), (b, b), (a, b)))
    a_gap, b_gap = np.einsum("ki,ki->k", a, between), np.einsum("ki,ki->k", b, between)
    area = aa * bb - ab * ab
    flat = area <= 1e-12 * aa * bb
    s = np.where(flat, 0.5, (bb * a_gap - ab * b_gap) / np.where(flat, 1.0, area))
    s = np.clip(s, 0.0, 1.0)
    t = np.clip((s * ab - b_gap) / np.where(bb > 0, bb, 1.0), 0.0, 1.0)
    points = ends[:, 0] + s[:, None] * a, ends[:, 2] + t[:, None] * b
    return np.asarray((points[0] + points[1]) / 2)
