"""Bricks on bricks stay where they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.worlds import box, on_floor, pile

import toccata as tc
from toccata.dynamics import StepReport, World

BRICK = (0.4, 0.2, 0.1)


def creep(world: World, seconds: float, settle: int = 60) -> tuple[float, StepReport]:
    """Return how far the bodies get in a time, after they have come to rest."""
    world.step(settle)
    start = world.poses.copy()
    report = world.step(round(seconds * 120) - settle)
    return float(np.abs(world.poses - start)[:, :3].max()), report


def test_ten_bricks_fall_asleep_and_stay() -> None:
    world = pile([BRICK] * 10)
    way, report = creep(world, 10, settle=300)
    assert way == 0
    assert world.asleep.sum() == 10
    assert (report.stopped, report.awake) == (0, 0)


def test_ten_bricks_stand_awake_for_ten_seconds() -> None:
    way, report = creep(pile([BRICK] * 10, sleeping=False), 10, settle=240)
    assert way < 3e-4  # about a shell
    assert (report.stopped, report.truncated, report.impacts) == (0, 0, 0)
    assert report.awake == 10


@pytest.mark.parametrize("angle", [0.5, 3.0])
def test_turned_bricks(angle: float) -> None:
    rng = np.random.default_rng(3)
    world, z = on_floor(sleeping=False), 0.0
    for i in range(10):
        pose = tc.pose((0, 0, z + 0.0505), rotvec=(0, 0, angle * rng.uniform(-1, 1)))
        world.add(f"b{i:03}", box(*BRICK), pose)
        z += 0.1005
    way, report = creep(world, 5)
    assert way < 1e-4
    assert report.stopped == 0


@pytest.mark.parametrize("ratio", [10.0, 1e2, 1e3])
def test_heavy_on_light(ratio: float) -> None:
    world = on_floor(sleeping=False)
    world.add("a", box(*BRICK), tc.pose((0, 0, 0.0505)), density=1000)
    world.add("b", box(*BRICK), tc.pose((0, 0, 0.1510)), density=1000 * ratio)
    way, report = creep(world, 4)
    assert way < 1e-4
    assert report.stopped == 0


def test_each_ten_times_heavier_than_the_one_below() -> None:
    """Nothing falls, but what weighs ten thousand times what bears it creeps."""
    world = on_floor(sleeping=False)
    for i in range(5):
        world.add(f"b{i}", box(*BRICK), tc.pose((0, 0, 0.0505 + 0.1005 * i)), density=10.0**i)
    way, report = creep(world, 4)
    assert way < 0.05
    assert report.stopped == 0


def test_a_tower_of_upright_bricks() -> None:
    way, report = creep(pile([(0.1, 0.1, 0.4)] * 8, sleeping=False), 5)
    assert way < 1e-3
    assert report.stopped == 0


def rows_of_bricks(counts: list[int], world: World) -> World:
    for row, count in enumerate(counts):
        for i in range(count):
            x = 0.402 * (i - (count - 1) / 2) + (0.1 * (row % 2) if count == counts[0] else 0)
            pose = tc.pose((x, 0, 0.0505 + 0.1005 * row))
            world.add(f"b{row:02}{i:02}", box(*BRICK), pose)
    return world


@pytest.mark.parametrize("sleeping", [False, True])
def test_a_pyramid(sleeping: bool) -> None:
    world = rows_of_bricks([5, 4, 3, 2, 1], on_floor(sleeping=sleeping))
    way, report = creep(world, 3, settle=90)
    assert way < 1e-4
    assert report.stopped == 0
    assert world.asleep.sum() == (15 if sleeping else 0)


@pytest.mark.slow
def test_a_wall_of_ten_times_ten() -> None:
    world = rows_of_bricks([10] * 10, on_floor())
    way, report = creep(world, 4, settle=120)
    assert way < 1e-3
    assert report.stopped <= 0.01 * report.steps
    assert world.poses[-1][2, 3] == pytest.approx(0.95, abs=0.01)


def test_a_stack_is_knocked_over() -> None:
    world = pile([BRICK] * 6)
    world.step(60)
    world.add("ball", box(0.2, 0.2, 0.2), tc.pose((-2, 0, 0.4)), velocity=(12, 0, 0), density=5000)
    log = world.start_log()
    report = world.step(240)
    assert tc.audit(log.arrays()).status == tc.Status.FREE
    assert report.stopped <= 2
    heights: Any = world.poses[1:7, 2, 3]
    assert heights.max() < 0.6
    assert np.abs(world.poses[1:7, 0, 3]).max() > 0.5
