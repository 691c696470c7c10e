"""Robots keep the contract, judged by dense sampling with another library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracles.robot import RobotOracle
from scipy.interpolate import BPoly, CubicSpline

import toccata as tc
from toccata._robot.options import METHODS
from toccata.scenes.primitives import box
from toccata.scenes.robots import puma, wires
from toccata_bench.scenes.hand import hand
from toccata_bench.scenes.mannequin import mannequin

ACCURACY = 1e-9  # error of coal, generously


def judge(oracle: RobotOracle, q0: np.ndarray, q1: np.ndarray, world: tc.Scene, **how: Any) -> bool:
    """Compare an answer with samples; return whether there was a contact."""
    contact = oracle.robot.first_contact(q0, q1, world, **how)
    same = {name: value for name, value in how.items() if name != "stages"}
    assert oracle.robot.motion_is_free(q0, q1, world, **same) == (not contact)
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
def test_a_puma_among_wires_agrees_with_samples(
    angle: float, separation: float, method: str
) -> None:
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
    offset = tc.pose((0.35, 0.1, 0.0), rotvec=(0.3, -0.5, 0.2))
    links = [tc.Link("base", cube)] + [tc.Link(name, cube) for name in "abcdefgh"]
    joints = [
        tc.Joint("float", "floating", "base", "a", offset),
        tc.Joint("plane", "planar", "a", "b", offset, axis=(1.0, 2.0, -0.5)),
        tc.Joint("fix", "fixed", "b", "c", offset),
        tc.Joint("turn", "revolute", "c", "d", offset, axis=(0.0, 1.0, 1.0), lower=-2, upper=2),
        tc.Joint("slide", "prismatic", "a", "e", offset, axis=(1.0, 0.0, 0.0), lower=0, upper=0.5),
        tc.Joint("twist", "continuous", "e", "f", offset, axis=(1.0, 0.0, 0.0)),
        tc.Joint("same", "revolute", "f", "g", offset, mimic=tc.Mimic("turn", -1.5, 0.2)),
        tc.Joint("push", "prismatic", "g", "h", offset, mimic=tc.Mimic("slide", 0.5, 0.1)),
    ]
    return tc.Robot(links, joints)


@pytest.mark.parametrize("method", METHODS)
def test_every_kind_of_joint_agrees_with_samples(method: str) -> None:
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


def test_kinematics_of_every_kind_of_joint_follow_their_definition() -> None:
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
def test_self_contacts_agree_with_samples(make: Callable[[], tc.Robot]) -> None:
    """Robots move from rest to random configurations, with free and colliding motions."""
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
def test_clearances_agree_with_samples(angle: float) -> None:
    robot, scene = puma(12), wires(6, seed=3)
    oracle = RobotOracle(robot, world_arrays(scene))
    touched = 0
    for q0, q1 in zip(*sample(robot, int(10 * angle), 7, angle), strict=True):
        found = robot.clearance(q0, q1, scene)
        assert found.upper - found.lower <= found.tolerance
        touched += found.lower == 0
        rows = np.array([oracle.at(q0, q1, t) for t in np.linspace(0, 1, 25)])
        gap, _ = oracle.closest_sampled(rows)
        assert gap >= found.lower - ACCURACY
        assert gap <= found.upper + 0.1 * angle  # bounds the motion of a link between two samples
        q = oracle.at(q0, q1, found.time)
        np.testing.assert_allclose(found.q, q, atol=1e-12)
        there = oracle.distance(found.link_a, found.link_b, found.link_b in oracle.bodies, q)
        assert found.lower - ACCURACY <= there <= found.upper + ACCURACY
    assert touched < 6, "sample too one-sided to prove anything"


def smooth_path(kind: str, rows: np.ndarray, velocities: np.ndarray) -> object:
    """Return the same splines from another library, over times 0 to 1."""
    times = np.arange(len(rows)) / (len(rows) - 1)
    if kind == "cubic":
        return CubicSpline(times, rows, bc_type="clamped")
    values = np.stack([rows, velocities, np.zeros_like(rows)], axis=1)
    return BPoly.from_derivatives(times, values)


@pytest.mark.parametrize(("kind", "separation"), [("cubic", 0.0), ("quintic", 0.02)])
def test_splines_keep_the_contract(kind: str, separation: float) -> None:
    robot, scene = puma(12), wires(6, seed=3)
    oracle = RobotOracle(robot, world_arrays(scene))
    rng = np.random.default_rng(17)
    touched = 0
    for start in robot.random_configurations(6, 23):
        rows = start + np.cumsum(rng.uniform(-0.4, 0.4, (3, 6)), axis=0)
        velocities = rng.uniform(-1, 1, rows.shape)
        path = smooth_path(kind, rows, velocities)
        more = {} if kind == "cubic" else {"velocities": velocities, "accelerations": 0 * rows}
        contact = robot.first_contact_path(rows, scene, spline=kind, separation=separation, **more)
        end = min(contact.toc, 1.0)
        gap, row = oracle.closest_sampled(path(np.linspace(0, end, 30)[:-1]))
        assert gap > separation - ACCURACY or end == 0, f"missed a contact, sample {row}"
        if not contact:
            near = robot.clearance_path(rows, scene, spline=kind, **more)
            assert near.lower - ACCURACY <= gap and near.upper - near.lower <= near.tolerance
            there = oracle.closest_sampled(path([near.time]))[0]
            assert near.lower - ACCURACY <= there <= near.upper + ACCURACY
            continue
        touched += 1
        np.testing.assert_allclose(contact.q, path(contact.toc), atol=1e-9)
        is_body = contact.link_b in oracle.bodies
        gap = oracle.distance(contact.link_a, contact.link_b, is_body, contact.q)
        assert gap <= separation + contact.tolerance + ACCURACY
    assert 0 < touched < 6, "sample too one-sided to prove anything"


def test_splines_of_every_kind_of_joint_keep_the_contract() -> None:
    whole = strange_robot()
    joints = [
        tc.Joint("float", "revolute", "base", "a", joint.origin)
        if joint.kind == "floating"
        else joint
        for joint in whole.joints
    ]
    robot = tc.Robot(whole.links.values(), joints)
    oracle = RobotOracle(robot, {})
    rng = np.random.default_rng(19)
    touched = 0
    for rows in rng.uniform(-0.6, 0.6, (12, 4, robot.dof)):
        contact = robot.first_contact_path(rows, spline="cubic")
        path = smooth_path("cubic", rows, rows)
        end = min(contact.toc, 1.0)
        gap, row = oracle.closest_sampled(path(np.linspace(0, end, 40)[:-1]))
        assert gap > -ACCURACY and (gap > 0 or end == 0), f"missed a contact, sample {row}"
        if contact and end > 0:
            touched += 1
            np.testing.assert_allclose(contact.q, path(contact.toc), atol=1e-9)
            gap = oracle.distance(contact.link_a, contact.link_b, False, contact.q)
            assert gap <= contact.tolerance + ACCURACY
    assert 1 < touched < 11, "sample too one-sided to prove anything"


def test_links_move_at_constant_velocity_relative_to_their_parents() -> None:
    """Floating joints cover equations 2 to 6 of Redon et al. 2004."""
    cube = tc.Mesh(*box((0.3, 0.2, 0.1)))
    joints = [
        tc.Joint("one", "floating", "base", "a", tc.pose((0.5, 0.0, 0.0), rotvec=(0.1, 0.2, 0.3))),
        tc.Joint("two", "floating", "a", "b", tc.pose((0.6, 0.1, 0.0))),
        tc.Joint("three", "planar", "b", "c", tc.pose((0.6, 0.0, 0.2)), axis=(0.0, 1.0, 1.0)),
    ]
    robot = tc.Robot([tc.Link("base", cube), *(tc.Link(n, cube) for n in "abc")], joints)
    q0, q1 = robot.random_configurations(2, 12)
    q0[:3], q1[:3] = 0.2 * q0[:3], 0.2 * q1[:3]
    start, end = (robot.forward_kinematics(q) for q in (q0, q1))
    for parent, child in (("base", "a"), ("a", "b"), ("b", "c")):
        ends = [np.linalg.inv(poses[parent]) @ poses[child] for poses in (start, end)]
        relative = tc.Motion.linear(*ends)
        for t in (0.0, 0.25, 0.7, 1.0):
            poses = robot.forward_kinematics(robot.interpolate(q0, q1, t))
            np.testing.assert_allclose(
                np.linalg.inv(poses[parent]) @ poses[child], relative.pose(t), atol=1e-9
            )
    oracle = RobotOracle(robot, {})
    judge(oracle, q0, q1, tc.Scene())
