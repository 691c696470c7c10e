"""Proximities of two small soups, by rational arithmetic over all triangle pairs.

The literal definition of docs/proximities.md: the points of a pair of features are the only closest
points of their planes, lines or points; they are closest in all triangles with these features; and
no triangle lies between them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product

Point = tuple[Fraction, Fraction, Fraction]
Feature = tuple[Point, ...]
"""One, two or three different points, in order."""
KINDS = {(1, 3): 0, (3, 1): 1, (2, 2): 2, (1, 2): 3, (2, 1): 4, (1, 1): 5}
"""By the numbers of points of the two features."""


@dataclass(frozen=True)
class Near:
    """Two points, and the features that contain them inside."""

    of_a: Feature
    of_b: Feature
    point_a: Point
    point_b: Point
    distance2: Fraction


def sub(p: Point, q: Point) -> Point:
    """Return p - q."""
    return (p[0] - q[0], p[1] - q[1], p[2] - q[2])


def dot(p: Point, q: Point) -> Fraction:
    """Return the product of two vectors."""
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def cross(p: Point, q: Point) -> Point:
    """Return the vector product."""
    return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])


def along(p: Point, d: Point, t: Fraction) -> Point:
    """Return p + t d."""
    return (p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2])


def features_of(triangle: Feature) -> Iterator[Feature]:
    """Yield corners, edges and, if it has an area, the face."""
    corners = sorted(set(triangle))
    for size in (1, 2, 3):
        for part in combinations(corners, size):
            if size < 3 or any(cross(sub(part[1], part[0]), sub(part[2], part[0]))):
                yield part


def solve(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Return the solution of a square system, given with its right side; None if it is singular."""
    n = len(rows)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[n] for row in rows]


@cache
def closest_inside(f: Feature, g: Feature) -> Near | None:
    """Return the closest points of the hulls of two features, if unique and inside of both."""
    spans = [sub(p, f[0]) for p in f[1:]] + [sub(g[0], p) for p in g[1:]]
    start = sub(f[0], g[0])
    rows = [[dot(u, v) for v in spans] + [-dot(u, start)] for u in spans]
    found = solve(rows) if len(spans) <= 3 else None
    if found is None:
        return None
    weights_f, weights_g = found[: len(f) - 1], found[len(f) - 1 :]
    for weights in (weights_f, weights_g):
        if any(w <= 0 for w in weights) or (weights and sum(weights) >= 1):
            return None
    p, q = f[0], g[0]
    for w, corner in zip(weights_f, f[1:], strict=True):
        p = along(p, sub(corner, f[0]), w)
    for w, corner in zip(weights_g, g[1:], strict=True):
        q = along(q, sub(corner, g[0]), w)
    line = sub(p, q)
    return Near(f, g, p, q, dot(line, line))


@cache
def least_distance2(s: Feature, t: Feature) -> Fraction:
    """Return the squared distance of two triangles, the least over their feature pairs."""
    pairs = product(features_of(s), features_of(t))
    return min(near.distance2 for f, g in pairs if (near := closest_inside(f, g)))


def lies_between(z: Feature, p: Point, q: Point) -> bool:
    """Return whether a segment passes through a triangle from one side to the other."""
    normal = cross(sub(z[1], z[0]), sub(z[2], z[0]))
    hp, hq = dot(normal, sub(p, z[0])), dot(normal, sub(q, z[0]))
    if hp * hq >= 0:
        return False
    at = along(p, sub(q, p), hp / (hp - hq))
    sides = (dot(normal, cross(sub(z[(i + 1) % 3], z[i]), sub(at, z[i]))) for i in range(3))
    return all(side >= 0 for side in sides)


def common_middle(s: Feature, t: Feature) -> Point | None:
    """Return the middle of the points at which edges of one triangle pass through the other."""
    pairs = product(features_of(s), features_of(t))
    pierced = (closest_inside(f, g) for f, g in pairs if {len(f), len(g)} == {2, 3})
    points = [near.point_a for near in pierced if near and not near.distance2]
    if not points:
        return None
    x, y, z = (sum(part, Fraction(0)) / len(points) for part in zip(*points, strict=True))
    return (x, y, z)


def pairs_within(
    a: Sequence[Feature], b: Sequence[Feature], distance: Fraction
) -> list[tuple[int, Near]]:
    """Return all listed pairs of features with their kinds, those that pass through aside."""
    found: dict[tuple[Feature, Feature], tuple[int, Near]] = {}
    for s, t in product(a, b):
        for f, g in product(features_of(s), features_of(t)):
            kind = KINDS.get((len(f), len(g)))
            if kind is None or (f, g) in found:
                continue
            near = closest_inside(f, g)
            if near and near.distance2 <= distance**2 and is_listed(near, a, b):
                found[f, g] = (kind, near)
    return list(found.values())


def is_listed(near: Near, a: Sequence[Feature], b: Sequence[Feature]) -> bool:
    """Return whether a pair is a local minimum of the distance, with no triangle between."""
    at_a = [s for s in a if near.of_a in features_of(s)]
    at_b = [t for t in b if near.of_b in features_of(t)]
    if near.distance2 == 0:
        return True
    if any(least_distance2(s, t) < near.distance2 for s, t in product(at_a, at_b)):
        return False
    return not any(lies_between(z, near.point_a, near.point_b) for z in (*a, *b))
