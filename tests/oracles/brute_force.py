"""All touching pairs of features of a small deforming mesh, one exact question each.

Pairs are left out only if they share a vertex, if their groups are ignored, if the boxes of their
paths are apart (comparisons of given numbers, which do not round), or if the four points span a
volume of one sign throughout, or a direction keeps the features apart, by more than the doubles in
which it is computed can be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from .linear_features import Features, Kind, first_contact
from .polynomials import Root

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
Pair = tuple[int, int]
Contacts = dict[Kind, dict[Pair, Root]]


def _none(columns: int) -> Ids:
    return np.empty((0, columns) if columns else 0, dtype=np.int64)


@dataclass(frozen=True)
class Step:
    """A mesh at the start and at the end of a step; vertices move linearly."""

    v0: Array
    v1: Array
    faces: Ids
    loose: Ids = field(default_factory=lambda: _none(2))
    points: Ids = field(default_factory=lambda: _none(0))
    groups: Ids | None = None
    ignored: tuple[Pair, ...] = ()

    @property
    def edges(self) -> Ids:
        """The sides of faces and the loose edges: rows (i <= j), lexicographic order, once each.

        A point is an edge without length, and so is the side of a face that repeats a vertex.
        """
        sides = [self.faces[:, [i, j]] for i, j in ((0, 1), (1, 2), (2, 0))]
        grains = np.stack([self.points, self.points], axis=1)
        every = np.sort(np.concatenate([*sides, self.loose, grains]), axis=1)
        return np.unique(every, axis=0)

    @property
    def used(self) -> Ids:
        """The vertices that a face, a loose edge or a point uses."""
        return np.unique(np.concatenate([self.faces.ravel(), self.loose.ravel(), self.points]))

    def features(self, kind: Kind) -> tuple[Ids, Ids]:
        """Return the vertex ids of the features of both sides, one row each."""
        if kind == "vertex-face":
            return np.arange(len(self.v0))[:, None], self.faces
        return self.edges, self.edges

    def corners(self, kind: Kind, pairs: Ids) -> Ids:
        """Return the four vertex ids of pairs of features."""
        a, b = self.features(kind)
        return np.concatenate([a[pairs[:, 0]], b[pairs[:, 1]]], axis=1)

    def query(self, kind: Kind, pairs: Ids) -> tuple[Array, Array]:
        """Return the elementary queries of pairs of features."""
        corners = self.corners(kind, pairs)
        return self.v0[corners], self.v1[corners]

    def moved(self, v0: Array, v1: Array) -> Step:
        """Return the same mesh with other frames."""
        return replace(self, v0=v0, v1=v1)


def candidates(step: Step, kind: Kind, margin: float = 0.0) -> Ids:
    """Return all tested pairs with overlapping boxes, widened by a margin."""
    a, b = step.features(kind)
    kept = _overlapping(_boxes(step, a, margin), _boxes(step, b, margin))
    rows, columns = np.nonzero(kept)
    keep = np.isin(rows, step.used) if kind == "vertex-face" else rows < columns
    pairs = np.stack([rows[keep], columns[keep]], axis=1)
    corners = step.corners(kind, pairs)
    cut = a.shape[1]
    shared = (corners[:, :cut, None] == corners[:, None, cut:]).any(axis=(1, 2))
    pairs, corners = pairs[~shared], corners[~shared]
    return np.asarray(pairs[~_ignored(step, corners[:, 0], corners[:, -1])])


def contacts(step: Step) -> Contacts:
    """Return every pair that touches during the step, with its exact first time."""
    found: Contacts = {"vertex-face": {}, "edge-edge": {}}
    for kind, times in found.items():
        pairs = candidates(step, kind)
        start, end = step.query(kind, pairs)
        kept = may_be_coplanar(start, end) & ~apart_along_an_axis(kind, start, end)
        pairs, start, end = pairs[kept], start[kept], end[kept]
        kept = ~apart_along_a_direction(kind, start, end)
        pairs, start, end = pairs[kept], start[kept], end[kept]
        for pair, s, e in zip(pairs.tolist(), start.tolist(), end.tolist(), strict=True):
            if (time := first_contact(kind, s, e)) is not None:
                times[pair[0], pair[1]] = time
    return found


def apart_along_an_axis(kind: Kind, start: Array, end: Array) -> NDArray[np.bool_]:
    """Return for n queries whether a coordinate separates the features, by comparisons alone."""
    cut = 1 if kind == "vertex-face" else 2
    below, above = np.ones((2, len(start), 3), dtype=np.bool_)
    for x in (start, end):
        below &= x[:, :cut].max(axis=1) < x[:, cut:].min(axis=1)
        above &= x[:, :cut].min(axis=1) > x[:, cut:].max(axis=1)
    return np.asarray((below | above).any(axis=1))


def apart_along_a_direction(kind: Kind, start: Array, end: Array) -> NDArray[np.bool_]:
    """Return for n queries whether one of a few directions separates the features.

    Any direction may separate, so its own rounding does not matter. A vertex that moves straight
    also moves linearly along the direction, so both ends of the step decide. A product of a
    direction and a point is off by at most five roundings of the sum of the sizes of its terms. The
    margin is sixteen roundings on both sides.
    """
    cut = 1 if kind == "vertex-face" else 2
    size = np.abs(np.concatenate([start, end], axis=1)).max(axis=(1, 2), initial=0.0)
    found = np.zeros(len(start), dtype=np.bool_)
    for t in np.linspace(0, 1, 7):
        x = start + t * (end - start)
        last = x[:, 3] - x[:, 2]
        across = (x[:, cut - 1] - x[:, cut], x[:, 1] - x[:, 0], x[:, 2] - x[:, 1])
        middle = x[:, :cut].mean(axis=1) - x[:, cut:].mean(axis=1)
        for direction in (middle, *(np.cross(last, side) for side in across)):
            error = 2.0**-48 * np.abs(direction).sum(axis=1) * size
            along = [np.einsum("nij,nj->ni", frame, direction) for frame in (start, end)]
            below = [p[:, cut:].min(axis=1) - p[:, :cut].max(axis=1) for p in along]
            above = [p[:, :cut].min(axis=1) - p[:, cut:].max(axis=1) for p in along]
            found |= (np.minimum(*below) > error) | (np.minimum(*above) > error)
    return found


def may_be_coplanar(start: Array, end: Array) -> NDArray[np.bool_]:
    """Return for n queries whether the four points may lie in one plane at some time.

    The volume is a cubic; if its four homogeneous coefficients are of one sign, it has no root. A
    coefficient is a sum of at most 18 products of three differences, none of them larger than
    L = 2 max |x|, and each product is off by at most 12 roundings: 216 2^-53 L^3 < 2^-44 L^3.
    """
    (u0, v0, w0), (u1, v1, w1) = ([x[:, i] - x[:, 0] for i in (1, 2, 3)] for x in (start, end))
    c00, c11 = np.cross(v0, w0), np.cross(v1, w1)
    c01 = np.cross(v0, w1) + np.cross(v1, w0)
    terms = ([(u0, c00)], [(u1, c00), (u0, c01)], [(u0, c11), (u1, c01)], [(u1, c11)])
    volume = np.stack([sum((u * c).sum(axis=1) for u, c in part) for part in terms], axis=1)
    size = 2 * np.abs(np.concatenate([start, end], axis=1)).max(axis=(1, 2), initial=0.0)
    error = (2.0**-44 * size**3)[:, None]
    return np.asarray(~((volume > error).all(axis=1) | (volume < -error).all(axis=1)))


def earliest(times: Iterable[Root]) -> Root | None:
    """Return the first of several exact times."""
    best: Root | None = None
    for time in times:
        if best is None or time.compare(best) < 0:
            best = time
    return best


def piercing(step: Step) -> set[Pair]:
    """Return the pairs (edge, face) that cross at t = 0, away from their rims."""
    edges = step.edges
    still = step.moved(step.v0, step.v0)
    near = _overlapping(_boxes(still, edges, 0.0), _boxes(still, step.faces, 0.0))
    pairs = np.stack(np.nonzero(near), axis=1)
    corners = np.concatenate([edges[pairs[:, 0]], step.faces[pairs[:, 1]]], axis=1)
    shared = (corners[:, :2, None] == corners[:, None, 2:]).any(axis=(1, 2))
    asked = ~shared & ~_ignored(step, corners[:, 0], corners[:, 2])
    asked &= ~_on_one_side(step.v0[corners])
    return {
        (int(e), int(f))
        for e, f in pairs[asked]
        if crosses(step.v0[edges[e]], step.v0[step.faces[f]])
    }


def _on_one_side(points: Array) -> NDArray[np.bool_]:
    """Return for edges p q and faces a b c whether both ends are surely on one side of the plane.

    A volume is a sum of six products of three differences: see `may_be_coplanar`.
    """
    p, q, a, b, c = (points[:, i] for i in range(5))
    error = 2.0**-44 * (2 * np.abs(points).max(axis=(1, 2), initial=0.0)) ** 3
    ends = [((a - x) * np.cross(b - x, c - x)).sum(axis=1) for x in (p, q)]
    above, below = (np.minimum(*ends) > error, np.maximum(*ends) < -error)
    return np.asarray(above | below)


def crosses(edge: Array, face: Array) -> bool:
    """Return whether an edge passes through the interior of a face."""
    p, q = edge
    a, b, c = face
    if _side(p, a, b, c) * _side(q, a, b, c) >= 0:
        return False
    around = {_side(p, q, x, y) for x, y in ((a, b), (b, c), (c, a))}
    return len(around) == 1 and 0 not in around


def _side(*points: Array) -> int:
    at_rest = [point.tolist() for point in points]
    volume = Features("vertex-face", at_rest, at_rest).volume()[0]
    return (volume > 0) - (volume < 0)


def _boxes(step: Step, features: Ids, margin: float) -> tuple[Array, Array]:
    frames = np.concatenate([step.v0[features], step.v1[features]], axis=1)
    lo, hi = frames.min(axis=1), frames.max(axis=1)
    # Twice the margin: what the subtraction rounds is far less than the other half.
    return (lo - 2 * margin, hi + 2 * margin) if margin else (lo, hi)


def _overlapping(a: tuple[Array, Array], b: tuple[Array, Array]) -> NDArray[np.bool_]:
    kept = np.ones((len(a[0]), len(b[0])), dtype=np.bool_)
    for axis in range(3):
        kept &= a[0][:, None, axis] <= b[1][None, :, axis]
        kept &= b[0][None, :, axis] <= a[1][:, None, axis]
    return kept


def _ignored(step: Step, a: Ids, b: Ids) -> NDArray[np.bool_]:
    """Return which pairs of vertices belong to features of ignored groups (one group each)."""
    result = np.zeros(len(a), dtype=np.bool_)
    if step.groups is None:
        return result
    g, h = step.groups[a], step.groups[b]
    for x, y in step.ignored:
        result |= ((g == x) & (h == y)) | ((g == y) & (h == x))
    return result
