"""Bodies never touch, for any proposals of a solver and any input of users, by outside judges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracles.size import cases
from oracles.worlds import box, in_room, judge, on_floor, rectangle, scaled, scatter, sliver, soup

import toccata as tc
from toccata.dynamics import World
from toccata.scenes import models

TORUS = tc.Mesh(*models.torus(0.3, 0.1, 10, 6))
SHAPES: dict[str, Callable[[np.random.Generator], tc.Mesh]] = {
    "boxes": lambda rng: box(0.3, 0.4, 0.5),
    "sheets": lambda rng: rectangle(0.8, 0.5),
    "needles": lambda rng: box(1.2, 0.002, 0.002),
    "thin": lambda rng: sliver(1e-4),
    "soups": lambda rng: soup(rng, 8, 0.15),
    "mixed": lambda rng: (rectangle(0.6, 0.6), box(0.3, 0.3, 0.3), TORUS)[rng.integers(3)],
}


def filled(kind: str, seed: int, unit: float = 1.0, at: float = 0.0) -> World:
    """Return a room with five bodies that fly and spin."""
    rng = np.random.default_rng(seed)
    gravity = (0, 0, -9.81 * unit)
    world = in_room(2 * unit, at, restitution=0.5, gravity=gravity, sleeping=False)
    for i in range(5):
        scatter(
            world, f"b{i}", scaled(SHAPES[kind](rng), unit),
            lambda: tc.pose(rng.uniform(-0.7, 0.7, 3) * unit + at, rotvec=rng.normal(size=3)),
            velocity=rng.normal(size=3) * unit * rng.choice([1, 10, 100]),
            angular_velocity=rng.normal(size=3) * rng.choice([1, 30, 300]),
            restitution=rng.uniform(), friction=rng.uniform(),
        )  # fmt: skip
    assert len(world) > 2
    return world


def propose_at_random(world: World, seed: int, unit: float = 1.0) -> None:
    """Replace the proposals of the solver by random velocities of all sizes."""
    rng = np.random.default_rng(seed)
    linear = rng.normal(size=(997, 3)) * 10.0 ** rng.uniform(-2, 4, (997, 1)) * unit
    angular = rng.normal(size=(997, 3)) * 10.0 ** rng.uniform(-2, 2.5, (997, 1))
    world._core.propose(np.hstack((linear, angular)))


def test_the_judges_detect_a_wrong_log() -> None:
    world = in_room(gravity=(0, 0, 0))
    world.add("b", box(0.5, 0.5, 0.5), velocity=(3, 0, 0), restitution=1)
    log = world.start_log()
    world.step(100)
    assert judge(log) == []

    class Wrong:
        def __init__(self, by: float, rows: Any) -> None:
            self.by, self.rows = by, rows

        def arrays(self) -> dict[str, Any]:
            arrays = dict(log.arrays())
            body = list(arrays["names"]).index("b")
            arrays["poses"] = arrays["poses"].copy()
            arrays["poses"][self.rows, body, 0, 3] += self.by
            return arrays

    for shift, rows in ((0.02, slice(None)), (-0.1, slice(None)), (3.0, slice(30, 31))):
        found = judge(Wrong(shift, rows))
        assert "audit" in found
        assert any(one.startswith("interval") for one in found)
        # The jump through the wall and back lies between samples.
        assert any(one.startswith("coal") for one in found) or shift == 3


@pytest.mark.parametrize("hostile", [False, True])
@pytest.mark.parametrize("kind", SHAPES)
def test_bodies_in_a_room_never_touch(kind: str, hostile: bool) -> None:
    for seed in range(cases(1)):
        world = filled(kind, seed)
        if hostile:
            propose_at_random(world, seed)
        log = world.start_log()
        report = world.step(100)
        assert report.least_distance > 0
        assert judge(log, most=60) == [], seed


@pytest.mark.parametrize("unit", [1e-6, 1e-3, 1e6])
@pytest.mark.parametrize("hostile", [False, True])
def test_models_of_any_size_never_touch(unit: float, hostile: bool) -> None:
    world = filled("mixed", 1, unit)
    if hostile:
        propose_at_random(world, 1, unit)
    log = world.start_log()
    world.step(100)
    assert judge(log, most=40, unit=unit) == []


@pytest.mark.parametrize("at", [1e3, 1e5, 1e7])
@pytest.mark.parametrize("hostile", [False, True])
def test_bodies_far_from_the_origin_never_touch(at: float, hostile: bool) -> None:
    world = filled("boxes", 2, at=at)
    if hostile:
        propose_at_random(world, 2)
    log = world.start_log()
    world.step(100)
    assert judge(log, most=40, tolerance=max(2e-7, 3e-13 * at)) == []


@pytest.mark.parametrize("kind", ["boxes", "soups"])
def test_bodies_in_a_room_never_touch_for_long(kind: str) -> None:
    """`make test-long` runs 10,000 steps."""
    world = filled(kind, 11)
    propose_at_random(world, 11)
    for _ in range(cases(5)):
        log = world.start_log()
        world.step(200)
        assert judge(log, most=8) == []


@pytest.mark.parametrize("hostile", [False, True])
def test_crowds_with_sleeping_and_kinematic_bodies_never_touch(hostile: bool) -> None:
    """Several islands meet on two threads: fast bodies among sleeping bodies."""
    for seed in range(cases(2)):
        rng = np.random.default_rng(seed)
        world = on_floor(threads=2)
        for i in range(12):
            at = tc.pose((0.7 * (i % 4), 0.7 * (i // 4), 0.151), rotvec=(0, 0, rng.uniform(0, 3)))
            world.add(f"s{i}", box(0.3, 0.3, 0.3), at)
        ends = [tc.pose((x, 0.5, 0.4), rotvec=rng.normal(size=3) * x) for x in (-1.0, 3.5)]
        world.add("ram", rectangle(0.5, 0.5), motion=tc.Motion.linear(*ends), duration=0.4)
        log = world.start_log()
        world.step(70)
        if hostile:
            propose_at_random(world, seed)
        for _ in range(4):
            name = f"s{rng.integers(12)}"
            speed = 10 ** rng.uniform(0, 3)
            world.set_velocity(name, rng.normal(size=3) * speed, rng.normal(size=3) * 30)
            world.step(10)
        assert judge(log, most=25, samples=2) == [], seed


@pytest.mark.parametrize("size", [1e3, 1e10, 1e30])
def test_unbounded_forces_cause_no_contact(size: float) -> None:
    rng = np.random.default_rng(7)
    world = filled("boxes", 3)
    log = world.start_log()
    for _ in range(cases(8)):
        for name in world.names[1:]:
            world.apply(name, rng.normal(size=3) * size, rng.normal(size=3) * size)
        world.step()
    assert np.isfinite(world.poses).all()
    assert judge(log, most=60) == []


@pytest.mark.parametrize("speed", [10.0, 1e3, 1e6])
def test_velocities_into_walls_cause_no_contact(speed: float) -> None:
    rng = np.random.default_rng(8)
    world = filled("sheets", 4)
    log = world.start_log()
    for _ in range(30):
        for name in world.names[1:]:
            world.set_velocity(name, rng.normal(size=3) * speed, rng.normal(size=3) * 10)
        world.step(2)
    assert judge(log, most=60) == []


@pytest.mark.parametrize("speed", [1.0, 30.0, 1e4])
def test_a_kinematic_body_penetrates_no_body(speed: float) -> None:
    """A kinematic body is moved through a wall, a floor and a heap of boxes."""
    world = on_floor()
    world.add("wall", rectangle(4, 4), tc.pose((2, 0, 2.1), rotvec=(0, np.pi / 2, 0)), fixed=True)
    for i in range(4):
        world.add(
            f"b{i}", box(0.3, 0.3, 0.3), tc.pose((0.5 + 0.4 * (i % 2), 0, 0.16 + 0.4 * (i // 2)))
        )
    end = tc.pose((5, 0, -1), rotvec=(1, 2, 0))
    ram_motion = tc.Motion.linear(tc.pose((-1, 0, 0.4)), end)
    world.add("ram", box(0.5, 0.5, 0.5), motion=ram_motion, duration=6 / speed)
    log = world.start_log()
    report = world.step(240)
    assert report.stopped > 0
    assert judge(log, most=80) == []


@pytest.mark.parametrize("speed", [5.0, 100.0, 3000.0])
def test_a_fast_ball_does_not_pass_a_thin_sheet(speed: float) -> None:
    world = World(sleeping=False)
    world.add("sheet", rectangle(4, 4), fixed=True)
    ball = tc.Mesh(*models.icosphere(0.1, 2))
    world.add("ball", ball, tc.pose((0, 0, 0.5)), velocity=(0, 0, -speed), restitution=0.5)
    log = world.start_log()
    world.step(60)
    assert judge(log) == []
    assert world.poses[1][2, 3] > 0.1


@pytest.mark.parametrize("spin", [50.0, 500.0, 5000.0])
def test_many_turns_in_a_step_cause_no_contact(spin: float) -> None:
    world = in_room(sleeping=False)
    for i, axis in enumerate(np.eye(3)):
        at = tc.pose((-0.6 + 0.6 * i, 0, 0))
        world.add(f"b{i}", box(0.5, 0.3, 0.4), at, angular_velocity=spin * axis, velocity=(0, 1, 0))
    log = world.start_log()
    world.step(60)
    assert judge(log, most=200, samples=4) == []


def test_a_logged_turn_has_its_direction() -> None:
    world = World(gravity=(0, 0, 0))
    world.add("b", box(1, 1, 1), angular_velocity=(0, 0, 500))
    log = world.start_log()
    world.step(2)
    angles = np.unwrap(np.arctan2(log.poses[:, 0, 1, 0], log.poses[:, 0, 0, 0]))
    assert angles == pytest.approx(500 * log.times, rel=1e-9)


def tips(thickness: float, count: int) -> list[World]:
    """Return slivers with a tip close to a wall, turned at random."""
    rng, mesh, worlds = np.random.default_rng(0), sliver(thickness), []
    for _ in range(count):
        world = in_room(gravity=(0, 0, 0), sleeping=False)
        pose = tc.pose(rotvec=rng.normal(size=3))
        pose[1, 3] = 1 - 1.4e-4 - (pose[:3, :3] @ mesh.vertices.T)[1].max()
        world.add("b", mesh, pose)
        if world._touching() is None:
            worlds.append(world)
    return worlds


@pytest.mark.parametrize("thickness", [1e-2, 1e-4, 1e-5, 1e-6, 1e-7])
def test_slivers_do_not_go_through_a_wall(thickness: float) -> None:
    for world in tips(thickness, 200):
        world._core.propose(np.array([(0, 0.05, 0, 0, 0, 0.0)]))
        world.step()
        at = world.poses[1]
        assert (at[:3, :3] @ world.meshes["b"].vertices.T)[1].max() + at[1, 3] < 1
