"""Distance of two triangles in 80 digits, by brute force over the features.

Two triangles are closest at a vertex and an edge, at a vertex and the inside of a face, at the
insides of two edges, or where an edge pierces a face. All cases are tried, so degenerate triangles
(segments, points) need no case of their own: other cases replace their undefined ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .vectors import Real, Vec, add, cross, dot, mp, mul, sub

Triangle = tuple[Vec, Vec, Vec]
PointPair = tuple[Vec, Vec]


@dataclass(frozen=True)
class Closest:
    """The distance of two triangles and a pair of points that has it."""

    distance: Real
    point_a: Vec
    point_b: Vec


def closest(a: Triangle, b: Triangle) -> Closest:
    """Return the distance of two triangles and where it is attained."""
    best, best_square = None, mp.inf
    for p, q in _candidates(a, b):
        gap = sub(p, q)
        square = dot(gap, gap)
        if square < best_square:
            best, best_square = (p, q), square
    assert best is not None
    return Closest(mp.sqrt(best_square), *best)


def point_triangle_distance(point: Vec, triangle: Triangle) -> Real:
    """Return the distance from a point to a triangle."""
    return closest((point, point, point), triangle).distance


def _candidates(a: Triangle, b: Triangle) -> Iterator[PointPair]:
    for p in a:
        for edge in _edges(b):
            yield p, _on_segment(p, *edge)
        yield from ((p, q) for q in _inside_face(p, b))
    for q in b:
        for edge in _edges(a):
            yield _on_segment(q, *edge), q
        yield from ((p, q) for p in _inside_face(q, a))
    for edge_a in _edges(a):
        for edge_b in _edges(b):
            yield from _inside_edges(edge_a, edge_b)
    for edge in _edges(a):
        yield from ((p, p) for p in _piercing(edge, b))
    for edge in _edges(b):
        yield from ((p, p) for p in _piercing(edge, a))


def _edges(t: Triangle) -> tuple[PointPair, PointPair, PointPair]:
    return (t[0], t[1]), (t[1], t[2]), (t[2], t[0])


def _on_segment(p: Vec, a: Vec, b: Vec) -> Vec:
    along = sub(b, a)
    square = dot(along, along)
    if square == 0:
        return a
    k = dot(sub(p, a), along) / square
    if k <= 0:
        return a
    return b if k >= 1 else add(a, mul(k, along))


def _inside_face(p: Vec, t: Triangle) -> Iterator[Vec]:
    """Yield the foot of p on the plane of t when it lies in t."""
    normal = cross(sub(t[1], t[0]), sub(t[2], t[0]))
    square = dot(normal, normal)
    if square == 0:
        return
    foot = sub(p, mul(dot(sub(p, t[0]), normal) / square, normal))
    if all(dot(cross(sub(v, u), sub(foot, u)), normal) >= 0 for u, v in _edges(t)):
        yield foot


def _inside_edges(edge_a: PointPair, edge_b: PointPair) -> Iterator[PointPair]:
    """Yield the common perpendicular of two edges when both its ends are inside them."""
    u, v = sub(edge_a[1], edge_a[0]), sub(edge_b[1], edge_b[0])
    w = sub(edge_b[0], edge_a[0])
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    det = uu * vv - uv * uv
    if det <= 0:
        return  # parallel: a vertex and an edge are as close
    i, j = (uw * vv - vw * uv) / det, (uw * uv - vw * uu) / det
    if 0 <= i <= 1 and 0 <= j <= 1:
        yield add(edge_a[0], mul(i, u)), add(edge_b[0], mul(j, v))


def _piercing(edge: PointPair, t: Triangle) -> Iterator[Vec]:
    """Yield the point where an edge crosses the inside of t."""
    normal = cross(sub(t[1], t[0]), sub(t[2], t[0]))
    high, low = dot(normal, sub(edge[0], t[0])), dot(normal, sub(edge[1], t[0]))
    if not (high < 0 < low or low < 0 < high):
        return  # on one side, or touching: then a vertex or an edge of t is as close
    point = add(edge[0], mul(high / (high - low), sub(edge[1], edge[0])))
    if all(dot(cross(sub(v, u), sub(point, u)), normal) >= 0 for u, v in _edges(t)):
        yield point


def as_triangles(points: list[Vec], faces: Any) -> list[Triangle]:
    """Gather triangles from placed vertices."""
    return [(points[i], points[j], points[k]) for i, j, k in faces]
