"""Certified distances of a vertex and a face, or of two edges, whose vertices move linearly.

At one time the squared distance is a rational number. During a window, a fixed direction bounds
the distance from below: along this direction, vertices of both features move linearly against each
other, so the smallest gap of the window is at one of its ends. Windows are bisected until the bound
suffices. All comparisons with a level are made in integers.
"""

from __future__ import annotations

import heapq
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from .bracket import Bracket
from .linear_features import Features, Kind, Vector, _cross, _dot, _sub

# A plain contact is bracketed in about 100 spans; the rest is for grazing ones.
MAX_SPANS = 600
MAX_REFINEMENTS = 4000
DIRECTION_BITS = 48
# Quotients of integers and square roots round to nearest; a few of them are within this factor.
UP, DOWN, TINY = 1 + 2.0**-48, 1 - 2.0**-48, 1e-150


class Nearest(NamedTuple):
    """The squared distance top / bottom, and a direction from the second feature to the first."""

    top: int
    bottom: int
    direction: Vector

    def sooner(self, other: Nearest) -> Nearest:
        """Return the one at the smaller distance."""
        return self if self.top * other.bottom <= other.top * self.bottom else other


class Approach:
    """The distance of two features as a function of time."""

    def __init__(self, kind: Kind, start: Any, end: Any) -> None:
        self.features = Features(kind, start, end)
        self.cut = 1 if kind == "vertex-face" else 2
        self._seen: dict[tuple[int, int], Nearest] = {}

    def points(self, m: int, k: int) -> list[Vector]:
        """Return the four points at m / 2^k in units of 2^-(shift + k)."""
        rest = (1 << k) - m
        pairs = zip(self.features.start, self.features.end, strict=True)
        return [tuple(rest * x + m * y for x, y in zip(*p, strict=True)) for p in pairs]

    def nearest(self, m: int, k: int) -> Nearest:
        """Return the distance at m / 2^k and where it points."""
        if m % 2 == 0 and k > 0:
            return self.nearest(m // 2, k - 1)
        if (m, k) not in self._seen:
            find = _vertex_face if self.cut == 1 else _edge_edge
            found = find(*self.points(m, k))
            # In units of 2^-shift: the points of time m / 2^k are 2^k times too large.
            nearest = Nearest(found.top, found.bottom << (2 * k), _shortened(found.direction))
            self._seen[m, k] = nearest
        return self._seen[m, k]

    def within(self, level: Fraction, m: int, k: int) -> bool:
        """Tell whether the distance at m / 2^k is at most a level."""
        top, bottom, _ = self.nearest(m, k)
        unit = level * (1 << self.features.shift)
        return bool(top * unit.denominator**2 <= unit.numerator**2 * bottom)

    def gap(self, direction: Vector, m: int, k: int) -> int:
        """Return the gap along a direction at m / 2^k, times its length and 2^(shift + k)."""
        along = [_dot(direction, x) for x in self.points(m, k)]
        return min(along[: self.cut]) - max(along[self.cut :])

    def exceeds(self, level: Fraction, m: int, k: int) -> bool:
        """Prove that the distance exceeds a level during [m, m + 1] / 2^k, if a direction can."""
        unit = level * (1 << (self.features.shift + k))
        for direction in self._directions(m, k):
            gap = min(self.gap(direction, m, k), self.gap(direction, m + 1, k))
            square = _dot(direction, direction) * unit.numerator**2
            if gap > 0 and gap**2 * unit.denominator**2 > square:
                return True
        return False

    def least(self, m: int, k: int) -> float:
        """Return a lower bound of the distance during [m, m + 1] / 2^k."""
        best, scale = 0.0, 1 << (self.features.shift + k)
        for direction in self._directions(m, k):
            gap = min(self.gap(direction, m, k), self.gap(direction, m + 1, k))
            if gap > 0:
                best = max(best, gap / scale / sqrt(_dot(direction, direction)) * DOWN)
        return best

    def most(self, m: int, k: int) -> float:
        """Return an upper bound of the distance at m / 2^k, near to the distance itself."""
        top, bottom, _ = self.nearest(m, k)
        if top == 0:
            return 0.0
        return sqrt(top / (bottom << (2 * self.features.shift))) * UP + TINY

    def _directions(self, m: int, k: int) -> list[Vector]:
        times = ((2 * m + 1, k + 1), (m, k), (m + 1, k))
        return [self.nearest(*time).direction for time in times]


def distance_within(kind: Kind, start: Any, end: Any, t: float, level: Fraction) -> bool:
    """Tell exactly whether the distance at a time is at most a level."""
    m, denominator = float(t).as_integer_ratio()
    return Approach(kind, start, end).within(level, m, denominator.bit_length() - 1)


def first_within(kind: Kind, start: Any, end: Any, level: Fraction, bits: int = 40) -> Bracket:
    """Bracket the first time at which the distance is at most a level, to about 2^-bits.

    Where the distance grazes the level, lo is where that could not be decided, and hi a later time
    at which the level is certainly reached, or None.
    """
    approach, lo = Approach(kind, start, end), None
    if approach.within(level, 0, 0):
        return Bracket(Fraction(0), Fraction(0), False)
    stack, spans = [(0, 0)], 0
    while stack:
        m, k = stack.pop()
        spans += 1
        if approach.exceeds(level, m, k):
            continue
        if k >= bits or spans > MAX_SPANS:
            lo = Fraction(m, 1 << k) if lo is None else lo
            if approach.within(level, m + 1, k):
                return Bracket(lo, Fraction(m + 1, 1 << k), False)
            if spans > MAX_SPANS:
                return Bracket(lo, _last_resort(approach, level, m, k), False)
            continue
        stack += [(2 * m + 1, k + 1), (2 * m, k + 1)]
    return Bracket(Fraction(1) if lo is None else lo, None, lo is None)


def closest_approach(kind: Kind, start: Any, end: Any, width: float) -> tuple[float, float]:
    """Return bounds of the least distance during the step, at most a width apart if it can be."""
    approach = Approach(kind, start, end)
    most = min(approach.most(0, 0), approach.most(1, 0))
    spans = [(approach.least(0, 0), 0, 0)]
    for _ in range(MAX_REFINEMENTS):
        least, m, k = spans[0]
        if most - least <= width:
            break
        heapq.heappop(spans)
        most = min(most, approach.most(2 * m + 1, k + 1))
        for half in (2 * m, 2 * m + 1):
            heapq.heappush(spans, (max(least, approach.least(half, k + 1)), half, k + 1))
    return min(spans[0][0], most), most


def _last_resort(approach: Approach, level: Fraction, m: int, k: int) -> Fraction | None:
    """Return any time from m / 2^k on, of a regular sample, at which the level is reached."""
    for i in range(65):
        later = (m << 6) + i * ((1 << k) - m)
        if approach.within(level, later, k + 6):
            return Fraction(later, 1 << (k + 6))
    return None


def _shortened(v: Vector) -> Vector:
    """Drop trailing bits of a long direction; any direction serves."""
    excess = max(abs(x).bit_length() for x in v) - DIRECTION_BITS
    return (v[0] >> excess, v[1] >> excess, v[2] >> excess) if excess > 0 else v


def _vertex_face(p: Vector, a: Vector, b: Vector, c: Vector) -> Nearest:
    normal = _cross(_sub(b, a), _sub(c, a))
    sides = ((a, b), (b, c), (c, a))
    if any(normal) and all(_dot(normal, _cross(_sub(y, x), _sub(p, x))) >= 0 for x, y in sides):
        return _along(normal, _dot(normal, _sub(p, a)))
    first, second, third = (_point_segment(p, *side) for side in sides)
    return first.sooner(second).sooner(third)


def _edge_edge(a0: Vector, a1: Vector, b0: Vector, b1: Vector) -> Nearest:
    d, e, between = _sub(a1, a0), _sub(b1, b0), _sub(b0, a0)
    normal = _cross(d, e)
    square = _dot(normal, normal)
    feet = (_dot(_cross(between, e), normal), _dot(_cross(between, d), normal))
    if square and all(0 <= foot <= square for foot in feet):
        return _along(normal, -_dot(normal, between))
    best = _point_segment(a0, b0, b1).sooner(_point_segment(a1, b0, b1))
    for point in (b0, b1):
        top, bottom, (x, y, z) = _point_segment(point, a0, a1)
        best = best.sooner(Nearest(top, bottom, (-x, -y, -z)))
    return best


def _along(normal: Vector, height: int) -> Nearest:
    side = 1 if height > 0 else -1
    direction = (side * normal[0], side * normal[1], side * normal[2])
    return Nearest(height**2, _dot(normal, normal), direction)


def _point_segment(p: Vector, a: Vector, b: Vector) -> Nearest:
    e, w = _sub(b, a), _sub(p, a)
    along, square = _dot(w, e), _dot(e, e)
    if along >= square:  # beyond b, or a segment without length
        w = _sub(p, b)
    if along <= 0 or along >= square:
        return Nearest(_dot(w, w), 1, w)
    x, y, z = (square * w[i] - along * e[i] for i in range(3))
    return Nearest(_dot(w, w) * square - along**2, square, (x, y, z))
