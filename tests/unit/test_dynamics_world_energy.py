"""Energy never rises in a world, except by what its reports call lift; and momentum stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.size import cases
from oracles.worlds import G, box, in_room, kinetic, on_floor, scaled, scatter

import toccata as tc
from toccata.dynamics import World
from toccata.scenes import models

KINDS = (
    box(0.3, 0.4, 0.5),
    scaled(models.icosphere(0.3, 1), 1.0),
    tc.Mesh(*models.torus(0.3, 0.1, 12, 8)),
    tc.Mesh(*models.cylinder(0.2, 0.5, 12)),
    box(1.0, 0.05, 0.3),
)

SPACE = ((-0.6, -0.6, 0.7), (0.6, 0.6, 2.5))


def thrown(seed: int, count: int = 4) -> World:
    """Bodies with velocities and materials at random, above a floor."""
    rng = np.random.default_rng(seed)
    step = float(rng.choice([1 / 60, 1 / 120, 1 / 240]))
    world = on_floor(rng.uniform(), rng.uniform(), sleeping=bool(seed % 2), step=step)
    for i in range(count):
        scatter(
            world, f"b{i}", KINDS[rng.integers(len(KINDS))],
            lambda: tc.pose(rng.uniform(*SPACE), rotvec=rng.normal(size=3)),
            velocity=rng.normal(size=3) * 3,
            angular_velocity=rng.normal(size=3) * rng.choice([1, 10, 50]),
            restitution=float(rng.choice([0, 0.5, 1, rng.uniform()])),
            friction=rng.uniform(),
        )  # fmt: skip
    return world


@pytest.mark.parametrize("part", range(4))
def test_energy_never_rises(part: int) -> None:
    stopped = steps = 0
    for seed in range(1000 * part, 1000 * part + cases(15)):
        world = thrown(seed)
        start = world.energy
        for _ in range(100):
            before = world.energy
            report = world.step()
            assert world.energy - before - report.lift <= 1e-9 * start, seed
            assert report.energy == world.energy
            stopped, steps = stopped + report.stopped, steps + 1
    assert stopped <= 0.01 * steps


def test_energy_is_that_of_the_textbook() -> None:
    world = thrown(3)
    world.step(30)
    height = sum(
        tc.MassProperties.of(mesh, 1000.0).mass * G * pose[2, 3]
        for mesh, pose, name in zip(world.meshes.values(), world.poses, world.names, strict=True)
        if name != "floor"
    )
    assert world.energy == pytest.approx(kinetic(world) + height, rel=1e-9)


def test_a_hundred_elastic_bounces() -> None:
    world = on_floor(0, sleeping=False)
    world.add("b", box(1, 1, 1), tc.pose((0, 0, 1.0)), restitution=1, friction=0)
    start, impacts = world.energy, 0
    while impacts < 100 and world.time < 100:
        report = world.step()
        impacts += report.impacts
        assert world.energy == pytest.approx(start, rel=1e-3)
        assert report.stopped == 0
    assert impacts >= 100


def elastic_room(seed: int) -> float:
    """Return how much energy three boxes keep over 100 impacts in a room."""
    rng = np.random.default_rng(seed)
    world = in_room(gravity=(0, 0, 0), restitution=1, sleeping=False)
    for i in range(3):
        world.add(
            f"b{i}", box(0.3, 0.4, 0.5), tc.pose((-0.6 + 0.6 * i, 0, 0)),
            velocity=rng.normal(size=3) * 2, angular_velocity=rng.normal(size=3) * 3,
            restitution=1, friction=0,
        )  # fmt: skip
    start, impacts = world.energy, 0
    while impacts < 100:
        impacts += world.step().impacts
    return world.energy / start


@pytest.mark.parametrize("seed", [*range(11), 24, 27, 39])
def test_a_hundred_elastic_impacts_in_a_room(seed: int) -> None:
    kept = elastic_room(seed)
    assert kept <= 1 + 1e-9
    assert kept > 1 - 1e-3


@pytest.mark.parametrize("angle", [0.3, 1e-2, 1e-3, 1e-4, 0.0])
def test_a_box_that_lands_nearly_flat_keeps_its_energy(angle: float) -> None:
    """The corner that hits first turns the other one into the floor."""
    world = on_floor(0, 1, gravity=(0, 0, 0), sleeping=False)
    pose = tc.pose((0, 0, 0.5), rotvec=(0, angle, 0))
    world.add("b", box(0.4, 0.3, 0.2), pose, velocity=(0, 0, -3), restitution=1, friction=0)
    start = world.energy
    world.step(60)
    assert world.velocities[1][2] > 0
    assert world.energy == pytest.approx(start, rel=1e-3)


@pytest.mark.parametrize("restitution", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("friction", [0.0, 0.7])
def test_momentum_stays_in_zero_gravity(restitution: float, friction: float) -> None:
    rng = np.random.default_rng(5)
    world = World(gravity=(0, 0, 0))
    for i in range(6):
        at = np.array((1.0 * (i % 2), 1.0 * (i // 2 % 2), 1.0 * (i // 4)))
        world.add(
            f"b{i}", KINDS[i % len(KINDS)], tc.pose(at, rotvec=rng.normal(size=3)),
            velocity=4 * (0.5 - at) + rng.normal(size=3), angular_velocity=rng.normal(size=3) * 5,
            restitution=restitution, friction=friction,
        )  # fmt: skip
    world.separate(0.5)
    masses = [tc.MassProperties.of(mesh, 1000.0) for mesh in world.meshes.values()]

    def momentum() -> Any:
        """Linear, and angular about the origin."""
        total = np.zeros(6)
        for mass, pose, v in zip(masses, world.poses, world.velocities, strict=True):
            turn = pose[:3, :3]
            total[:3] += mass.mass * v[:3]
            total[3:] += turn @ mass.inertia @ turn.T @ v[3:]
            total[3:] += mass.mass * np.cross(turn @ mass.center + pose[:3, 3], v[:3])
        return total

    start = momentum()
    report = world.step(120)
    assert report.impacts > 3
    assert report.stopped == 0
    assert momentum()[:3] == pytest.approx(start[:3], abs=1e-9 * sum(m.mass for m in masses))
    # Recovery of positions may shift bodies by parts of a shell.
    assert momentum()[3:] == pytest.approx(start[3:], abs=2e-3 * np.abs(start).max())
