"""initial="resting": what starts close by may rest, slide and roll, and hides nothing else."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._options import Method, RobotMethod
from toccata.scenes.models import icosphere
from toccata.scenes.primitives import box
from toccata.scenes.surface import shifted
from toccata.surfaces import sphere

METHODS: tuple[Method, ...] = ("auto", "hca", "c2a", "interval")
ROBOT_METHODS: tuple[RobotMethod, ...] = ("auto", "hca", "interval")
GAP = 1e-4
"""At which things rest."""
NEAR = 1e-3
"""The separation that they are asked about."""
CUBE = tc.Mesh(*box())
FLOOR = tc.Mesh(*shifted(box((10.0, 10.0, 1.0)), (0.0, 0.0, -0.5)))


def above(x: float, y: float, gap: float = GAP, **rotation: object) -> np.ndarray:
    return tc.pose((x, y, 0.5 + gap), **rotation)  # type: ignore[arg-type]


def ask(a: tc.Mesh, b: tc.Mesh, motion: tc.Motion, method: Method = "auto") -> tc.Contact:
    return tc.first_contact(
        a, b, motion, initial="resting", separation=NEAR, tolerance=1e-5, method=method
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_cube_rests_slides_and_turns_on_a_floor(method: Method) -> None:
    still = tc.Motion.fixed(above(0, 0))
    slide = tc.Motion.linear(above(-1, 0), above(2, 1))
    turn = tc.Motion.linear(above(0, 0), above(0, 0, rotvec=(0, 0, 2.0)))
    for motion in (still, slide, turn):
        assert (
            tc.first_contact(CUBE, FLOOR, motion, separation=NEAR).status.name == "INITIAL_OVERLAP"
        )
        found = ask(CUBE, FLOOR, motion, method)
        assert found.status is tc.Status.FREE, motion
        assert found.tolerance == pytest.approx(GAP / 8, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_what_sinks_in_touches_at_half_its_distance(method: Method) -> None:
    found = ask(CUBE, FLOOR, tc.Motion.linear(above(0, 0), above(1, 0, -1.0)), method)
    assert found.status is tc.Status.CONTACT
    assert GAP / 2 - 1e-12 <= found.distance <= 5 / 8 * GAP + 1e-12
    exact = GAP / 2 / (1 + GAP)
    assert 0.7 * exact <= found.toc <= exact


def test_a_ball_rolls() -> None:
    ball = tc.Mesh(*icosphere(0.5, 3))
    roll = tc.Motion.twist(above(-3, 0, 2e-4), linear=(5.0, 0, 0), angular=(0, 10.0, 0))
    lowest = min(roll.pose(t)[2, :3] @ v for t in np.linspace(0, 1, 200) for v in ball.vertices)
    assert lowest > -0.5 - 1e-12  # no vertex gets below the sphere
    found = ask(ball, FLOOR, roll)
    assert found.status is tc.Status.FREE


def test_curved_surfaces_rest_too() -> None:
    roll = tc.Motion.twist(above(-3, 0), linear=(5.0, 0, 0), angular=(0, 10.0, 0))
    found = ask(sphere(0.5), FLOOR, roll)  # type: ignore[arg-type]
    assert found.status is tc.Status.FREE
    sink = tc.Motion.linear(above(0, 0), above(0, 0, -0.2))
    found = ask(sphere(0.5), FLOOR, sink)  # type: ignore[arg-type]
    assert found.status is tc.Status.CONTACT and 0 < found.distance < GAP


@pytest.mark.parametrize("gap", [1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("direction", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.6, 0, 0.8)])
def test_spheres_rest_at_small_gaps(direction: tuple[float, ...], gap: float) -> None:
    """At their poles too, where all longitudes meet."""
    ball, away = sphere(0.5), np.array(direction)
    start, aside = away * (1 + gap), np.cross(away, (0.3, 0.5, 0.2))
    how: Any = {"initial": "resting", "separation": 1e-3, "tolerance": 1e-5}
    for way, status in ((0.1 * aside, "FREE"), (-0.1 * away, "CONTACT"), (0 * away, "FREE")):
        motion = tc.Motion.linear(tc.pose(start), tc.pose(start + way))
        found = tc.first_contact(ball, ball, motion, **how)
        assert found.status.name == status
        assert found.tolerance == pytest.approx(gap / 8, rel=1e-2)
        if found:
            assert gap / 2 - 1e-12 <= found.distance <= 5 / 8 * gap + 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_it_slides_along_a_groove_and_into_a_corner(method: Method) -> None:
    walls = [FLOOR]
    for x, size in ((0.5 + GAP + 0.5, 1.0), (-0.5 - GAP - 0.5, 1.0)):
        walls.append(tc.Mesh(*shifted(box((size, 10.0, 4.0)), (x, 0.0, 0.0))))
    end = tc.Mesh(*shifted(box((8.0, 1.0, 4.0)), (0.0, 4.0, 0.0)))  # from y = 3.5 on
    scene = tc.Scene()
    scene.add("cube", CUBE, tc.Motion.linear(above(0, 0), above(0, 2)))
    for i, wall in enumerate(walls):
        scene.add(f"wall {i}", wall)
    scene.add("end", end)
    for i in range(3):
        for j in range(i + 1, 3):
            scene.ignore(f"wall {i}", f"wall {j}")
        scene.ignore(f"wall {i}", "end")
    how = {"initial": "resting", "separation": NEAR, "tolerance": 1e-5, "method": method}
    assert scene.first_contact(**how).status is tc.Status.FREE  # type: ignore[arg-type]
    scene.move("cube", tc.Motion.linear(above(0, 0), above(0, 5)))
    found = scene.first_contact(**how)  # type: ignore[arg-type]
    assert (found.body_a, found.body_b) == ("cube", "end")
    assert found.toc == pytest.approx((3.5 - 0.5 - NEAR) / 5, abs=1e-4)  # of NEAR, as was asked
    rows = scene.contacts(**how)  # type: ignore[arg-type]
    assert [
        (scene.names[a], scene.names[b]) for a, b in zip(rows.body_a, rows.body_b, strict=True)
    ] == [("cube", "end")]


def test_resting_hides_no_other_contact_of_the_same_bodies() -> None:
    step = tc.Mesh(*shifted(box((1.0, 4.0, 1.0)), (3.0, 0.0, 0.3)))  # up to z = 0.8
    floor = tc.Mesh(
        np.concatenate([FLOOR.vertices, step.vertices]),
        np.concatenate([FLOOR.faces, step.faces + len(FLOOR.vertices)]),
    )
    found = ask(CUBE, floor, tc.Motion.linear(above(0, 0), above(4, 0)))
    # The pair rests at GAP, and is asked about half of that all over.
    assert found.status is tc.Status.CONTACT
    assert found.toc == pytest.approx((2.5 - 0.5 - GAP / 2) / 4, abs=1e-5)


def test_tiny_bodies_rest_by_their_own_tolerance() -> None:
    tiny = 2.0**-300
    cube = tc.Mesh(CUBE.vertices * tiny, CUBE.faces)
    floor = tc.Mesh(FLOOR.vertices * tiny, FLOOR.faces)
    poses = [tc.pose((0, 0, z * tiny)) for z in (0.5 + GAP, 0.0)]
    how = {"initial": "resting", "separation": NEAR * tiny, "tolerance": 1e-5 * tiny}
    found = tc.first_contact(cube, floor, tc.Motion.linear(*poses), **how)  # type: ignore[arg-type]
    assert found.status is tc.Status.CONTACT
    assert found.tolerance == pytest.approx(GAP / 8 * tiny, rel=1e-6)


def test_pairs_that_start_farther_apart_are_asked_what_was_asked() -> None:
    motion = tc.Motion.linear(above(0, 0, 1.0), above(0, 0, -1.0))
    plain = tc.first_contact(CUBE, FLOOR, motion, separation=NEAR, tolerance=1e-5)
    found = ask(CUBE, FLOOR, motion)
    assert (found.toc, found.tolerance) == (plain.toc, plain.tolerance)


@pytest.mark.parametrize("gap", [0.0, -0.1])
def test_what_starts_in_contact_stays_an_overlap(gap: float) -> None:
    found = ask(CUBE, FLOOR, tc.Motion.linear(above(0, 0, gap), above(0, 0, 1.0)))
    assert found.status is tc.Status.INITIAL_OVERLAP


def test_inside_a_solid_is_an_overlap() -> None:
    solid = tc.Mesh(*box((1.0, 1.0, 1.0)), solid=True)
    grain = tc.Mesh(*box((0.1, 0.1, 0.1)))
    inside = tc.Motion.fixed(tc.pose((0, 0, 0.45 - GAP)))
    assert ask(grain, solid, inside).status is tc.Status.INITIAL_OVERLAP


@pytest.mark.parametrize("method", METHODS)
def test_rounding_that_hides_the_start_is_undecided_at_once(method: Method) -> None:
    motion = tc.Motion.linear(above(0, 0, 1e-14), above(1, 0, 1e-14))
    found = ask(CUBE, FLOOR, motion, method)
    assert found.status is tc.Status.UNDECIDED and found.toc == found.safe_until == 0
    scene = tc.Scene()
    scene.add("cube", CUBE, motion)
    scene.add("floor", FLOOR)
    found = scene.first_contact(initial="resting", separation=NEAR, tolerance=1e-5, method=method)
    assert found.status is tc.Status.UNDECIDED and found.toc == 0
    assert (found.body_a, found.body_b) == ("cube", "floor")


def test_all_contacts_are_those_of_the_question_that_was_asked() -> None:
    sink = tc.Motion.linear(above(0, 0), above(0, 0, -1.0))
    found = tc.first_contact(CUBE, FLOOR, sink, initial="resting", separation=NEAR, contacts="all")
    points = {tuple(np.round(c.point_a[:2], 6)) for c in found.contacts}
    assert {(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)} <= points


def test_random_starts_keep_their_distance() -> None:
    rng = np.random.default_rng(11)
    seen = {status: 0 for status in tc.Status}
    for _ in range(60):
        start = tc.pose((0, 0, 0), rotvec=rng.normal(size=3))
        lowest = (CUBE.vertices @ start[:3, :3].T)[:, 2].min()
        gap = 10 ** rng.uniform(-6, -3)
        start[2, 3] = gap - lowest
        motion = tc.Motion.twist(start, rng.normal(0, 1, 3) * (1, 1, 0.1), rng.normal(0, 1, 3))
        found = ask(CUBE, FLOOR, motion)
        seen[found.status] += 1
        until = min(found.toc, 1.0)
        times = np.linspace(0, until, 200)[:-1]
        heights = [(CUBE.vertices @ T[:3, :3].T + T[:3, 3])[:, 2].min() for T in motion.pose(times)]
        assert min(heights) > gap / 2 * (1 - 1e-9)
        if found.status is tc.Status.CONTACT:
            T = motion.pose(found.toc)
            height = (CUBE.vertices @ T[:3, :3].T + T[:3, 3])[:, 2].min()
            assert height <= 5 / 8 * gap * (1 + 1e-6)
    assert seen[tc.Status.FREE] > 5 and seen[tc.Status.CONTACT] > 20
    assert seen[tc.Status.INITIAL_OVERLAP] == 0


def cart() -> tc.Robot:
    """A cube on a rail along x, just above the floor, that can be lifted."""
    links = [
        tc.Link("base"),
        tc.Link("slide"),
        tc.Link("cart", tc.Mesh(*shifted(box(), (0, 0, 0.5)))),
    ]
    joints = [
        tc.Joint("rail", "prismatic", "base", "slide", axis=(1, 0, 0)),
        tc.Joint("lift", "prismatic", "slide", "cart", axis=(0, 0, 1)),
    ]
    return tc.Robot(links, joints)


@pytest.mark.parametrize("method", ROBOT_METHODS)
def test_a_robot_slides_on_the_floor(method: RobotMethod) -> None:
    world = tc.Scene()
    world.add("floor", FLOOR)
    how = {"initial": "resting", "separation": NEAR, "tolerance": 1e-5, "method": method}
    robot = cart()
    found = robot.first_contact([0, GAP], [2, GAP], world, **how)  # type: ignore[arg-type]
    assert found.status is tc.Status.FREE
    found = robot.first_contact([0, GAP], [2, -1], world, **how)  # type: ignore[arg-type]
    assert found.status is tc.Status.CONTACT and found.distance <= 5 / 8 * GAP + 1e-12
    assert found.tolerance == pytest.approx(GAP / 8, rel=1e-6)
    found = robot.first_contact([0, 1e-14], [2, 1e-14], world, **how)  # type: ignore[arg-type]
    assert found.status is tc.Status.UNDECIDED and found.toc == 0 and found.link_b == "floor"
    found = robot.first_contact([0, -0.1], [2, 1], world, **how)  # type: ignore[arg-type]
    assert found.status is tc.Status.INITIAL_OVERLAP


def test_a_turning_crank_rests_on_its_stop() -> None:
    bar = tc.Mesh(*shifted(box((1.0, 0.1, 0.1)), (0.5, 0, 0)))
    joint = tc.Joint("hinge", "revolute", "base", "bar", axis=(0, 0, 1))
    robot = tc.Robot([tc.Link("base"), tc.Link("bar", bar)], [joint])
    world = tc.Scene()
    world.add("stop", tc.Mesh(*shifted(box((0.2, 0.2, 0.2)), (0.9, -0.15 - GAP, 0))))
    how = {"initial": "resting", "separation": NEAR, "tolerance": 1e-5}
    away = robot.first_contact([0.0], [pi], world, **how)  # type: ignore[arg-type]
    assert away.status is tc.Status.FREE
    against = robot.first_contact([0.0], [-1.0], world, **how)  # type: ignore[arg-type]
    assert against.status is tc.Status.CONTACT and against.toc < GAP


BALL = tc.Mesh(*icosphere(0.5, 2))
APART = {"separation": 0.025, "tolerance": 1e-6}
"""A question that a ball 0.1 above a cube does not start near."""


def lowered(start: float, end: float, x: float = 0.0) -> tc.Motion:
    """Move a ball from one distance above a unit cube to another."""
    return tc.Motion.linear(tc.pose((x, 0, 1 + start)), tc.pose((x, 0, 1 + end)))


def ball_on_a_rail() -> tc.Robot:
    rail = tc.Joint("z", "prismatic", "base", "ball")
    return tc.Robot([tc.Link("base"), tc.Link("ball", BALL)], [rail])


@pytest.mark.parametrize("method", METHODS)
def test_bodies_that_start_apart_keep_their_separation(method: Method) -> None:
    """Though boxes around their triangles are near each other."""
    for x in (0.0, 0.1, 0.35):
        down = lowered(0.1, 0.015, x)
        plain = tc.first_contact(BALL, CUBE, down, method=method, **APART)
        found = tc.first_contact(BALL, CUBE, down, method=method, initial="resting", **APART)
        assert plain.status is found.status is tc.Status.CONTACT
        assert (found.toc, found.tolerance) == (plain.toc, plain.tolerance)
        assert found.toc == pytest.approx((0.1 - 0.025) / 0.085, abs=1e-4)


def test_batches_scenes_and_robots_keep_the_separation_of_pairs_that_start_apart() -> None:
    down = lowered(0.1, 0.015)
    due = (0.1 - 0.025) / 0.085
    rows = tc.first_contact_batch(
        BALL, CUBE, [down.pose(0)], [down.pose(1)], initial="resting", **APART
    )
    assert rows.toc[0] == pytest.approx(due, abs=1e-4)
    scene, world, robot = tc.Scene(), tc.Scene(), ball_on_a_rail()
    scene.add("ball", BALL, down)
    scene.add("cube", CUBE)
    world.add("cube", CUBE)
    assert scene.first_contact(initial="resting", **APART).toc == pytest.approx(due, abs=1e-4)
    padded = robot.padded({"ball": 0.025})
    for method in ROBOT_METHODS:
        how = {"initial": "resting", "method": method}
        found = robot.first_contact([1.1], [1.015], world, **how, **APART)  # type: ignore[arg-type]
        assert found.toc == pytest.approx(due, abs=1e-4)
        found = padded.first_contact([1.1], [1.015], world, tolerance=1e-6, **how)  # type: ignore[arg-type]
        assert found.toc == pytest.approx(due, abs=1e-4)


@pytest.mark.parametrize("gap", [0.126, 0.124, 0.11, 0.101, 0.1000012])
def test_curved_surfaces_that_start_apart_keep_their_separation(gap: float) -> None:
    large, small = sphere(1.0), sphere(0.5)
    down = tc.Motion.linear(tc.pose((0, 0, 1.5 + gap)), tc.pose((0, 0, 1.56)))
    found = tc.first_contact(small, large, down, initial="resting", separation=0.1, tolerance=1e-6)
    assert found.status is tc.Status.CONTACT and found.tolerance == 1e-6
    assert found.toc == pytest.approx((gap - 0.1) / (gap - 0.06), abs=1e-4)


@pytest.mark.parametrize("gap", [0.0999, 0.05, 1e-3])
def test_curved_surfaces_rest_at_half_of_their_distance(gap: float) -> None:
    large, small = sphere(1.0), sphere(0.5)
    how = {"initial": "resting", "separation": 0.1, "tolerance": 1e-6}
    for end, touches in ((0.4, True), (0.7, False)):
        down = tc.Motion.linear(tc.pose((0, 0, 1.5 + gap)), tc.pose((0, 0, 1.5 + end * gap)))
        found = tc.first_contact(small, large, down, **how)  # type: ignore[arg-type]
        assert found.status is (tc.Status.CONTACT if touches else tc.Status.FREE)
        assert found.tolerance == pytest.approx(gap / 8, rel=5e-3)
        if touches:
            assert gap / 2 <= found.distance <= 5 / 8 * gap * (1 + 1e-6)


@pytest.mark.parametrize("method", ROBOT_METHODS)
def test_a_path_rests_by_its_start_and_not_by_those_of_its_pieces(method: RobotMethod) -> None:
    world, robot = tc.Scene(), ball_on_a_rail()
    world.add("cube", CUBE)
    how = {"initial": "resting", "separation": 0.025, "tolerance": 1e-4, "method": method}
    # It rests at 0.02, comes down to 0.012 in one piece, and to 0.007 in the next.
    down = [[1.02], [1.012], [1.007]]
    found = robot.first_contact_path(down, world, **how)  # type: ignore[arg-type]
    assert found.status is tc.Status.CONTACT
    assert 0.01 - 1e-9 <= found.distance <= 5 / 8 * 0.02 + 1e-9
    assert found.toc == pytest.approx(0.5 + 0.5 * (0.012 - found.distance) / 0.005, abs=1e-3)
    assert found.tolerance == pytest.approx(0.02 / 8, rel=1e-6)
    assert robot.first_contact_path(down[:2] * 3, world, **how).status is tc.Status.FREE  # type: ignore[arg-type]
    # It starts apart, and the first piece ends just beyond the separation.
    down = [[1.1], [1.02505], [1.015]]
    found = robot.first_contact_path(down, world, **how)  # type: ignore[arg-type]
    assert found.status is tc.Status.CONTACT
    assert 0.025 - 1e-9 <= found.distance <= 0.0251 + 1e-9


def test_all_contacts_of_a_path_are_those_of_its_start() -> None:
    world, robot = tc.Scene(), ball_on_a_rail()
    world.add("cube", CUBE)
    found = robot.first_contact_path(
        [[1.02], [1.012], [1.007]],
        world,
        initial="resting",
        separation=0.025,
        tolerance=1e-4,
        contacts="all",
    )
    assert found.contacts and all(c.distance <= 5 / 8 * 0.02 + 1e-9 for c in found.contacts)


def test_scenes_and_robots_find_what_rests_beyond_a_separation_of_none() -> None:
    """Without a tolerance of their own, too: half of the distance is more than the separation."""
    start, end = 4e-7, 1e-7
    scene, world = tc.Scene(), tc.Scene()
    scene.add("cube", CUBE, tc.Motion.linear(above(0, 0, start), above(0, 0, end)))
    scene.add("floor", FLOOR)
    world.add("floor", FLOOR)
    motion = tc.Motion.linear(above(0, 0, start), above(0, 0, end))
    assert tc.first_contact(CUBE, FLOOR, motion, initial="resting").status is tc.Status.CONTACT
    assert scene.first_contact(initial="resting").status is tc.Status.CONTACT
    for method in ROBOT_METHODS:
        found = cart().first_contact([0, start], [0, end], world, initial="resting", method=method)
        assert found.status is tc.Status.CONTACT, method
