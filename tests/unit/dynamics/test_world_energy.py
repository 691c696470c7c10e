"""Energy never rises in a world, except by what its reports call lift; and momentum stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.size import SEED, cases
from oracles.worlds import G, box, in_room, kinetic, on_floor, scaled, scatter

import toccata as tc
from toccata.dynamics import ArticulatedBody, World
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


def drift_of_momentum(seed: int, restitution: float, friction: float) -> float:
    """Return the relative change of angular momentum while six bodies collide in free space."""
    rng = np.random.default_rng(seed)
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
    return float(np.abs(momentum() - start)[3:].max() / np.abs(start).max())


@pytest.mark.parametrize("restitution", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("friction", [0.0, 0.7])
def test_momentum_stays_in_zero_gravity(restitution: float, friction: float) -> None:
    drift = [drift_of_momentum(seed, restitution, friction) for seed in range(5, 29)]
    # Recovery of positions may shift bodies by parts of a shell.
    assert np.mean(drift) < 2e-3
    assert max(drift) < 6e-3


def rods(rng: np.random.Generator, count: int, limit: float, kinds: tuple[str, ...]) -> tc.Robot:
    """A chain of rods with limits, of any axes if there is luck, else in a plane."""
    mesh = box(0.05, 0.05, 0.26)
    rod = tc.Mesh(mesh.vertices - [0, 0, 0.15], mesh.faces)
    links = [tc.Link(f"rod {i}", rod) for i in range(count)]
    planar, joints = rng.uniform() < 0.5, []
    for i in range(count - 1):
        kind = str(rng.choice(kinds))
        reach = limit * (1.0 if kind == "revolute" else 0.1)
        axis = (0, 1, 0) if planar else rng.normal(size=3)
        ends = ("joint", f"rod {i}", f"rod {i + 1}")
        joints.append(
            tc.Joint(f"{ends[0]} {i}", kind, *ends[1:], tc.pose((0, 0, -0.3)), axis, -reach, reach)  # type: ignore[arg-type]
        )
    turn = (0.1, rng.uniform(-3.1, 3.1), 0)
    return tc.Robot(links, joints).placed(tc.pose((0, 0, 6), rotvec=turn))


def limited_chain(seed: int) -> tuple[World, float]:
    """A chain that is let go or thrown; with others around it, and the energy that it is about."""
    rng = np.random.default_rng([SEED, seed])
    count = int(rng.integers(2, 19))
    limit = float(rng.choice([0.05, 0.4, 0.8, 2.0, 1e9]))
    kinds = ("revolute",) if rng.uniform() < 0.7 else ("revolute", "prismatic")
    floats = rng.uniform() < 0.3
    body = ArticulatedBody(rods(rng, count, limit, kinds), floating=floats)
    speed = float(rng.choice([0, 0, 3, 30]))
    body.v = rng.normal(size=body.freedoms) * speed
    if rng.uniform() < 0.2:
        body.damping = 0.01
    if rng.uniform() < 0.2:
        body.add_spring("rod 0", f"rod {count - 1}", stiffness=float(rng.choice([10, 1e3, 1e5])))
    step = float(rng.choice([1 / 30, 1 / 120, 1 / 120, 1 / 500]))
    world = World(step=step, sleeping=False)
    if rng.uniform() < 0.4:
        world.add("floor", box(20, 20, 1), tc.pose((0, 0, rng.uniform(0, 3))), fixed=True)
        world.add("b", box(0.4, 0.4, 0.4), tc.pose((0, 0, 4)), restitution=rng.uniform())
    active = None if rng.uniform() < 0.7 else int(rng.integers(1, count + 1))
    world.add_articulated("c", body, active=active, restitution=rng.uniform() * (seed % 2))
    mass = sum(tc.MassProperties.of(mesh, 1000.0).mass for mesh in world.meshes.values())
    return world, body.kinetic_energy + mass * G * 0.3 * count


@pytest.mark.parametrize("part", range(4))
def test_limits_bring_no_energy(part: int) -> None:
    """Energy stays below the start and lifts, whatever joints whirl, stop and hit."""
    tried = moved = 0
    for seed in range(1000 * part, 1000 * part + cases(12)):
        world, size = limited_chain(seed)
        try:
            world._check_start()
        except ValueError:
            continue  # starts in contact
        tried += 1
        allowed, poses = world.energy, world.poses
        for _ in range(100):
            report = world.step()
            allowed += report.lift
            assert report.energy - allowed <= 1e-9 * size, seed
        moved += np.abs(world.poses - poses).max() > 0.05
    assert tried >= cases(12) / 3
    assert moved >= tried / 2


def hanging(limit: float | None, h: float) -> World:
    """Three rods; the first hinge is held by its limits, or there is none."""
    mesh = box(0.05, 0.05, 0.26)
    rod = tc.Mesh(mesh.vertices - [0, 0, 0.15], mesh.faces)
    links = [tc.Link("ground"), *(tc.Link(f"rod {i}", rod) for i in range(3))]
    names = [link.name for link in links]
    joints = []
    for i in range(3):
        place = tc.pose((0, 0, -0.3 if i else 0), rotvec=(0, 1.0 if i == 0 else 0, 0))
        ends = {"lower": -limit, "upper": limit} if i == 0 and limit is not None else {}
        kind = "fixed" if i == 0 and limit is None else "revolute"
        axis = (0, 1, 0)
        joints.append(tc.Joint(f"{i}", kind, names[i], names[i + 1], place, axis, **ends))  # type: ignore[arg-type]
    world = World(step=h, sleeping=False)
    world.add_articulated("c", ArticulatedBody(tc.Robot(links, joints)))
    return world


def test_a_joint_held_by_its_limits_is_a_fixed_one() -> None:
    """Bookkeeping takes no energy from joints that swing beside one that is stopped."""
    held, fixed = hanging(0.0, 1 / 1000), hanging(None, 1 / 1000)
    start = held.energy
    for _ in range(10):
        held.step(100)
        fixed.step(100)
        assert held.energy == pytest.approx(start, abs=1e-3 * 9.81 * 0.65)
    assert held.poses[-1] == pytest.approx(fixed.poses[-1], abs=1e-2)


def test_a_pendulum_rests_at_its_limit() -> None:
    """The energy of a stop is gone, and does not come back."""
    mesh = box(0.05, 0.05, 0.26)
    rod = tc.Mesh(mesh.vertices - [0, 0, 0.15], mesh.faces)
    hinge = tc.Joint("hinge", "revolute", "ground", "rod", axis=(0, 1, 0), lower=0.5, upper=3)
    body = ArticulatedBody(tc.Robot([tc.Link("ground"), tc.Link("rod", rod)], [hinge]))
    body.q = [1.5]
    world = World(sleeping=False)
    world.add_articulated("c", body)
    world.step(240)
    mass = tc.MassProperties.of(rod, 1000.0)
    assert body.q[0] == pytest.approx(0.5, abs=1e-12)
    assert world.energy == pytest.approx(-mass.mass * G * 0.15 * np.cos(0.5), rel=1e-9)


def test_springs_between_bodies_bring_no_energy() -> None:
    """Far too stiff for the step; both ends of the spring are booked together."""
    world = World(gravity=(0, 0, 0), sleeping=False)
    bodies = []
    for x in (-1.0, 1.0):
        robot = tc.Robot([tc.Link("b", box(0.2, 0.2, 0.2))], []).placed(tc.pose((x, 0, 0)))
        bodies.append(ArticulatedBody(robot, (0, 0, 0), floating=True))
    bodies[0].add_spring("b", "b", body=bodies[1], stiffness=1e6, length=1.9)
    for name, body in zip("ab", bodies, strict=True):
        world.add_articulated(name, body)
    start = world.energy
    assert start == pytest.approx(0.5e6 * 0.01)
    for _ in range(200):
        assert world.step().energy <= start * (1 + 1e-9)
