"""Motions in a row: memory changes the work, never what is certified."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from oracles.robot import RobotOracle

import toccata as tc
from toccata.scenes.primitives import box, icosphere
from toccata.scenes.robots import planar_arm, puma

METHODS: Any = ["auto", "hca"]


def posts() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    corners, faces = box((0.1, 0.12, 1.0))
    places = ((0.9, 0.5, 0.0), (-0.6, 0.7, 0.0), (0.2, -1.0, 0.0))
    return {f"post{i}": (np.asarray(corners) + at, faces) for i, at in enumerate(places)}


def scene_of(bodies: dict[str, tuple[np.ndarray, np.ndarray]]) -> tc.Scene:
    scene = tc.Scene()
    for name, mesh in bodies.items():
        scene.add(name, tc.Mesh(*mesh))
    return scene


def judge(oracle: RobotOracle, c: tc.RobotContact, ends: Any, separation: float) -> None:
    """Hold an answer against samples with another library."""
    q0, q1 = ends
    assert c.status != tc.Status.UNDECIDED
    gap, when = oracle.closest_until(q0, q1, min(c.toc, 1.0))
    assert gap > max(separation - 1e-9, 0), f"missed a contact at {when}, got {c}"
    if c:
        is_body = c.link_b in oracle.bodies
        near = oracle.distance(c.link_a, c.link_b, is_body, oracle.at(q0, q1, c.toc))
        assert near <= separation + c.tolerance + 1e-9


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("separation", [0.0, 0.01])
def test_a_sequence_may_touch_different_bodies_in_turn(method: Any, separation: float) -> None:
    robot, bodies = planar_arm((0.5, 0.4, 0.3)), posts()
    oracle, world = RobotOracle(robot, bodies), scene_of(bodies)
    sequence = tc.RobotSequence(robot, world, method=method)
    rng, touched, seen = np.random.default_rng(1), 0, set()
    q0 = np.array([0.0, 0.4, 0.3])
    for k in range(60):
        # Forward and back, so that what touched last is rarely what touches next.
        q1 = q0 + np.array([(-1.0) ** k * 2.0, 0.0, 0.0]) + rng.uniform(-0.4, 0.4, 3)
        c = sequence.first_contact(q0, q1, separation=separation)
        judge(oracle, c, (q0, q1), separation)
        plain = robot.first_contact(q0, q1, world, separation=separation, method=method)
        assert c.status == plain.status
        if c:
            assert abs(c.toc - plain.toc) < 1e-4
            touched += 1
            seen.add((c.link_a, c.link_b))
            t = max(0.0, 0.7 * c.toc)
            q0 = robot.interpolate(q0, q1, t)
        else:
            q0 = q1
    assert 10 < touched < 60 and len(seen) > 2, "sample too one-sided to prove anything"


@pytest.mark.parametrize("method", METHODS)
def test_robot_and_world_may_change_meanwhile(method: Any) -> None:
    robot, bodies = planar_arm((0.5, 0.4, 0.3)), posts()
    q0, q1 = np.array([-0.6, 0.1, 0.1]), np.array([2.5, 0.2, 0.1])
    world = tc.Scene()
    ball, faces = icosphere(0.1, 3)
    world.add("post0", tc.Mesh(np.asarray(ball) + (0.9, 0.5, 0.0), faces))
    sequence = tc.RobotSequence(robot, world, method=method)
    first = sequence.first_contact(q0, q1)
    assert first.link_b == "post0" and first.triangle_b >= 12
    # The same name, with fewer triangles; then others before it.
    for names in (["post0"], ["post1", "post0"], ["post1", "post2"]):
        own = {name: bodies[name] for name in names}
        sequence._world = scene_of(own)
        c = sequence.first_contact(q0, q1)
        judge(RobotOracle(robot, own), c, (q0, q1), 0.0)
    for link in robot.link_names:
        robot.ignore(link, "post1")
    c = sequence.first_contact(q0, q1)
    assert c.link_b != "post1"
    judge(RobotOracle(robot, {"post2": bodies["post2"]}), c, (q0, q1), 0.0)


def test_every_pair_of_bodies_has_its_own_memory() -> None:
    """Two posts in turn: what touched before the last one is still known."""
    robot, bodies = planar_arm((0.5, 0.4, 0.3)), posts()
    world = scene_of(bodies)
    swings = [(np.array([-0.6, 0.1, 0.1]), np.array([1.5, 0.1, 0.1]))]
    swings.append((np.array([1.5, 0.1, 0.1]), np.array([3.2, 0.1, 0.1])))
    sequence = tc.RobotSequence(robot, world, method="hca")
    work = []
    for k in range(6):
        c = sequence.first_contact(*swings[k % 2])
        assert c.status == tc.Status.CONTACT
        work.append(c.stats.ca_iterations)
    assert {sequence.first_contact(*swing).link_b for swing in swings} == {"post0", "post1"}
    assert work[2] == work[4] < work[0] and work[3] == work[5] < work[1]


@pytest.mark.parametrize("method", METHODS)
def test_budgets_hold_and_copies_start_without_memory(method: Any) -> None:
    robot, world = planar_arm((0.5, 0.4, 0.3)), scene_of(posts())
    q0, q1 = np.array([-0.6, 0.1, 0.1]), np.array([1.5, 0.1, 0.1])
    sequence = tc.RobotSequence(robot, world, method=method)
    whole = sequence.first_contact(q0, q1)
    for budget in (1, 2, 3, 5, 8, 13):
        c = sequence.first_contact(q0, q1, budget=budget)
        assert c.status in (tc.Status.UNDECIDED, tc.Status.CONTACT)
        assert c.safe_until <= whole.toc + 1e-6
        if c.status == tc.Status.CONTACT:
            assert abs(c.toc - whole.toc) < 1e-4
    again = pickle.loads(pickle.dumps(sequence))
    assert again.first_contact(q0, q1).toc == whole.toc
    assert again._method == method


def test_methods_without_memory_are_refused() -> None:
    with pytest.raises(ValueError, match=r"a RobotSequence accepts auto, hca, adaptive"):
        tc.RobotSequence(puma(6), method="interval")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_initial_overlaps_are_reported_with_memory_too(method: Any) -> None:
    robot, world = planar_arm((0.5, 0.4, 0.3)), scene_of(posts())
    q0, q1 = np.array([-0.6, 0.1, 0.1]), np.array([1.5, 0.1, 0.1])
    sequence = tc.RobotSequence(robot, world, method=method)
    c = sequence.first_contact(q0, q1)
    later = robot.interpolate(q0, q1, c.toc + 0.03)
    for how in ("report", "ignore_separating"):
        found = sequence.first_contact(later, q1, initial=how)
        plain = robot.first_contact(later, q1, world, initial=how, method=method)
        assert found.status == plain.status == tc.Status.INITIAL_OVERLAP
    back = sequence.first_contact(c.q, q0, initial="ignore_separating")
    assert back.status == robot.first_contact(c.q, q0, world, initial="ignore_separating").status
