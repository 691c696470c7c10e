"""Seeded elementary queries, each hard for the reason in its name.

A maker returns n queries of one kind as two (n, 4, 3) arrays. Most are built from small dyadic
numbers, so the property in the name (coplanar, touching at the end, missing by one unit in the last
place) is exact in doubles. `disguised` hides the axes: it multiplies by an integer matrix and adds
a common motion, both without rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .linear_features import Kind, touching

Array = NDArray[np.float64]
Ends = tuple[Array, Array]
Maker = Callable[[np.random.Generator, int, Kind], Ends]
MISSES = (2.0**-52, 2.0**-45, 2.0**-38, 2.0**-30, 2.0**-24)


@dataclass(frozen=True)
class Sample:
    """Queries of one kind under a name."""

    name: str
    kind: Kind
    start: Array
    end: Array

    def hit_rate(self) -> float:
        """Return the exact fraction of the queries that touch."""
        return float(touching(self.kind, self.start, self.end).mean())


def sample(name: str, kind: Kind, count: int, seed: int = 0) -> Sample:
    """Draw queries by the name of their maker."""
    number = [*MAKERS].index(name) * 2 + (kind == "edge-edge")
    return Sample(name, kind, *MAKERS[name](np.random.default_rng((seed, number)), count, kind))


def grid(rng: np.random.Generator, n: int, reach: int = 2, parts: int = 1) -> Array:
    """Draw points whose coordinates are small multiples of 1 / parts."""
    return rng.integers(-reach * parts, reach * parts + 1, size=(n, 4, 3)) / parts


def disguised(rng: np.random.Generator, ends: Ends) -> Ends:
    """Shear, mirror and move queries without rounding."""
    n = len(ends[0])
    matrix = rng.integers(-3, 4, size=(n, 3, 3)).astype(float)
    matrix[np.abs(np.linalg.det(matrix)) < 0.5] = np.eye(3)
    moves = rng.integers(-4, 5, size=(2, n, 1, 3)) / 2
    start, end = (
        np.einsum("nij,nkj->nki", matrix, x) + m for x, m in zip(ends, moves, strict=True)
    )
    return start, end


def touching_points(rng: np.random.Generator, n: int, kind: Kind, slack: float = 0.0) -> Array:
    """Draw features in the plane z = 0 that touch at one point, exactly (quarters are).

    With slack the point may be beside them by that part of their size.
    """
    x = rng.integers(-8, 9, size=(n, 4, 3)) / 4.0
    x[:, :, 2] = 0.0
    weights = rng.integers(0, 5, size=(n, 2)) / 4
    over = weights.sum(axis=1) > 1
    weights[over] = 1 - weights[over]
    weights += np.round(rng.uniform(-slack, slack, size=(n, 2)) * 4) / 4
    u, v = weights[:, :1], weights[:, 1:]
    if kind == "vertex-face":
        x[:, 0] = x[:, 1] + u * (x[:, 2] - x[:, 1]) + v * (x[:, 3] - x[:, 1])
    else:
        point = x[:, 0] + u * (x[:, 1] - x[:, 0])
        x[:, 2] += point - (x[:, 2] + v * (x[:, 3] - x[:, 2]))
        x[:, 3] = x[:, 2] + (x[:, 3] - x[:, 2])
    return x


def anywhere(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Return random frames for start and end: fast motions that mostly miss."""
    start, end = rng.uniform(-1, 1, size=(2, n, 4, 3))
    return start, end


def aimed(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Return features that pass through or close to each other at a random time."""
    x = touching_points(rng, n, kind, slack=0.5) + rng.normal(size=(n, 4, 3)) * 1e-9
    x = np.einsum("nij,nkj->nki", rng.normal(size=(n, 3, 3)), x)
    speed, t = rng.normal(size=(n, 4, 3)), rng.uniform(0, 1, size=(n, 1, 1))
    return x - t * speed, x + (1 - t) * speed


def grazing(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Contact on the rim of a feature, or at a vertex: rounding decides which side it is."""
    x = touching_points(rng, n, kind)
    first = 1 if kind == "vertex-face" else 0
    rim = rng.integers(0, 3, size=n)
    x[rim == 0, first] = x[rim == 0, 0] if kind == "vertex-face" else x[rim == 0, 2]
    x = np.einsum("nij,nkj->nki", rng.normal(size=(n, 3, 3)), x)
    speed, t = rng.normal(size=(n, 4, 3)), rng.uniform(0, 1, size=(n, 1, 1))
    return x - t * speed, x + (1 - t) * speed


def lattice(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Integer coordinates from -2 to 2: every coincidence there is, exactly."""
    return grid(rng, n), grid(rng, n)


def coplanar(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Four points that stay in one moving plane."""
    ends = grid(rng, n, 2, 2), grid(rng, n, 2, 2)
    for x in ends:
        x[:, :, 2] = 0.0
    return disguised(rng, ends)


def collinear(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Four points that stay on one moving line."""
    ends = grid(rng, n, 3, 2), grid(rng, n, 3, 2)
    beside = rng.choice([0.0, 3.0], size=(n, 1), p=[0.3, 0.7])
    for x in ends:
        x[:, :, 1:] = 0.0
        x[:, : 1 if kind == "vertex-face" else 2, 0] += beside * rng.choice([1, 2])
    return disguised(rng, ends)


def parallel(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Parallel edges, and vertices that slide in the plane of a face or fall flat on it."""
    start = touching_points(rng, n, kind, slack=0.75)
    if kind == "edge-edge":
        start[:, 0], start[:, 1] = [0, 0, 0], [1, 0, 0]
        start[:, 2] = rng.integers(-4, 5, size=(n, 3)) / 2 * [1, 0, 0]
        start[:, 3] = start[:, 2] + rng.choice([-2, -1, 1, 2], size=(n, 1)) * [1, 0, 0]
    offset = rng.integers(-1, 2, size=(n, 1, 3)) * [1.0, 1, 2]
    # Half of the motions pass straight through the point of contact, the others beside it.
    through = rng.choice([1.0, 2.0, 4.0], size=(n, 1, 1)) * offset
    move = np.where(rng.random((n, 1, 1)) < 0.5, through, rng.integers(-2, 3, size=(n, 1, 3)))
    side = slice(0, 1) if kind == "vertex-face" else slice(0, 2)
    start[:, side] += offset
    end = start.copy()
    end[:, side] -= move
    return disguised(rng, (start, end))


def slivers(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Return faces with almost no area and almost parallel edges that pass each other."""
    x = touching_points(rng, n, kind, slack=0.25)
    x[:, :, 1] *= 2.0 ** -rng.integers(10, 40, size=(n, 1))
    speed = rng.integers(-4, 5, size=(n, 4, 3)) / 4.0
    speed[:, :, :2] *= rng.integers(0, 2, size=(n, 1, 1))
    t = rng.integers(0, 9, size=(n, 1, 1)) / 8
    return x - t * speed, x + (1 - t) * speed


def degenerate(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Faces without area and edges without length, at the start, at the end or all the time."""
    start, end = grid(rng, n, 2), grid(rng, n, 2)
    which = rng.integers(0, 3, size=n)
    a, b = (2, 3) if kind == "edge-edge" else (1, 2)
    for x, kinds in ((start, (0, 2)), (end, (1, 2))):
        flat = np.isin(which, kinds)
        x[flat, b] = x[flat, a]
        if kind == "vertex-face":
            line = flat & (rng.random(n) < 0.5)
            x[line, b] = 2 * x[line, a] - x[line, 3]
    aim = rng.random(n) < 0.5
    middle = (start[aim, a] + end[aim, a]) / 2
    start[aim, 0], end[aim, 0] = middle - [0, 1, 0], middle + [0, 1, 0]
    return start, end


def still(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """No motion: touching or not, or a common motion that is not relative."""
    x = touching_points(rng, n, kind, slack=0.5)
    x[rng.random(n) < 0.3, 0, 2] = 2.0**-20
    _, end = disguised(rng, (x, x))
    return end, end + rng.integers(0, 2, size=(n, 1, 1)) * rng.integers(-2, 3, size=(n, 1, 3))


def at_the_start(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Contact at 0, then apart: reported at 0 exactly, or nothing if the point is beside."""
    x = touching_points(rng, n, kind, slack=0.3)
    away = np.zeros((n, 4, 3))
    away[:, : 1 if kind == "vertex-face" else 2, 2] = rng.integers(1, 4, size=(n, 1))
    sideways = rng.integers(-1, 2, size=(n, 4, 3)) * [1, 1, 0]
    return disguised(rng, (x, x + away + sideways * rng.integers(0, 2, size=(n, 1, 1))))


def at_the_end(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Contact at 1 and not before."""
    start, end = at_the_start(rng, n, kind)
    return end, start


def near_misses(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Contact at the end, or while sliding, missed or made by one unit to 6e-8."""
    x = touching_points(rng, n, kind)
    gap = rng.choice(MISSES, size=n) * rng.choice([-1, 1], size=n)
    from_above, to = x.copy(), x.copy()
    side = slice(0, 1) if kind == "vertex-face" else slice(0, 2)
    slides = rng.random(n) < 0.3
    from_above[:, side, 2] += np.where(slides, np.maximum(gap, 0), 1.0)[:, None]
    to[:, side, 2] += gap[:, None]
    to[slides, side, 0] += 0.25
    return from_above, to


def kissing(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """The cubic has a double root: touch and go, missed or cut by a little in two thirds."""
    tau = rng.choice([0.25, 0.5, 0.75], size=n)
    bend = rng.choice([-1.0, 1.0, 0.5], size=n)
    delta = rng.choice([*MISSES, 0.0, 0.0], size=n) * rng.choice([-1, 1], size=n)
    ends = []
    for t in (0.0, 1.0):
        s, zero = t - tau, np.zeros(n)
        if kind == "vertex-face":
            # Height of the vertex over the face: s / 4 - s (1 / 4 + bend s) + delta.
            columns = [
                (zero + 0.25, 0.25 + bend * s, 0.25 * s + delta),
                (zero, zero, zero),
                (zero + 1, zero, zero),
                (zero, zero + 1, s),
            ]
        else:
            # Height of the second edge where it crosses the first: -bend s^2 + delta.
            columns = [
                (zero - 1, zero, delta),
                (zero + 1, zero, delta),
                (zero, bend * s - 1, -s),
                (zero, bend * s + 1, s),
            ]
        ends.append(np.stack([np.stack(c, axis=1) for c in columns], axis=1))
    # A disguise would round the miss away, so these queries are only turned by right angles.
    order = rng.permuted(np.tile(np.arange(3), (n, 1)), axis=1)[:, None, :]
    start, end = (np.take_along_axis(x, np.broadcast_to(order, x.shape), axis=2) for x in ends)
    return start, end


def rescaled(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Lattice and near-miss queries at sizes from 1e-6 to 1e6, powers of two."""
    half = n // 2
    parts = coplanar(rng, half, kind), near_misses(rng, n - half, kind)
    size = 2.0 ** rng.choice([-20, -10, 10, 20], size=(n, 1, 1))
    start, end = (np.concatenate(x) * size for x in zip(*parts, strict=True))
    return start, end


def far_out(rng: np.random.Generator, n: int, kind: Kind) -> Ends:
    """Features of size one at coordinates around 1e6; only 33 bits are left for the shape."""
    shift = rng.integers(-(2**20), 2**20, size=(n, 1, 3)).astype(float)
    start, end = aimed(rng, n, kind)
    return start + shift, end + shift


MAKERS: dict[str, Maker] = {
    maker.__name__: maker
    for maker in (
        anywhere,
        aimed,
        grazing,
        lattice,
        coplanar,
        collinear,
        parallel,
        slivers,
        degenerate,
        still,
        at_the_start,
        at_the_end,
        near_misses,
        kissing,
        rescaled,
        far_out,
    )
}
