"""Queries with wrong answers if proofs ignore rounding.

Values are sums of powers of two or turns by a twist, so queries are exact: the oracle and the
library use the same bodies, and a clearance of 1e-9 is not lost to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .cases import Case, Path, fixed, linear, passing_by, screw, twist
from .shapes import Shape, box, pose, sphere, tetrahedron, triangle, wedge

Array = NDArray[np.float64]
STILL = (0.0, 0.0, 0.0)
QUARTER = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
CLEARANCES = (1e-6, -1e-6, 1e-9, -1e-9)


def swinging_under_a_wall(clearance: float) -> Case:
    """The tip of a spoke passes a wall at the top of its circle; negative clearance cuts it."""
    spoke = triangle((0, 0, 0), (1, 0, 0), (0.5, 0, 0.125))
    wall = fixed(pose((0, 1.5 + clearance, 0)))
    return _tight(spoke, box((8, 1, 8)), twist(np.eye(4), STILL, (0, 0, 3)), wall, clearance)


def sliding_along_a_face(clearance: float) -> Case:
    """A box slides over another, always at the same small height, or cutting it a little."""
    start = pose((2.0, 0.125, 1 + clearance))
    path = twist(start, (-4.0, 0.25, 0.0), STILL)
    return _tight(box(), box(), path, fixed(), clearance)


def edges_passing(clearance: float) -> Case:
    """Two knife edges at right angles pass each other."""
    start = pose((clearance, -0.25, -1.5))
    other = fixed(pose(STILL, np.diag([-1.0, -1.0, 1.0]) @ _x_turn()))
    path = twist(start, (0.0, 0.5, 3.0), STILL)
    return _tight(wedge(), wedge(), path, other, clearance)


def nearly_parallel_edges(clearance: float) -> Case:
    """Two knife edges meet head on, out of parallel by the clearance."""
    points, faces = wedge()
    tilted = points.copy()
    tilted[0, 2], tilted[1, 2] = -clearance, clearance
    other = fixed(pose(STILL, np.diag([-1.0, 1.0, -1.0])))
    path = twist(pose((1.0, 0, 0)), (-1.5, 0.25, 0.0), STILL)
    return _tight((tilted, faces), wedge(), path, other, clearance)


def stopping_short(clearance: float) -> Case:
    """The motion ends just before the contact, or just after it."""
    path = linear(pose((3, 0.125, 0.25)), pose((1 + clearance, 0.125, 0.25)))
    return _tight(box(), box(), path, fixed(), clearance)


def turning_to_a_stop(clearance: float) -> Case:
    """A screw of a quarter turn ends with its end face against a wall."""
    end = pose((0, 1, 2 - 0.5 - clearance), QUARTER)
    path = screw(pose((1, 0, 0)), end)
    return _tight(box(), box((8, 8, 1)), path, fixed(pose((0, 0, 2.5))), clearance)


def both_turning(clearance: float) -> Case:
    """The tip of a turning spoke passes the flat face of a spinning block."""
    spoke = triangle((0, 0, 0), (1, 0, 0), (0.5, 0, 0.125))
    left = twist(np.eye(4), STILL, (0, 0, 2))
    left = twist(left.reference().pose(-0.5), STILL, (0, 0, 2))
    right = twist(pose((2 + clearance, 0, 0)), (0, 0.25, 0), (2.5, 0, 0))
    return _tight(spoke, box((2, 4, 4)), left, right, clearance)


GRAZING: dict[str, Callable[[float], Case]] = {
    make.__name__: make
    for make in (
        swinging_under_a_wall,
        sliding_along_a_face,
        edges_passing,
        nearly_parallel_edges,
        stopping_short,
        turning_to_a_stop,
        both_turning,
    )
}


def slivers(rng: np.random.Generator, width: float) -> Iterator[Case]:
    """Triangles a width across, down to none, flying past boxes and each other."""
    thin = triangle((-0.5, 0, 0), (0.5, 0, 0), (0.125, width, 0))
    for other in (box(), tetrahedron(), thin):
        yield passing_by(rng, thin, other, 0.6, tolerance=1e-6, separation=0.0)
        yield passing_by(rng, thin, other, 0.6, tolerance=1e-6, separation=0.125)


def degenerate(rng: np.random.Generator) -> Iterator[Case]:
    """Points and segments: legal triangles without a normal."""
    point = triangle(STILL, STILL, STILL)
    segment = triangle((-0.5, 0, 0), (0.5, 0, 0), (0.25, 0, 0))
    twice = triangle((-0.5, 0, 0), (0.5, 0, 0), (0.5, 0, 0))
    for a in (point, segment, twice):
        for b in (box(), tetrahedron(), a):
            yield passing_by(rng, a, b, separation=0.125, tolerance=1e-6)


def far_away(rng: np.random.Generator, offset: float = 2.0**20) -> Iterator[Case]:
    """Features of size one at coordinates around 1e6, in the world, in the body, or in both."""
    shift = np.array([offset, -offset / 2, offset / 4])
    for k, (a, b) in enumerate([(box(), tetrahedron()), (wedge(), box()), (sphere(3, 4), wedge())]):
        near = passing_by(rng, a, b, tolerance=1e-5)
        start, drift = near.path_a.reference(), near.path_b.reference()
        poses = [reference.pose(t) for reference in (start, drift) for t in (0, 1)]
        far = [_shifted(p, shift) for p in poses]
        yield replace(near, path_a=linear(far[0], far[1]), path_b=linear(far[2], far[3]))
        yield replace(near, path_a=screw(far[0], far[1]), path_b=fixed(far[2]))
        # With body coordinates far from the origin, a small turn is a long displacement.
        out = (_rounded(a[0]) + shift, a[1])
        gentle = twist(pose((-3.0, 0.25 * k, 0)), (6.0, 0, 0), (0, 0, 2.0**-20))
        yield Case(out, (_rounded(b[0]) + shift, b[1]), gentle, fixed(), tolerance=1e-5)


def fast(rng: np.random.Generator) -> Iterator[Case]:
    """Return long displacements and many turns past thin bodies, which sampling would miss."""
    for _ in range(4):
        turn = rng.normal(size=3) * 40
        aim = float(rng.uniform(-1, 1))
        path = twist(pose((-500.0, aim, 0)), (1000.0, 0, 0), turn)
        yield Case(tetrahedron(0.25), box((2.0**-10, 1, 1)), path, fixed(), tolerance=1e-5)


def grazing_anyhow(rng: np.random.Generator, clearance: float) -> Case | None:
    """Draw a miss and choose the separation that makes it graze by the clearance."""
    from .sampling import SampledPair

    shapes: tuple[Shape, ...] = (box(), tetrahedron(), wedge(), sphere(3, 4))
    a, b = (shapes[int(k)] for k in rng.integers(4, size=2))
    case = passing_by(rng, a, b)
    pair = SampledPair(*case.bodies())
    least = _least_distance(pair.distance)
    if least < 0.01:
        return None
    return replace(case, separation=least - clearance, tolerance=abs(clearance) / 4)


def _least_distance(distance: Callable[[float], float]) -> float:
    """Return a local minimum near the least of a dense sample (golden section)."""
    times = np.linspace(0, 1, 400)
    best = int(np.argmin([distance(float(t)) for t in times]))
    lo, hi = float(times[max(best - 1, 0)]), float(times[min(best + 1, 399)])
    ratio = (5**0.5 - 1) / 2
    for _ in range(60):
        left, right = hi - ratio * (hi - lo), lo + ratio * (hi - lo)
        lo, hi = (lo, right) if distance(left) < distance(right) else (left, hi)
    return min(distance(lo), distance(hi), distance(float(times[best])))


def _tight(shape_a: Shape, shape_b: Shape, path_a: Path, path_b: Path, clearance: float) -> Case:
    """Return a case with a tolerance far below the clearance."""
    return Case(shape_a, shape_b, path_a, path_b, 0.0, abs(clearance) / 4)


def _x_turn() -> Array:
    return np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


def _shifted(at: Array, shift: Array) -> Array:
    result = at.copy()
    result[:3, 3] += shift
    return result


def _rounded(points: Array) -> Array:
    """Round coordinates so that adding the offset is exact."""
    return np.round(points * 2.0**20) / 2.0**20
