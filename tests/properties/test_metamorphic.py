"""Equivalent queries have the same answer, within the contract.

The multi-precision oracle brackets each base case once. Answers to equivalent queries must lie in
the same brackets, widened for the rounding of the changed input: far less than `SHIFT` of the size,
which moves a plain contact by less than `DELAY`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import inf

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.cases import Case, Path, passing_by, twist
from oracles.contract import assert_witness
from oracles.exact import distance_at
from oracles.shapes import Shape, box, pose, random_rotation, sphere, tetrahedron, wedge
from oracles.size import cases
from oracles.truth import Truth, exact_truth
from oracles.vectors import mp

from toccata._options import Method

from .asking import METHODS, HitRate, ask, naming, time_of

SHIFT, DELAY = 1e-9, 1e-6
SHAPES = (box(), tetrahedron(), wedge(), sphere(3, 4))
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """A case with brackets wide enough for rounded copies of it."""

    case: Case
    truth: Truth

    def assert_time(self, toc: float) -> None:
        """Assert that a time of contact (inf when free) is right for a copy of the case."""
        if self.truth.touch.hi is not None:
            assert toc <= self.truth.touch.hi + DELAY, "later than the bodies come within s"
        if self.truth.near.free:
            assert toc == inf, "never within s + e: expected FREE"
        assert toc >= self.truth.near.lo, "earlier than the bodies come within s + e"


@cache
def judged_cases() -> list[Judged]:
    """Draw base cases, without those that rounding could turn from a touch into a miss."""
    rng, rate, result = np.random.default_rng(21), HitRate(), []
    for k in range(cases(16)):
        case = passing_by(rng, SHAPES[k % 4], SHAPES[k // 4 % 4], separation=(0.0, 0.03)[k % 2])
        a, b = case.bodies()
        truth = exact_truth(a, b, case.separation, case.tolerance + SHIFT, 1e-14)
        if truth.touch.hi is not None:
            deeper = distance_at(a, b, min(truth.touch.hi + DELAY / 2, mp.mpf(1)))
            if deeper > case.separation:  # it only grazes
                continue
        rate.add(truth.hit)
        result.append(Judged(case, truth))
    assert len(result) > 0.9 * cases(16)
    rate.check()
    return result


def moved(path: Path, change: Array) -> Path:
    """Return a path relative to another frame."""
    turn = change[:3, :3]
    if path.kind == "twist":
        start, velocity, angular = path.arguments
        return twist(change @ start, turn @ np.asarray(velocity), turn @ np.asarray(angular))
    poses = tuple(change @ x if np.shape(x) == (4, 4) else x for x in path.arguments)
    return Path(path.kind, poses)


def scaled(path: Path, factor: float) -> Path:
    """Return a path in other units: lengths are multiplied, angles are not."""
    lengths = np.ones((4, 4))
    lengths[:3, 3] = factor
    values = [x * lengths if np.shape(x) == (4, 4) else x for x in path.arguments]
    if path.kind == "linear":
        values[2] = tuple(np.asarray(values[2]) * factor)
    if path.kind == "twist":
        values[1] = np.asarray(values[1]) * factor
    return Path(path.kind, tuple(values))


def in_frame(case: Case, change: Array) -> Case:
    return replace(case, path_a=moved(case.path_a, change), path_b=moved(case.path_b, change))


def in_units(case: Case, factor: float) -> Case:
    return Case(
        (case.shape_a[0] * factor, case.shape_a[1]),
        (case.shape_b[0] * factor, case.shape_b[1]),
        scaled(case.path_a, factor),
        scaled(case.path_b, factor),
        case.separation * factor,
        case.tolerance * factor,
    )


def permuted(shape: Shape, rng: np.random.Generator) -> Shape:
    """Return the same surface with triangles, their corners and the vertices in another order."""
    points, faces = shape
    order = rng.permutation(len(points))
    renamed = np.argsort(order)[faces][rng.permutation(len(faces))]
    rolled = np.array([np.roll(face, rng.integers(3)) for face in renamed])
    return points[order], rolled.astype(np.int32)


CHANGES: dict[str, Callable[[Case, np.random.Generator], Case]] = {
    "translated": lambda case, rng: in_frame(case, pose(rng.normal(size=3) * 10)),
    "translated far": lambda case, rng: in_frame(case, pose((1e5, -2e5, 3e5))),
    "rotated": lambda case, rng: in_frame(case, pose((0, 0, 0), random_rotation(rng))),
    "scaled by 1e-6": lambda case, rng: in_units(case, 1e-6),
    "scaled by 1e-3": lambda case, rng: in_units(case, 1e-3),
    "scaled by 1e3": lambda case, rng: in_units(case, 1e3),
    "scaled by 1e6": lambda case, rng: in_units(case, 1e6),
    "swapped": lambda case, rng: case.swapped(),
    "permuted": lambda case, rng: replace(
        case, shape_a=permuted(case.shape_a, rng), shape_b=permuted(case.shape_b, rng)
    ),
    "moved in the body": lambda case, rng: _moved_in_the_body(case, rng),
}


def _moved_in_the_body(case: Case, rng: np.random.Generator) -> Case:
    """Change the frame of body a's coordinates, and the pivot of its motion with it."""
    if case.path_a.kind != "screw":
        return case  # other motions depend on the body origin, which is another point then
    change = pose(rng.normal(size=3), random_rotation(rng))
    points = (case.shape_a[0] - change[:3, 3]) @ change[:3, :3]
    poses = tuple(x @ change for x in case.path_a.arguments)
    return replace(case, shape_a=(points, case.shape_a[1]), path_a=Path("screw", poses))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_frame_or_units_changes_no_answer(name: str, method: Method) -> None:
    rng = np.random.default_rng(22)
    for k, judged in enumerate(judged_cases()):
        case = CHANGES[name](judged.case, rng)
        contact = ask(case, method=method)
        with naming(f"example {k}"):
            judged.assert_time(time_of(contact))
            if contact.status.name == "CONTACT":
                own = replace(judged.truth, separation=case.separation, tolerance=case.tolerance)
                a, b = case.bodies()
                assert_witness(contact, replace(own, a=a, b=b))


def halves(path: Path) -> Iterator[Path]:
    """Cut a path at one half: the second part starts at the rounded middle pose."""
    reference = path.reference()
    three_poses = [reference.pose(t) for t in (0, 0.5, 1)]
    for start, end in pairwise(three_poses):
        if path.kind == "fixed":
            yield path
        elif path.kind == "twist":
            yield twist(start, *(np.asarray(x) / 2 for x in path.arguments[1:]))
        else:
            yield Path(path.kind, (start, end, *path.arguments[2:]))


@pytest.mark.parametrize("method", METHODS)
def test_halves_of_a_motion_give_the_answer_of_the_whole(method: Method) -> None:
    for k, judged in enumerate(judged_cases()):
        paths = zip(halves(judged.case.path_a), halves(judged.case.path_b), strict=True)
        first, second = (
            ask(replace(judged.case, path_a=a, path_b=b), method=method) for a, b in paths
        )
        with naming(f"example {k}"):
            judged.assert_time(first.toc / 2 if first else 0.5 + time_of(second) / 2)


@pytest.mark.parametrize("method", METHODS)
def test_a_larger_separation_is_never_later(method: Method) -> None:
    for k, judged in enumerate(judged_cases()):
        wider = replace(judged.case, separation=judged.case.separation + 3 * judged.case.tolerance)
        with naming(f"example {k}"):
            assert time_of(ask(wider, method=method)) <= time_of(ask(judged.case, method=method))


@pytest.mark.parametrize("method", METHODS)
def test_the_same_query_has_the_same_bits(method: Method) -> None:
    from .asking import bits

    for judged in judged_cases():
        assert bits(ask(judged.case, method=method)) == bits(ask(judged.case, method=method))
