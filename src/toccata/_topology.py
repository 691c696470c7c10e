"""What callers say of the topology of a deforming mesh, checked: faces, loose features, groups."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import MOST_INDEX, Floats, as_indices, as_rows, with_rows

Indices = NDArray[np.int32]

NO_INDICES: Indices = np.empty(0, dtype=np.int32)
_NO_EDGES: Indices = np.empty((0, 2), dtype=np.int32)
_NO_TABLE = np.empty((0, 0), dtype=np.bool_)


def read_only(array: Indices) -> Indices:
    """Return the array after locking it: models and answers share it."""
    array.flags.writeable = False
    return array


def loose_edges(edges: ArrayLike | None, points: ArrayLike | None, vertex_count: int) -> Indices:
    """Return loose edges and points as edges; a point is an edge without length."""
    parts = [_NO_EDGES]
    if edges is not None:
        rows = with_rows("edges", edges, 2)
        parts.append(as_indices("edges", rows, 2, most=vertex_count - 1))
    if points is not None:
        rows = with_rows("points", points)
        if rows.ndim != 1:
            raise ValueError(f"points: expected shape (n,), got {rows.shape}")
        ids = as_rows("points", rows, len(rows), least=0, most=vertex_count - 1)
        parts.append(np.column_stack([ids, ids]))
    return np.concatenate(parts) if len(parts) > 1 else _NO_EDGES


def numbered_groups(groups: ArrayLike | None, count: int) -> tuple[Indices, Indices]:
    """Return groups as numbers from 0 on, and the name of each number."""
    if groups is None:
        return NO_INDICES, NO_INDICES
    rows = as_rows("groups", groups, count, least=-MOST_INDEX - 1, most=MOST_INDEX)
    names, numbers = np.unique(rows, return_inverse=True)
    return numbers.astype(np.int32), names


def ignored_table(names: Indices, pairs: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    """Return which groups, by their numbers, are not tested against each other."""
    if not len(names):
        return _NO_TABLE
    numbers = {int(name): i for i, name in enumerate(names)}
    table = np.zeros((len(names), len(names)), dtype=np.bool_)
    for g, h in pairs:
        if g in numbers and h in numbers:  # a group may vanish when the mesh changes
            table[numbers[g], numbers[h]] = table[numbers[h], numbers[g]] = True
    return table


def check_known(names: Indices, pairs: Iterable[tuple[int, int]]) -> None:
    """Raise for a group that no vertex is in: a slip would ignore nothing, and go unseen.

    A mesh without vertices knows no groups yet.
    """
    known = set(names.tolist())
    for row, pair in enumerate(pairs):
        if known and (unknown := [name for name in pair if name not in known]):
            raise ValueError(f"ignored_groups: row {row} is {pair}, no vertex is in {unknown[0]}")


def group_pairs(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return pairs of names of groups."""
    try:
        rows: list[Any] = list(pairs)
    except TypeError as error:
        raise ValueError(f"ignored_groups: expected pairs of groups, got {pairs!r}") from error
    return [_pair(row, pair) for row, pair in enumerate(rows)]


def _pair(row: int, pair: Any) -> tuple[int, int]:
    try:
        g, h = (index(name) for name in pair)
    except (TypeError, ValueError) as error:  # no integers, or not two of them
        wanted = "expected a pair of groups"
        raise ValueError(f"ignored_groups: row {row} is {pair!r}, {wanted}") from error
    return g, h


def inherited_origins(origin: Indices, old: Indices) -> tuple[Indices, NDArray[np.intp]]:
    """Return the origins of vertices that come from `old` ones, or from none (-1), and the twins.

    Twins share an origin. Nothing else about origins matters, so that they are numbered anew, from
    0 on: their numbers stay below the number of vertices, however often a mesh changes.
    """
    known = old >= 0
    roots = np.empty(len(old), dtype=np.int64)
    roots[known] = origin[old[known]]
    fresh = roots[known].max(initial=-1) + 1
    roots[~known] = np.arange(fresh, fresh + np.count_nonzero(~known))
    counts = np.bincount(roots)
    numbers = np.cumsum(counts > 0) - 1
    return numbers[roots].astype(np.int32), np.flatnonzero(counts[roots] > 1)


def identity(vertices: Floats, origin: Indices, twins: NDArray[np.intp]) -> Indices:
    """Return vertices of one origin at one place under one number; empty if all differ."""
    if not len(twins):
        return NO_INDICES
    # Equal rows one after the other, each of them in the order of vertices.
    twins = twins[np.lexsort((*vertices[twins].T, origin[twins]))]
    root, place = origin[twins], vertices[twins]
    fresh = np.ones(len(twins), dtype=np.bool_)
    fresh[1:] = (root[1:] != root[:-1]) | (place[1:] != place[:-1]).any(axis=1)
    numbers = np.arange(len(origin), dtype=np.int32)
    numbers[twins] = twins[fresh][np.cumsum(fresh) - 1]
    return numbers
