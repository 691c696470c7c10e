"""Decides whether a point is inside a closed mesh, in rational numbers.

Along a segment to a point far outside, the crossings of faces are odd from the inside and even from
the outside, however the faces are turned. A segment that meets an edge or a corner is drawn anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Point = tuple[Fraction, ...]


def is_inside(
    vertices: NDArray[np.float64], faces: NDArray[np.int64], point: Sequence[float]
) -> bool | None:
    """Return whether a point is inside a closed mesh; None if it is on the surface."""
    corners = [_exact(v) for v in vertices]
    p, far = _exact(point), 4 * max(abs(float(x)) for x in vertices.ravel()) + 1
    rng = np.random.default_rng(0)
    for _ in range(20):
        direction = rng.normal(size=3)
        q = _exact(far * 4 * direction / np.linalg.norm(direction))
        crossings = [_crosses(p, q, *(corners[v] for v in face)) for face in faces]
        if None not in crossings:
            return sum(map(bool, crossings)) % 2 == 1
    return None


def _exact(values: Sequence[float] | NDArray[np.float64]) -> Point:
    return tuple(Fraction(float(x)) for x in values)


def _side(p: Point, a: Point, b: Point, c: Point) -> int:
    u, v, w = ([y - x for x, y in zip(p, q, strict=True)] for q in (a, b, c))
    volume = sum(u[i] * (v[i - 2] * w[i - 1] - v[i - 1] * w[i - 2]) for i in range(3))
    return (volume > 0) - (volume < 0)


def _crosses(p: Point, q: Point, a: Point, b: Point, c: Point) -> bool | None:
    """Return whether the segment passes through the triangle; None if it meets the rim."""
    turns = {_side(p, q, a, b), _side(p, q, b, c), _side(p, q, c, a)}
    if {1, -1} <= turns:
        return False
    start, end = _side(p, a, b, c), _side(q, a, b, c)
    if start == end and start != 0:
        return False
    return None if 0 in (*turns, start, end) else True
