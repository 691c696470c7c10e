"""Robots keep the contract, judged by dense sampling with another library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracles.robot import RobotOracle

import toccata as tc
from toccata.robot.options import METHODS
from toccata.scenes.hand import hand
from toccata.scenes.mannequin import mannequin
from toccata.scenes.primitives import box
from toccata.scenes.robots import puma, wires

ACCURACY = 1e-9  # of coal, generously


def judge(oracle: RobotOracle, q0: np.ndarray, q1: np.ndarray, world: tc.Scene, **how: Any) -> bool:
    """Hold an answer against samples; return whether there was a contact."""
    contact = oracle.robot.first_contact(q0, q1, world, **how)
    assert oracle.robot.motion_is_free(q0, q1, world, **how) == (not contact)
    separation = how.get("separation", 0.0)
    assert contact.status != tc.Status.UNDECIDED
    gap, when = oracle.closest_until(q0, q1, min(contact.toc, 1.0))
    assert gap > separation - ACCURACY, f"missed a contact at {when}, got {contact}"
    if not contact:
        return False
    is_body = contact.link_b in oracle.bodies
    q = oracle.at(q0, q1, contact.toc)
    np.testing.assert_allclose(contact.q, q, atol=1e-12)
    gap = oracle.distance(contact.link_a, contact.link_b, is_body, q)
    assert gap <= separation + contact.tolerance + ACCURACY
    if contact.status == tc.Status.CONTACT:
        assert contact.toc > 0
        assert (
            np.linalg.norm(contact.point_a - contact.point_b)
            <= separation + contact.tolerance + 1e-12
        )
        assert abs(np.linalg.norm(contact.normal) - 1) < 1e-9
    return True


def sample(robot: tc.Robot, seed: int, count: int, angle: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    starts = robot.random_configurations(count, seed)
    return starts, starts + rng.uniform(-angle, angle, starts.shape)


def world_arrays(scene: tc.Scene) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    return {name: (mesh.vertices, mesh.faces) for name, (mesh, _) in scene._bodies.items()}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("separation", [0.0, 0.01])
@pytest.mark.parametrize("angle", [0.1, 1.0])
def test_puma_among_wires(angle: float, separation: float, method: str) -> None:
    robot, scene = puma(12), wires(9, seed=3)
    oracle = RobotOracle(robot, world_arrays(scene))
    touched = [
        judge(oracle, q0, q1, scene, separation=separation, method=method)
        for q0, q1 in zip(*sample(robot, int(10 * angle), 20, angle), strict=True)
    ]
    assert 1 < sum(touched) < 19, "sample too one-sided to prove anything"


def strange_robot() -> tc.Robot:
    """Return a robot with every kind of joint, two branches, mimics and a fixed joint."""
    cube = tc.Mesh(*box((0.3, 0.2, 0.1)))
    place = tc.pose((0.35, 0.1, 0.0), rotvec=(0.3, -0.5, 0.2))
    links = [tc.Link("base", cube)] + [tc.Link(name, cube) for name in "abcdefgh"]
    joints = [
        tc.Joint("float", "floating", "base", "a", place),
        tc.Joint("plane", "planar", "a", "b", place, axis=(1.0, 2.0, -0.5)),
        tc.Joint("fix", "fixed", "b", "c", place),
        tc.Joint("turn", "revolute", "c", "d", place, axis=(0.0, 1.0, 1.0), lower=-2, upper=2),
        tc.Joint("slide", "prismatic", "a", "e", place, axis=(1.0, 0.0, 0.0), lower=0, upper=0.5),
        tc.Joint("twist", "continuous", "e", "f", place, axis=(1.0, 0.0, 0.0)),
        tc.Joint("same", "revolute", "f", "g", place, mimic=tc.Mimic("turn", -1.5, 0.2)),
        tc.Joint("push", "prismatic", "g", "h", place, mimic=tc.Mimic("slide", 0.5, 0.1)),
    ]
    return tc.Robot(links, joints)


@pytest.mark.parametrize("method", METHODS)
def test_every_kind_of_joint(method: str) -> None:
    robot = strange_robot()
    scene = tc.Scene()
    scene.add("plate", tc.Mesh(*box((0.02, 3.0, 3.0))), tc.pose((1.2, 0.0, 0.0)))
    vertices, faces = box((0.02, 3.0, 3.0))
    oracle = RobotOracle(robot, {"plate": (vertices + (1.2, 0.0, 0.0), faces)})
    starts, ends = sample(robot, 5, 40, 0.7)
    touched = [
        judge(oracle, q0, q1, scene, method=method) for q0, q1 in zip(starts, ends, strict=True)
    ]
    assert 5 < sum(touched) < 38, "sample too one-sided to prove anything"


def test_kinematics_of_every_kind_of_joint() -> None:
    robot = strange_robot()
    oracle = RobotOracle(robot, {})
    for q in robot.random_configurations(20, 4):
        for name, pose in robot.forward_kinematics(q).items():
            np.testing.assert_allclose(pose, oracle.pose(name, q), atol=1e-12)
    q0, q1 = robot.random_configurations(2, 6)
    for t in (0.0, 0.4, 1.0):
        middle = robot.interpolate(q0, q1, t)
        for name, pose in robot.forward_kinematics(middle).items():
            np.testing.assert_allclose(pose, oracle.pose(name, oracle.at(q0, q1, t)), atol=1e-9)


@pytest.mark.parametrize("make", [hand, mannequin])
def test_hands_and_bodies_touch_themselves(make: Callable[[], tc.Robot]) -> None:
    """From rest to random configurations: one motion that is free, one that is not."""
    robot = make()
    oracle, scene = RobotOracle(robot, {}), tc.Scene()
    rest, rows = robot.zero_configuration(), robot.random_configurations(40, seed=2)
    rows[:, :7] = rest[:7]  # the root
    told = robot.first_contact_batch(np.tile(rest, (40, 1)), rows).status
    assert set(told) == {tc.Status.FREE, tc.Status.CONTACT}
    for status in (tc.Status.FREE, tc.Status.CONTACT):
        q = rows[np.argmax(told == status)]
        assert judge(oracle, rest, q, scene) == (status == tc.Status.CONTACT)
        times = [robot.first_contact(rest, q, scene, method=method).toc for method in METHODS]
        assert np.ptp([min(toc, 2.0) for toc in times]) < 1e-4


@pytest.mark.parametrize("angle", [0.1, 1.0])
def test_clearance_is_what_samples_say(angle: float) -> None:
    robot, scene = puma(12), wires(9, seed=3)
    oracle = RobotOracle(robot, world_arrays(scene))
    touched = 0
    for q0, q1 in zip(*sample(robot, int(10 * angle), 12, angle), strict=True):
        found = robot.clearance(q0, q1, scene)
        assert found.upper - found.lower <= found.tolerance
        touched += found.lower == 0
        gap, _ = oracle.closest_until(q0, q1, 1.0)
        assert gap >= found.lower - ACCURACY
        assert gap <= found.upper + 1e-2  # samples where bodies are close are not dense
        q = oracle.at(q0, q1, found.time)
        np.testing.assert_allclose(found.q, q, atol=1e-12)
        there = oracle.distance(found.link_a, found.link_b, found.link_b in oracle.bodies, q)
        assert found.lower - ACCURACY <= there <= found.upper + ACCURACY
    assert touched < 11, "sample too one-sided to prove anything"
