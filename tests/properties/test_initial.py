"""Starts in contact: an own status without a normal, and `initial="ignore_separating"`."""

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
from toccata._options import Method

from .asking import METHODS, HitRate, ask, mesh, naming

TOLERANCE = 2.0**-10


def sliding(gap: float, velocity: tuple[float, float, float]) -> Case:
    """Return two unit boxes side by side along x, `gap` apart, one of them leaving."""
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
    """Return two bodies that start at a distance close to the separation."""
    shapes = (box(), tetrahedron(), wedge(), sphere(3, 4))
    a, b = (shapes[int(k)] for k in rng.integers(4, size=2))
    ends = [random_pose(rng, 0.6) for _ in range(4)]
    tolerance = float(10 ** rng.uniform(-6, -1))
    case = Case(a, b, random_path(rng, *ends[:2]), random_path(rng, *ends[2:]), 0.0, tolerance)
    start = float(distance_at(*case.bodies(), 0))
    offsets = (0.0, 1e-12, -1e-12, tolerance / 2, -tolerance / 2, -2 * tolerance, -3 * tolerance)
    return replace(case, separation=max(0.0, start + float(rng.choice(offsets))))


@pytest.mark.parametrize("seed", range(2))
def test_random_starts_around_the_separation_keep_the_contract(seed: int) -> None:
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
def test_a_body_that_separates_is_ignored(method: Method, gap: float) -> None:
    leaving = sliding(gap, (2, 0, 0))
    assert ask(leaving, method=method, initial="ignore_separating").status is tc.Status.FREE


@pytest.mark.parametrize("gap", [0.0, TOLERANCE / 2])
@pytest.mark.parametrize("method", METHODS)
def test_a_body_that_moves_in_is_reported(method: Method, gap: float) -> None:
    entering = sliding(gap, (-2, 0, 0))
    assert ask(entering, method=method, initial="ignore_separating")


@pytest.mark.parametrize("method", METHODS)
def test_crossing_surfaces_are_reported(method: Method) -> None:
    crossing = sliding(-0.25, (2, 0, 0))
    assert ask(crossing, method=method, initial="ignore_separating")


@pytest.mark.parametrize("method", METHODS)
def test_a_side_that_turns_in_is_reported(method: Method) -> None:
    # The center of a bar flush with a wall leaves it, but an end turns into the wall faster.
    start = pose((0, 1 + TOLERANCE / 2, 0))
    path = twist(start, (0, 1.0, 0), (0, 0, np.pi))
    case = Case(box((6, 1, 1)), box((8, 1, 8)), path, fixed(), tolerance=TOLERANCE)
    assert ask(case, method=method, initial="ignore_separating")


@pytest.mark.parametrize("method", METHODS)
def test_a_later_contact_of_separated_bodies_is_found(method: Method) -> None:
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
def test_a_body_inside_a_solid_is_an_initial_overlap(method: Method) -> None:
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
def test_a_body_that_starts_at_the_tolerance_does_not_pass_through(method: Method) -> None:
    """Along the opposite direction the triangles overlap at the start and separate."""
    face = tc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    through = tc.Motion.linear(tc.pose((0, 0, 2)), tc.pose((0, 0, -2)))
    answer = tc.first_contact(
        face, face, through, method=method, tolerance=2.0, initial="ignore_separating"
    )
    assert answer.status is not tc.Status.FREE


PLATE = tc.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
BLADE = tc.Mesh([(0, 0, 0), (0, 0, 0.2), (0.01, 0, 0.2)], [(0, 1, 2)])
PADDED = {"separation": 0.05, "tolerance": 1e-6, "initial": "ignore_separating"}


@pytest.mark.parametrize("method", METHODS)
def test_bodies_that_approach_are_reported(method: Method) -> None:
    """They rise over the plane of the other body, but along this direction their gap is smaller."""
    over = tc.Motion.linear(tc.pose((-0.03, 0.3, 1e-6)), tc.pose((0.2, 0.3, 1e-3)))
    aside = tc.Motion.linear(tc.pose((1.03, 0.0, 1.001)), tc.pose((0.0, 0.0, 1.002)))
    cube = mesh(box())
    for a, b, path in ((BLADE, PLATE, over), (cube, cube, aside)):
        answer = tc.first_contact(a, b, path, method=method, **PADDED)  # type: ignore[arg-type]
        assert answer.status is tc.Status.INITIAL_OVERLAP


@pytest.mark.parametrize("gap", [0.25, 0.5, 0.9])
@pytest.mark.parametrize("method", METHODS)
def test_flat_bodies_within_the_tolerance_do_not_pass_through(method: Method, gap: float) -> None:
    """Along the opposite direction they overlap by less than the tolerance and separate."""
    down = tc.Motion.linear(pose((0, 0, gap * 1e-4)), pose((0, 0, -1)))
    for separation in (0.0, 1e-3):
        answer = tc.first_contact(
            PLATE,
            PLATE,
            down,
            method=method,
            tolerance=1e-4,
            separation=separation,
            initial="ignore_separating",
        )
        assert answer.status is not tc.Status.FREE and answer.toc <= 1e-4


@pytest.mark.parametrize("method", METHODS)
def test_a_body_that_left_and_returns_is_reported(method: Method) -> None:
    """It circles over a plate, leaves it and returns, and always rises very slowly."""
    far = tc.Mesh(BLADE.vertices + (2.0, 0, 0), BLADE.faces)
    around = tc.Motion.twist(tc.pose((-1.8, 0.2, 1e-3)), (0, 0, 1e-3), (0, 0, 2 * np.pi))
    times = np.linspace(0, 1, 401)
    distances = tc.distance_batch(far, PLATE, around.pose(times)).distance
    assert distances[0] < 0.0011 and distances[200] > 1 and distances[-1] < 0.0021
    answer = tc.first_contact(far, PLATE, around, method=method, **PADDED)  # type: ignore[arg-type]
    assert answer.status is tc.Status.CONTACT
    assert 0.5 < answer.toc < 1 and answer.distance <= 0.05 + 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_a_body_that_turns_while_it_separates_is_ignored(method: Method) -> None:
    start = tc.pose((0, 0, 1.02), rotvec=(0.3, 0.2, 0))
    lowest = (mesh(box()).vertices @ start[:3, :3].T)[:, 2].min()
    start[2, 3] = 0.52 - lowest
    away = tc.Motion.twist(start, linear=(0.2, 0, 1.0), angular=(0.5, 0.3, 0.4))
    answer = tc.first_contact(mesh(box()), mesh(box((4, 4, 1))), away, method=method, **PADDED)  # type: ignore[arg-type]
    assert answer.status is tc.Status.FREE


def test_padded_robots_that_approach_are_reported() -> None:
    links = [tc.Link("base"), tc.Link("x"), tc.Link("blade", BLADE)]
    along = tc.Joint("along", "prismatic", "base", "x", axis=(1, 0, 0))
    up = tc.Joint("up", "prismatic", "x", "blade", origin=tc.pose((0, 0.3, 0)))
    robot = tc.Robot(links, [along, up]).padded({"blade": 0.05})
    world = tc.Scene()
    world.add("plate", PLATE)
    for method in ("auto", "hca", "interval"):
        how = {"initial": "ignore_separating", "method": method}
        over = robot.first_contact([-0.03, 1e-6], [0.2, 1e-3], world, **how)  # type: ignore[arg-type]
        assert over.status is tc.Status.INITIAL_OVERLAP
        away = robot.first_contact([-0.03, 1e-6], [-0.2, 1e-3], world, **how)  # type: ignore[arg-type]
        assert away.status is tc.Status.FREE


def test_curved_bodies_that_approach_are_reported() -> None:
    ball, floor = tc.surfaces.sphere(0.5), mesh(box((4, 4, 1)))
    above = np.array((0, 0, 1.03))
    for end, free in (((0, 0, 2.0), True), ((0.5, 0, 1.5), True), ((0.5, 0, 1.02), False)):
        path = tc.Motion.linear(tc.pose(above), tc.pose(end))
        for separation, tolerance in ((0.05, 1e-3), (0.0, 0.05)):
            answer = tc.first_contact(
                ball,
                floor,
                path,
                initial="ignore_separating",
                separation=separation,
                tolerance=tolerance,
            )
            assert (answer.status is tc.Status.FREE) == free
