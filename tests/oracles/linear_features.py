"""Exact contact of a vertex and a face, or of two edges, whose vertices move along straight lines.

Features touch only at times at which their four points are coplanar: at a root of a cubic, or at
all times. The areas of the four triangles of the points are then parallel vectors. Their signs in
one coordinate decide whether a point lies in a triangle or two segments cross. If the face has no
area or the edges are parallel, a point has to lie on a segment: an area is zero, and a product of
two directions is not positive. All these are polynomials of integers, so every answer is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cmp_to_key
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .polynomials import Poly, Root, multiply, roots, sign_at

Kind = Literal["vertex-face", "edge-edge"]
Vector = tuple[Any, Any, Any]
Array = NDArray[np.float64]
AXES = ((1, 2), (2, 0), (0, 1))
KINDS: tuple[Kind, ...] = ("vertex-face", "edge-edge")


class Features:
    """One query in integers: four points at the start and at the end, in units of 2^-shift.

    Points are vertex, a, b, c of a vertex-face pair, or a0, a1, b0, b1 of an edge-edge pair.
    """

    def __init__(self, kind: Kind, start: Any, end: Any) -> None:
        ratios = [x.as_integer_ratio() for frame in (start, end) for row in frame for x in row]
        self.shift = max(q.bit_length() for _, q in ratios) - 1
        values = [p << (self.shift + 1 - q.bit_length()) for p, q in ratios]
        points = [(values[i], values[i + 1], values[i + 2]) for i in range(0, 24, 3)]
        self.kind = kind
        self.start, self.end = points[:4], points[4:]

    def difference(self, i: int, j: int, axis: int) -> Poly:
        """Return a coordinate of the vector from point i to point j."""
        return [x[j][axis] - x[i][axis] for x in (self.start, self.end)]

    def area(self, triangle: tuple[int, int, int], axis: int) -> Poly:
        """Return a coordinate of twice the area vector of a triangle of three points."""
        i, j, k = triangle
        y, z = AXES[axis]
        uy, uz, vy, vz = (self.difference(i, *which) for which in ((j, y), (j, z), (k, y), (k, z)))
        return [
            uy[0] * vz[0] - uz[0] * vy[0],
            uy[0] * vz[1] - uz[0] * vy[1] + uy[1] * vz[0] - uz[1] * vy[0],
            uy[1] * vz[1] - uz[1] * vy[1],
        ]

    def along(self, i: int, j: int, k: int) -> Poly:
        """Return the product of the directions from point i to points j and k."""
        products = (multiply(self.difference(i, j, x), self.difference(i, k, x)) for x in range(3))
        return [sum(column) for column in zip(*products, strict=True)]

    def volume(self) -> Poly:
        """Return six times the volume that the four points span."""
        (u0, v0, w0), (u1, v1, w1) = (
            [_sub(x[i], x[0]) for i in (1, 2, 3)] for x in (self.start, self.end)
        )
        c00, c11 = _cross(v0, w0), _cross(v1, w1)
        a, b = _cross(v0, w1), _cross(v1, w0)
        c01 = (a[0] + b[0], a[1] + b[1], a[2] + b[2])
        return [
            _dot(u0, c00),
            _dot(u1, c00) + _dot(u0, c01),
            _dot(u0, c11) + _dot(u1, c01),
            _dot(u1, c11),
        ]

    def touch_at(self, t: Root) -> bool:
        """Tell whether the features touch at a time at which the four points are coplanar."""
        plain, sign = self._projection(t)
        inside = _in_face if self.kind == "vertex-face" else _across
        if plain is not None:
            return inside(lambda triangle: sign * sign_at(self.area(triangle, plain), t))
        return any(self._on_segment(t, *where) for where in SEGMENTS[self.kind])

    def _projection(self, t: Root) -> tuple[int | None, int]:
        """Return an axis along which the face or the crossing is seen, and from which side."""
        for axis in range(3):
            normal = self.area((1, 2, 3), axis)
            if self.kind == "edge-edge":  # direction of a times direction of b
                ends = self.area((1, 2, 3), axis), self.area((0, 2, 3), axis)
                normal = [x - y for x, y in zip(*ends, strict=True)]
            if sign := sign_at(normal, t):
                return axis, sign
        return None, 0

    def _on_segment(self, t: Root, point: int, a: int, b: int) -> bool:
        if any(sign_at(self.area((point, a, b), axis), t) for axis in range(3)):
            return False
        return sign_at(self.along(point, a, b), t) <= 0


Sign = Callable[[tuple[int, int, int]], int]

# A point, then the ends of a segment: possible contacts of features without a normal.
SEGMENTS = {
    "vertex-face": ((0, 1, 2), (0, 2, 3), (0, 3, 1)),
    "edge-edge": ((0, 2, 3), (1, 2, 3), (2, 0, 1), (3, 0, 1)),
}


def _in_face(area: Sign) -> bool:
    """A coplanar point is in a triangle if it does not see any side from behind."""
    return area((0, 1, 2)) >= 0 and area((0, 2, 3)) >= 0 and area((0, 3, 1)) >= 0


def _across(area: Sign) -> bool:
    """Coplanar segments cross if the ends of each are on both sides of the other."""
    apart = area((0, 2, 3)) * area((1, 2, 3)) > 0 or area((2, 0, 1)) * area((3, 0, 1)) > 0
    return not apart


def first_contact(kind: Kind, start: Any, end: Any) -> Root | None:
    """Return the exact first time in [0, 1] at which the features touch, if they do."""
    if apart_along_an_axis(kind, start, end):
        return None
    pair = Features(kind, start, end)
    volume = pair.volume()
    if any(volume):
        return next((t for t in roots(volume) if pair.touch_at(t)), None)
    return _first_coplanar(pair)


def touches(kind: Kind, start: Any, end: Any) -> bool:
    """Tell whether the features touch at any time in [0, 1]."""
    if apart_along_an_axis(kind, start, end):
        return False
    pair = Features(kind, start, end)
    volume = pair.volume()
    if any(volume):
        return any(pair.touch_at(t) for t in roots(volume))
    if any(pair.touch_at(Root([], t, 0, 0)) for t in (0, 1)):
        return True
    return any(pair.touch_at(t) for poly in _boundaries(pair) if any(poly) for t in roots(poly))


def first_after_start(kind: Kind, start: Any, end: Any) -> Root | None:
    """Return the exact first time after 0 at which features that touch at 0 touch, if they do.

    It is 0 if they go on touching.
    """
    pair = Features(kind, start, end)
    volume = pair.volume()
    polys = [volume] if any(volume) else [poly for poly in _boundaries(pair) if any(poly)]
    begin, finish = Root([], 0, 0, 0), Root([], 1, 0, 0)
    times = [t for poly in polys for t in roots(poly) if t.compare(begin) > 0]
    if not any(volume):
        times.append(finish)
        # Between two of these times the answer is constant, so one time before the first decides.
        soon = next(
            k for k in range(1, 200) if all(Root([], 1, k, 0).compare(t) < 0 for t in times)
        )
        if pair.touch_at(Root([], 1, soon, 0)):
            return begin
    touching = [t for t in times if pair.touch_at(t)]
    return min(touching, key=cmp_to_key(Root.compare), default=None)


def touching(kind: Kind, start: Array, end: Array) -> NDArray[np.bool_]:
    """Tell which of n queries, (n, 4, 3) at the start and at the end, touch."""
    pairs = zip(start.tolist(), end.tolist(), strict=True)
    return np.array([touches(kind, *pair) for pair in pairs], dtype=np.bool_)


def first_contacts(kind: Kind, start: Array, end: Array) -> list[Root | None]:
    """Return the exact first times of n queries."""
    pairs = zip(start.tolist(), end.tolist(), strict=True)
    return [first_contact(kind, *pair) for pair in pairs]


def apart_along_an_axis(kind: Kind, start: Any, end: Any) -> bool:
    """Tell whether a coordinate keeps the features apart: comparisons alone, so it is exact."""
    cut = 1 if kind == "vertex-face" else 2
    for axis in range(3):
        s, e = ([row[axis] for row in frame] for frame in (start, end))
        if max(s[:cut]) < min(s[cut:]) and max(e[:cut]) < min(e[cut:]):
            return True
        if min(s[:cut]) > max(s[cut:]) and min(e[:cut]) > max(e[cut:]):
            return True
    return False


def _first_coplanar(pair: Features) -> Root | None:
    """Return the first contact of four points that are coplanar all the time.

    The times of contact are a closed set. Where it begins, an area or a product changes sign,
    unless it begins at 0.
    """
    begin = Root([], 0, 0, 0)
    if pair.touch_at(begin):
        return begin
    first: Root | None = None
    for poly in _boundaries(pair):
        for t in roots(poly) if any(poly) else ():
            if (first is None or t.compare(first) < 0) and pair.touch_at(t):
                first = t
                break
    return first


def _boundaries(pair: Features) -> Iterator[Poly]:
    for where in SEGMENTS[pair.kind]:
        yield pair.along(*where)
        for axis in range(3):
            yield pair.area(where, axis)


def _sub(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _dot(a: Vector, b: Vector) -> int:
    return int(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
