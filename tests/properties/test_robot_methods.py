"""All methods for robots give the same answers, with every choice of stages."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import pytest
from oracles.robot import RobotOracle

import toccata as tc
from toccata._robot.options import METHODS
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma, wires

from .test_robot import judge, sample, strange_robot, world_arrays

HOW: list[dict[str, Any]] = [
    *({"method": method} for method in METHODS if method != "auto"),
    {"method": "interval", "stages": ("hierarchy", "exact")},
    {"method": "interval", "stages": ("swept", "exact")},
    {"method": "interval", "stages": ("exact",)},
]
TOLERANCE = 1e-5


def same(robot: tc.Robot, q0: Any, q1: Any, world: Any, **how: Any) -> tc.Status:
    """Compare all methods with "auto"; return its status.

    Both times are certified: each is at or before the first time within the separation, and within
    separation + tolerance. The later time is therefore not before the first contact for a
    separation that is larger by the tolerance.
    """
    wide = {**how, "separation": how.get("separation", 0.0) + 2 * TOLERANCE}
    first = robot.first_contact(q0, q1, world, tolerance=TOLERANCE, **how)
    early = robot.first_contact(q0, q1, world, tolerance=TOLERANCE, **wide)
    for choice in HOW:
        other = robot.first_contact(q0, q1, world, tolerance=TOLERANCE, **how, **choice)
        assert other.status != tc.Status.UNDECIDED, (choice, other)
        assert early.toc <= other.toc, (choice, other)
        wider = robot.first_contact(q0, q1, world, tolerance=TOLERANCE, **wide, **choice)
        assert wider.toc <= first.toc, (choice, first)
    return first.status


@pytest.mark.parametrize("choice", HOW, ids=str)
@pytest.mark.parametrize("separation", [0.0, 0.01])
def test_a_puma_among_thin_wires_agrees_with_samples(
    choice: dict[str, Any], separation: float
) -> None:
    robot, scene = puma(12), wires(9, seed=3)
    oracle = RobotOracle(robot, world_arrays(scene))
    touched = [
        judge(oracle, q0, q1, scene, separation=separation, **choice)
        for q0, q1 in zip(*sample(robot, 10, 10, 1.0), strict=True)
    ]
    assert 1 < sum(touched) < 10, "sample too one-sided to prove anything"


@pytest.mark.parametrize("angle", [0.05, 0.5, 2.0])
@pytest.mark.parametrize("initial", ["report", "ignore_separating"])
def test_methods_agree_for_a_puma_among_wires(angle: float, initial: str) -> None:
    robot, scene = puma(12), wires(15, seed=5)
    scene.add("fan", tc.Mesh(*box((0.5, 0.05, 0.2))), tc.Motion.twist(
        tc.pose((0.3, -0.5, 0.7)), linear=(0.0, 0.3, 0.0), angular=(0.0, 0.0, 9.0)
    ))  # fmt: skip
    statuses = [
        same(robot, q0, q1, scene, initial=initial)
        for q0, q1 in zip(*sample(robot, int(100 * angle), 25, angle), strict=True)
    ]
    assert tc.Status.CONTACT in statuses


def test_methods_agree_for_every_kind_of_joint() -> None:
    robot = strange_robot()
    scene = tc.Scene()
    scene.add("plate", tc.Mesh(*box((0.02, 3.0, 3.0))), tc.pose((1.2, 0.0, 0.0)))
    statuses = [
        same(robot, q0, q1, scene) for q0, q1 in zip(*sample(robot, 5, 25, 0.7), strict=True)
    ]
    assert {tc.Status.CONTACT, tc.Status.FREE} <= set(statuses)


def test_methods_agree_for_curved_surfaces() -> None:
    robot, scene = puma(12), tc.Scene()
    scene.add("ball", tc.surfaces.sphere(0.2), tc.pose((0.5, 0.2, 0.6)))
    scene.add("ring", tc.surfaces.torus(0.3, 0.05), tc.pose((-0.5, 0.2, 0.9)))
    motions = zip(*sample(robot, 2, 12, 1.0), strict=True)
    statuses = [same(robot, q0, q1, scene, self_contact=False) for q0, q1 in motions]
    assert {tc.Status.CONTACT, tc.Status.FREE} <= set(statuses)


def test_methods_agree_for_a_link_that_is_a_point() -> None:
    dot = tc.Mesh(np.zeros((1, 3)), np.zeros((1, 3), dtype=int))
    links = [tc.Link("base"), tc.Link("arm"), tc.Link("tip", dot)]
    robot = tc.Robot(links, [
        tc.Joint("turn", "continuous", "base", "arm", axis=(0.0, 0.0, 1.0)),
        tc.Joint("end", "fixed", "arm", "tip", tc.pose((1.0, 0.0, 0.0))),
    ])  # fmt: skip
    for radius, touches in ((0.5, False), (1.0, True), (1.5, False)):
        wire = tc.Scene()
        wire.add("wire", tc.Mesh(*box((0.002, 0.002, 2.0))), tc.pose((-radius, 0.0, 0.0)))
        status = same(robot, [0.0], [4 * pi], wire)
        assert status == (tc.Status.CONTACT if touches else tc.Status.FREE)


@pytest.mark.parametrize("turns", [1, 5])
def test_methods_agree_for_full_turns_past_a_wire(turns: int) -> None:
    robot = planar_arm((1.0, 1.0), 0.1)
    for radius, touches in ((1.9, True), (2.1, False)):
        wire = tc.Scene()
        wire.add("wire", tc.Mesh(*box((0.002, 0.002, 2.0))), tc.pose((-radius, 0.0, 0.0)))
        status = same(robot, [0.0, 0.0], [2 * pi * turns, 0.0], wire)
        assert status == (tc.Status.CONTACT if touches else tc.Status.FREE)


@pytest.mark.parametrize("choice", HOW, ids=str)
def test_without_motion_only_the_start_counts(choice: dict[str, Any]) -> None:
    robot, scene = puma(12), wires(9, seed=3)
    for q in robot.random_configurations(20, 8):
        first = robot.first_contact(q, q, scene)
        other = robot.first_contact(q, q, scene, **choice)
        assert first.status == other.status
        assert first.status in (tc.Status.FREE, tc.Status.INITIAL_OVERLAP)


@pytest.mark.parametrize("choice", HOW, ids=str)
def test_a_link_that_starts_inside_a_solid_is_an_initial_overlap(choice: dict[str, Any]) -> None:
    robot = planar_arm((1.0,), 0.1)
    scene = tc.Scene()
    scene.add("block", tc.Mesh(*box((5.0, 5.0, 5.0)), solid=True))
    contact = robot.first_contact([0.0], [0.3], scene, **choice)
    assert contact.status == tc.Status.INITIAL_OVERLAP


@pytest.mark.parametrize("choice", HOW, ids=str)
def test_a_budget_that_runs_out_leaves_a_safe_time(choice: dict[str, Any]) -> None:
    robot, scene = puma(12), wires(15, seed=5)
    q0, q1 = (rows[3] for rows in sample(robot, 4, 8, 2.0))
    whole = robot.first_contact(q0, q1, scene)
    undecided = 0
    for budget in (1, 3, 10, 30, 100, 300):
        found = robot.first_contact(q0, q1, scene, budget=budget, **choice)
        undecided += found.status == tc.Status.UNDECIDED
        assert found.safe_until <= min(whole.toc, 1.0) + 1e-4
        assert bool(found)
    assert undecided


@pytest.mark.parametrize("choice", HOW, ids=str)
def test_motion_is_free_and_batches_agree_with_single_queries(choice: dict[str, Any]) -> None:
    robot, scene = puma(12), wires(15, seed=5)
    starts, ends = sample(robot, 6, 30, 0.7)
    batch = robot.first_contact_batch(starts, ends, scene, threads=2, **choice)
    free = [
        not robot.first_contact(a, b, scene, **choice) for a, b in zip(starts, ends, strict=True)
    ]
    assert (np.isinf(batch.toc) == free).all()
    assert 0 < sum(free) < 30
    quick = [
        robot.motion_is_free(a, b, scene, method=choice["method"])
        for a, b in zip(starts, ends, strict=True)
    ]
    assert quick == free
