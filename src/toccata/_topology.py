"""Topology of a deforming mesh: loose edges and points, groups, and origins of vertices."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import MOST_INDEX, Floats, as_indices, as_rows, came, with_rows

Indices = NDArray[np.int32]

NO_INDICES: Indices = np.empty(0, dtype=np.int32)
_NO_EDGES: Indices = np.empty((0, 2), dtype=np.int32)
_NO_TABLE = np.empty((0, 0), dtype=np.bool_)


def read_only(array: Indices) -> Indices:
    """Make an array read-only, because models and answers share it, and return it."""
    array.flags.writeable = False
    return array


def loose_edges(edges: ArrayLike | None, points: ArrayLike | None, vertex_count: int) -> Indices:
    """Return loose edges and points as edges; a point is an edge from a vertex to itself."""
    parts = [_NO_EDGES]
    if edges is not None:
        rows = with_rows("edges", edges, 2)
        parts.append(as_indices("edges", rows, 2, most=vertex_count - 1))
    if points is not None:
        ids = as_rows("points", with_rows("points", points), -1, least=0, most=vertex_count - 1)
        parts.append(np.column_stack([ids, ids]))
    return np.concatenate(parts) if len(parts) > 1 else _NO_EDGES


def numbered_groups(groups: ArrayLike | None, count: int) -> tuple[Indices, Indices]:
    """Return the groups of vertices, numbered from 0, and the name of each number."""
    if groups is None:
        return NO_INDICES, NO_INDICES
    rows = as_rows("groups", groups, count, least=-MOST_INDEX - 1, most=MOST_INDEX)
    names, numbers = np.unique(rows, return_inverse=True)
    return numbers.astype(np.int32), names


def ignored_table(names: Indices, pairs: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    """Return a table that is True for ignored pairs of groups, by their numbers."""
    if not len(names):
        return _NO_TABLE
    numbers = {int(name): i for i, name in enumerate(names)}
    table = np.zeros((len(names), len(names)), dtype=np.bool_)
    for g, h in pairs:
        if g in numbers and h in numbers:  # groups may vanish when the mesh changes
            table[numbers[g], numbers[h]] = table[numbers[h], numbers[g]] = True
    return table


def check_known(names: Indices, pairs: Iterable[tuple[int, int]]) -> None:
    """Raise ValueError for a group without a vertex, which is probably misspelled.

    A mesh without vertices has no groups and is not checked.
    """
    known = set(names.tolist())
    for row, pair in enumerate(pairs):
        if known and (unknown := [name for name in pair if name not in known]):
            missing = f"no vertex has group {unknown[0]}"
            raise ValueError(f"ignored_groups: row {row} is {pair}, but {missing}")


def group_pairs(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return pairs of groups as integers."""
    if isinstance(pairs, str) or not isinstance(pairs, Iterable):
        raise TypeError(f"ignored_groups: expected pairs of groups, got {came(pairs)}")
    rows: list[Any] = list(pairs)
    return [_pair(row, pair) for row, pair in enumerate(rows)]


def _pair(row: int, pair: Any) -> tuple[int, int]:
    try:
        g, h = (index(name) for name in pair)
    except (TypeError, ValueError) as error:
        wanted = f"ignored_groups: expected a pair of integers in row {row}"
        raise type(error)(f"{wanted}, got {came(pair)}") from error
    return g, h


def inherited_origins(origin: Indices, old: Indices) -> tuple[Indices, NDArray[np.intp]]:
    """Return the origins of the vertices of a changed mesh, and the vertices that share an origin.

    Only equality of origins matters. Origins are renumbered from 0, so that they stay below the
    number of vertices however often the mesh changes.

    Args:
        origin: origins of the old vertices.
        old: old vertex of each new vertex, or -1.

    """
    known = old >= 0
    roots = np.empty(len(old), dtype=np.int64)
    roots[known] = origin[old[known]]
    fresh = roots[known].max(initial=-1) + 1
    roots[~known] = np.arange(fresh, fresh + np.count_nonzero(~known))
    counts = np.bincount(roots)
    numbers = np.cumsum(counts > 0) - 1
    return numbers[roots].astype(np.int32), np.flatnonzero(counts[roots] > 1)


def origins_at(
    before: Floats, after: Floats, roots: Indices | None = None
) -> tuple[Indices, NDArray[np.bool_]]:
    """Return an old vertex at the position of each new vertex, or -1, and whether there is one.

    Several old vertices may be at one position. If their `roots` differ, the new vertex gets none
    of them: with a wrong origin it would count as one vertex with a neighbor that it touches, and
    their contact would be missed.
    """
    both = np.concatenate([before, after])
    order = np.lexsort(both.T)  # equal rows become neighbors
    sorted_rows = both[order]
    fresh = np.ones(len(both), dtype=np.bool_)
    fresh[1:] = (sorted_rows[1:] != sorted_rows[:-1]).any(axis=1)
    position = np.empty(len(both), dtype=np.intp)
    position[order] = np.cumsum(fresh) - 1
    old, new = position[: len(before)], position[len(before) :]
    owner = np.full(np.count_nonzero(fresh), -1, dtype=np.int32)
    owner[old[::-1]] = np.arange(len(before))[::-1]  # the lowest of several, which comes last
    origin, found = owner[new], owner[new] >= 0
    if roots is not None:
        unclear = np.zeros(len(owner), dtype=np.bool_)
        unclear[old[roots != roots[owner[old]]]] = True
        origin[unclear[new]] = -1
    return origin, found


def identity(vertices: Floats, origin: Indices, twins: NDArray[np.intp]) -> Indices:
    """Return a number for each vertex, equal for vertices with equal origins and coordinates.

    The array is empty if there are no twins.
    """
    if not len(twins):
        return NO_INDICES
    # Equal rows become neighbors, sorted by vertex.
    twins = twins[np.lexsort((*vertices[twins].T, origin[twins]))]
    root, position = origin[twins], vertices[twins]
    fresh = np.ones(len(twins), dtype=np.bool_)
    fresh[1:] = (root[1:] != root[:-1]) | (position[1:] != position[:-1]).any(axis=1)
    numbers = np.arange(len(origin), dtype=np.int32)
    numbers[twins] = twins[fresh][np.cumsum(fresh) - 1]
    return numbers
