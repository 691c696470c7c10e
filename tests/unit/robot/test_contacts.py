"""All contacts of a robot at the time of the first one."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from oracles.robot import RobotOracle

import toccata as tc
from toccata._robot.options import METHODS
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm


def press(count: int = 2) -> tc.Robot:
    """Return unit cubes side by side, 2 apart, that sink together, and one that stays high."""
    links = [tc.Link("frame"), tc.Link("beam")]
    joints = [tc.Joint("sink", "prismatic", "frame", "beam", axis=(0, 0, -1))]
    for i in range(count):
        links.append(tc.Link(f"foot{i}", tc.Mesh(*box())))
        place = tc.pose((2.0 * i, 0.0, 0.0))
        joints.append(tc.Joint(f"knee{i}", "continuous", "beam", f"foot{i}", place))
    links.append(tc.Link("lamp", tc.Mesh(*box())))
    joints.append(tc.Joint("pole", "fixed", "frame", "lamp", tc.pose((0.0, 0.0, 9.0))))
    return tc.Robot(links, joints)


def floors() -> tc.Scene:
    """Return two floors with their tops at -3, wide enough for one foot each, and a far one."""
    scene = tc.Scene()
    for name, x in (("left", 0.0), ("right", 2.0), ("far", 20.0)):
        scene.add(name, tc.Mesh(*box((1.9, 3.0, 1.0))), tc.pose((x, 0.0, -3.5)))
    return scene


def corners_of(contacts: tuple[Any, ...], x: float) -> set[tuple[float, float]]:
    """Return at which corners of a foot contacts are; other points are left out."""
    found = {tuple(np.round(c.point_a[:2] - (x, 0.0), 6) + 0.0) for c in contacts}
    return {(a, b) for a, b in found if abs(a) == abs(b) == 0.5}


@pytest.mark.parametrize("method", METHODS)
def test_feet_stand_on_all_their_corners_at_once(method: Any) -> None:
    robot = press()
    q0, q1 = np.zeros(3), np.array([5.0, 0.0, 0.0])
    c = robot.first_contact(q0, q1, floors(), method=method, contacts="all")
    assert abs(c.toc - 0.5) < 1e-5
    pairs = {(one.link_a, one.link_b) for one in c.contacts}
    assert pairs == {("foot0", "left"), ("foot1", "right")}
    every = {(a, b) for a in (-0.5, 0.5) for b in (-0.5, 0.5)}
    for link, x in (("foot0", 0.0), ("foot1", 2.0)):
        own = tuple(one for one in c.contacts if one.link_a == link)
        assert corners_of(own, x) == every
    for one in c.contacts:
        assert one.toc == c.toc and np.array_equal(one.q, c.q)
        assert one.distance <= one.tolerance and one.status == tc.Status.CONTACT
        assert np.isnan(one.normal).all() or one.normal[2] > 0.99
    assert min(np.linalg.norm(one.point_a - c.point_a) for one in c.contacts) < 1e-9
    assert robot.first_contact(q0, q1, floors(), method=method).contacts == ()


def test_paths_splines_and_links_among_themselves() -> None:
    robot, world = press(), tc.Scene()
    world.add("step", tc.Mesh(*box((9.0, 3.0, 1.0))), tc.pose((0.0, 0.0, -3.5)))
    rows = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [4.0, 0.0, 0.0]])
    for kind in ("linear", "cubic"):
        c = robot.first_contact_path(rows, world, spline=kind, contacts="all")
        assert {(one.link_a, one.link_b) for one in c.contacts} == {
            ("foot0", "step"),
            ("foot1", "step"),
        }
        assert all(one.toc == c.toc and one.piece == c.piece == 1 for one in c.contacts)
        assert all(np.array_equal(one.q, c.q) for one in c.contacts)
    # Both feet turn: edges meet between them, halfway.
    c = press().first_contact([0, 0, 0], [0, 1.2, -1.2], separation=0.7, contacts="all")
    assert c.status == tc.Status.CONTACT
    assert {(one.link_a, one.link_b) for one in c.contacts} == {("foot0", "foot1")}
    assert all(0.69 < one.distance <= 0.7 + one.tolerance for one in c.contacts)
    assert all(abs(np.linalg.norm(one.normal) - 1) < 1e-9 for one in c.contacts)


def test_moving_worlds_and_ignored_pairs() -> None:
    robot, world = press(3), tc.Scene()
    rise = tc.Motion.linear(tc.pose((0.0, 0.0, -5.5)), tc.pose((0.0, 0.0, -1.5)))
    world.add("lift", tc.Mesh(*box((9.0, 3.0, 1.0))), rise)
    robot.ignore("foot1", "lift")
    rows = [[0.0, 0, 0, 0], [1.0, 0, 0, 0], [2.0, 0, 0, 0]]
    c = robot.first_contact_path(rows, world, contacts="all")
    assert {one.link_a for one in c.contacts} == {"foot0", "foot2"}
    # 4.5 between them, closing at 2 + 4.
    assert abs(c.toc - 0.75) < 1e-5


def test_statuses_without_contacts() -> None:
    robot = press()
    q0, q1 = np.zeros(3), np.array([5.0, 0.0, 0.0])
    assert robot.first_contact(q0, [1.0, 0, 0], floors(), contacts="all").contacts == ()
    assert robot.first_contact(q0, q1, floors(), contacts="all", budget=1).contacts == ()
    c = robot.first_contact([3.2, 0, 0], q1, floors(), contacts="all")
    assert c.status == tc.Status.INITIAL_OVERLAP
    assert {one.link_a for one in c.contacts} == {"foot0", "foot1"}
    assert all(one.status == tc.Status.INITIAL_OVERLAP for one in c.contacts)
    with pytest.raises(ValueError, match=r"contacts: expected one of first, all, got 'some'"):
        robot.first_contact(q0, q1, contacts="some")  # type: ignore[arg-type]


def test_answers_pickle_with_their_contacts() -> None:
    c = press().first_contact([0, 0, 0], [5, 0, 0], floors(), contacts="all")
    again = pickle.loads(pickle.dumps(c))
    assert len(again.contacts) == len(c.contacts) > 4
    for a, b in zip(again.contacts, c.contacts, strict=True):
        assert (a.link_a, a.link_b) == (b.link_a, b.link_b) and np.array_equal(a.point_a, b.point_a)


@pytest.mark.parametrize("separation", [0.0, 0.02])
def test_the_pairs_of_bodies_are_those_of_another_library(separation: float) -> None:
    """Two arms that mirror each other touch two walls, or each other, at the same time."""
    arm = planar_arm((0.5, 0.4, 0.3))
    both = tc.combine({"a": arm, "b": arm.placed(tc.pose((0.0, 0.0, 1.0)))})
    world, bodies = tc.Scene(), {}
    corners, faces = box((0.1, 0.1, 3.0))
    places = ((0.7, 0.5, 0.0), (-0.6, 0.4, 0.0), (0.2, -0.9, 0.0))
    for i, place in enumerate(places):
        bodies[f"post{i}"] = np.asarray(corners) + place, faces
        world.add(f"post{i}", tc.Mesh(*bodies[f"post{i}"]))
    roots = {"b/base": tc.pose((0.0, 0.0, 1.0))}
    oracle, rng, several = RobotOracle(both, bodies, roots), np.random.default_rng(4), 0
    for _ in range(40):
        half0 = rng.uniform(-3, 3, 3)
        half1 = half0 + rng.uniform(-1.5, 1.5, 3)
        q0, q1 = np.tile(half0, 2), np.tile(half1, 2)
        c = both.first_contact(q0, q1, world, separation=separation, contacts="all")
        if not c:
            continue
        near = {
            (a, b)
            for a, b, is_body in oracle.pairs(True)
            if oracle.distance(a, b, is_body, c.q) <= separation + 0.5 * c.tolerance
        }
        listed = {(one.link_a, one.link_b) for one in c.contacts}
        assert near <= listed and (c.link_a, c.link_b) in listed
        for a, b in listed:
            gap = oracle.distance(a, b, b in bodies, c.q)
            assert gap <= separation + c.tolerance + 1e-9
        several += len(listed) > 1 and c.status == tc.Status.CONTACT
    assert several > 3, "sample too one-sided to prove anything"
