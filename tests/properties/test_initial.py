"""Starting in contact: its own status, no made-up normal, and the way out when asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from oracles.cases import Case, fixed, linear, random_path, twist
from oracles.contract import assert_contract
from oracles.exact import distance_at
from oracles.shapes import box, pose, random_pose, random_rotation, sphere, tetrahedron, wedge
from oracles.size import cases
from oracles.truth import exact_truth

import toccata as tc
from toccata.options import Method

from .asking import METHODS, HitRate, ask, mesh, naming

TOLERANCE = 2.0**-10


def sliding(gap: float, velocity: tuple[float, float, float]) -> Case:
    """Two unit boxes side by side along x, `gap` apart, one of them leaving."""
    start = pose((1 + gap, 0.25, 0.125))
    return Case(box(), box(), twist(start, velocity, (0, 0, 0)), fixed(), tolerance=TOLERANCE)


@pytest.mark.parametrize("method", METHODS)
def test_crossing_surfaces_are_an_initial_overlap(method: Method) -> None:
    rng = np.random.default_rng(0)
    for _ in range(cases(10)):
        start = pose(rng.normal(size=3) * 0.1, random_rotation(rng))
        path = linear(start, pose((3, 0, 0)))
        case = Case(box((2, 0.3, 0.3)), tetrahedron(), path, fixed(), tolerance=TOLERANCE)
        contact = ask(case, method=method)
        assert contact.status is tc.Status.INITIAL_OVERLAP
        assert_contract(contact, exact_truth(*case.bodies(), 0.0, TOLERANCE, 1e-14))


@pytest.mark.parametrize("gap", [0.0, TOLERANCE / 2, 0.5])
@pytest.mark.parametrize("separation", [0.0, 0.25])
@pytest.mark.parametrize("method", METHODS)
def test_starting_within_reach_keeps_the_contract(
    method: Method, separation: float, gap: float
) -> None:
    case = replace(sliding(gap, (-1, 0, 0)), separation=separation)
    contact = ask(case, method=method)
    assert_contract(contact, exact_truth(*case.bodies(), separation, TOLERANCE, 1e-14))


def starting_close(rng: np.random.Generator) -> Case:
    """Two bodies that start about as far apart as the separation, a little more or less."""
    shapes = (box(), tetrahedron(), wedge(), sphere(3, 4))
    a, b = (shapes[int(k)] for k in rng.integers(4, size=2))
    ends = [random_pose(rng, 0.6) for _ in range(4)]
    tolerance = float(10 ** rng.uniform(-6, -1))
    case = Case(a, b, random_path(rng, *ends[:2]), random_path(rng, *ends[2:]), 0.0, tolerance)
    start = float(distance_at(*case.bodies(), 0))
    offsets = (0.0, 1e-12, -1e-12, tolerance / 2, -tolerance / 2, -2 * tolerance, -3 * tolerance)
    return replace(case, separation=max(0.0, start + float(rng.choice(offsets))))


@pytest.mark.parametrize("seed", range(2))
def test_random_starts_around_the_separation(seed: int) -> None:
    rng, rate = np.random.default_rng(seed), HitRate()
    for k in range(cases(40)):
        case = starting_close(rng)
        truth = exact_truth(*case.bodies(), case.separation, case.tolerance, 1e-17)
        rate.add(truth.touch.hi == 0)
        for method in METHODS:
            with naming(f"example {k}, {method}"):
                assert_contract(ask(case, method=method), truth)
    rate.check()


@pytest.mark.parametrize("gap", [0.0, TOLERANCE / 2])
@pytest.mark.parametrize("method", METHODS)
def test_a_body_that_moves_apart_may_be_let_go(method: Method, gap: float) -> None:
    leaving = sliding(gap, (2, 0, 0))
    assert ask(leaving, method=method, initial="ignore_separating").status is tc.Status.FREE


@pytest.mark.parametrize("gap", [0.0, TOLERANCE / 2])
@pytest.mark.parametrize("method", METHODS)
def test_a_body_that_moves_in_is_not_let_go(method: Method, gap: float) -> None:
    entering = sliding(gap, (-2, 0, 0))
    assert ask(entering, method=method, initial="ignore_separating")


@pytest.mark.parametrize("method", METHODS)
def test_crossing_surfaces_are_not_let_go(method: Method) -> None:
    crossing = sliding(-0.25, (2, 0, 0))
    assert ask(crossing, method=method, initial="ignore_separating")


@pytest.mark.parametrize("method", METHODS)
def test_a_side_that_turns_in_is_not_let_go(method: Method) -> None:
    # The centre of a bar flush with a wall leaves it, but the end turns into the wall faster.
    start = pose((0, 1 + TOLERANCE / 2, 0))
    path = twist(start, (0, 1.0, 0), (0, 0, np.pi))
    case = Case(box((6, 1, 1)), box((8, 1, 8)), path, fixed(), tolerance=TOLERANCE)
    assert ask(case, method=method, initial="ignore_separating")


@pytest.mark.parametrize("method", METHODS)
def test_a_later_contact_is_found_after_letting_go(method: Method) -> None:
    points, faces = box()
    two_walls = (
        np.concatenate([points, points + np.array([4, 0, 0])]),
        np.concatenate([faces, faces + 8]),
    )
    case = replace(sliding(TOLERANCE / 2, (4, 0, 0)), shape_b=two_walls)
    contact = ask(case, method=method, initial="ignore_separating")
    assert contact.status is tc.Status.CONTACT
    touch = (2 - TOLERANCE / 2) / 4
    assert touch - TOLERANCE / 4 <= contact.toc <= touch


@pytest.mark.parametrize("method", METHODS)
def test_a_solid_is_not_hollow_at_the_start(method: Method) -> None:
    shell, seed = box((4, 4, 4)), mesh(box((0.5, 0.5, 0.5)))
    stay = tc.Motion.linear(pose((0.5, 0, 0)), pose((-0.5, 0, 0)))
    hollow = tc.first_contact(seed, tc.Mesh(*shell), stay, method=method, tolerance=TOLERANCE)
    solid = tc.Mesh(*shell, solid=True)
    assert hollow.status is tc.Status.FREE
    for a, b in ((seed, solid), (solid, seed)):
        inside = tc.first_contact(a, b, stay, method=method, tolerance=TOLERANCE)
        assert inside.status is tc.Status.INITIAL_OVERLAP
        assert inside.toc == 0.0


@pytest.mark.parametrize("method", METHODS)
def test_what_starts_at_the_tolerance_does_not_pass_through(method: Method) -> None:
    """Along the opposite direction the triangles overlap at the start, and move away."""
    face = tc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    through = tc.Motion.linear(tc.pose((0, 0, 2)), tc.pose((0, 0, -2)))
    answer = tc.first_contact(
        face, face, through, method=method, tolerance=2.0, initial="ignore_separating"
    )
    assert answer.status is not tc.Status.FREE
