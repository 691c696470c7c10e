"""The clearance of tumbling bodies in every setting: certified, at the cost of a few proofs.

Distances by coal at many times judge the bounds. A proof is the query for a first contact at the
lower bound: its counters are compared with those of the clearance, at tolerances down to 1e-9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from oracles import size
from oracles.crowd import Crowd, Member
from oracles.robot import RobotOracle

import toccata as tc
from toccata.scenes import models
from toccata.scenes.surface import shifted

ACCURACY = 1e-9
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9)
"""Bodies have a size of about 1."""
MOST_PROOFS = 30
ROD = models.box((2.0, 0.05, 0.05))


@dataclass(frozen=True)
class Setting:
    """Bodies on motions: the query, its proof, and the distance at a time by another library."""

    clearance: Callable[..., Any]
    first_contact: Callable[..., Any]
    gap: Callable[[float], float]


def small(rng: np.random.Generator) -> Any:
    """Draw a box, a rod, a tetrahedron or a few loose triangles."""
    kind = rng.integers(4)
    if kind == 0:
        return models.box(tuple(rng.uniform(0.05, 1.5, 3)))
    if kind == 1:
        return ROD
    if kind == 2:
        faces = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]], np.int32)
        return 0.5 * rng.normal(size=(4, 3)), faces
    return 0.5 * rng.normal(size=(9, 3)), np.arange(9, dtype=np.int32).reshape(3, 3)


def tumbling(rng: np.random.Generator, spread: float = 1.5) -> tc.Motion:
    start = tc.pose(spread * rng.normal(size=3), rotvec=rng.normal(size=3))
    return tc.Motion.twist(start, 1.5 * rng.normal(size=3), 4.0 * rng.normal(size=3))


def of_bodies(shapes: list[Any], motions: list[tc.Motion]) -> Setting:
    meshes = [tc.Mesh(*shape) for shape in shapes]
    names = [str(k) for k in range(len(shapes))]
    members = {
        name: Member(shape, motion.pose)
        for name, shape, motion in zip(names, shapes, motions, strict=True)
    }
    crowd = Crowd(members, [(a, b) for a in names for b in names if a < b])
    if len(shapes) == 2:
        return Setting(
            lambda **options: tc.clearance(*meshes, *motions, **options),
            lambda **options: tc.first_contact(*meshes, *motions, **options),
            crowd.gap,
        )
    scene = tc.Scene()
    for name, mesh, motion in zip(names, meshes, motions, strict=True):
        scene.add(name, mesh, motion)
    return Setting(scene.clearance, scene.first_contact, crowd.gap)


def pair(rng: np.random.Generator) -> Setting:
    return of_bodies([small(rng), small(rng)], [tumbling(rng), tumbling(rng)])


def scene(rng: np.random.Generator) -> Setting:
    return of_bodies([small(rng) for _ in range(5)], [tumbling(rng, 3.0) for _ in range(5)])


def arm(rng: np.random.Generator) -> tuple[tc.Robot, tc.Scene, RobotOracle]:
    """Return three joints about any axes that carry a small body among bodies at rest."""
    links = [
        tc.Link("base"),
        tc.Link("upper"),
        tc.Link("lower"),
        tc.Link("hand", tc.Mesh(*small(rng))),
    ]
    joints = [
        tc.Joint(
            f"joint {k}",
            "revolute",
            links[k].name,
            links[k + 1].name,
            tc.pose(0.6 * rng.normal(size=3)),
            axis=rng.normal(size=3),
        )
        for k in range(3)
    ]
    robot, world, arrays = tc.Robot(links, joints), tc.Scene(), {}
    for k in range(3):
        vertices, faces = small(rng)
        arrays[str(k)] = shifted((vertices, faces), 1.5 * rng.normal(size=3))
        world.add(str(k), tc.Mesh(*arrays[str(k)]))
    return robot, world, RobotOracle(robot, arrays)


def robot(rng: np.random.Generator) -> Setting:
    machine, world, oracle = arm(rng)
    q0, q1 = rng.uniform(-3, 3, (2, 3))
    return Setting(
        lambda **options: machine.clearance(q0, q1, world, **options),
        lambda **options: machine.first_contact(q0, q1, world, **options),
        lambda t: oracle.closest_sampled(np.array([q0 + t * (q1 - q0)]))[0],
    )


def path(rng: np.random.Generator) -> Setting:
    machine, world, oracle = arm(rng)
    rows = rng.uniform(-3, 3, (6, 3))

    def gap(t: float) -> float:
        q = [np.interp(5 * t, np.arange(6), column) for column in rows.T]
        return oracle.closest_sampled(np.array([q]))[0]

    return Setting(
        lambda **options: machine.clearance_path(rows, world, **options),
        lambda **options: machine.first_contact_path(rows, world, **options),
        gap,
    )


SETTINGS = (pair, scene, robot, path)


def work(found: Any) -> int:
    return int(found.stats.elementary_tests + found.stats.bv_tests)


def assert_cheap(setting: Setting) -> int:
    """Assert that the work equals a few proofs at all tolerances; return the number of proofs."""
    most, first = 0, 0
    for tolerance in TOLERANCES:
        near = setting.clearance(tolerance=tolerance)
        if near.lower == 0:
            return 0
        assert near.upper - near.lower <= tolerance
        proof = setting.first_contact(separation=near.lower, tolerance=tolerance / 2)
        assert not proof, "the lower bound is not proven"
        first = first or work(near)
        assert work(near) <= 10 * first, "grows faster than log(1 / tolerance)"
        # Boxes of whole motions may prove the bound without any test.
        if work(proof) >= 32:
            most = max(most, work(near) // work(proof))
            assert most <= MOST_PROOFS, f"{work(near)} tests, but {work(proof)} are a proof"
    return most


VELOCITY, SPIN = np.array([-1.0, 1.4, -1.4]), np.array([-3.0, -2.0, 6.0])


def rods(others: int) -> Setting:
    """Return a rod that tumbles past another: the distance has two dips close to each other."""
    tumble = tc.Motion.twist(tc.pose((0.0, -1.8, 1.0)), linear=VELOCITY, angular=SPIN)
    far = [tc.Motion.fixed(tc.pose((0.0, 0.0, 9.0 + k))) for k in range(others)]
    return of_bodies([ROD] * (2 + others), [tumble, tc.Motion.fixed(np.eye(4)), *far])


def rod_of_robot(pieces: int) -> Setting:
    """Return the same rod on three slides and a hinge, on a path with an earlier piece."""
    links = [tc.Link(name) for name in "0123"] + [tc.Link("4", tc.Mesh(*ROD))]
    axes = [*np.eye(3), SPIN / np.linalg.norm(SPIN)]
    joints = [
        tc.Joint(f"joint {k}", "revolute" if k == 3 else "prismatic", str(k), str(k + 1), axis=axis)
        for k, axis in enumerate(axes)
    ]
    machine, world = tc.Robot(links, joints), tc.Scene()
    world.add("rod", tc.Mesh(*ROD))
    start = np.array([0.0, -1.8, 1.0, 0.0])
    rows = np.array([start, start + [*VELOCITY, np.linalg.norm(SPIN)]])
    if pieces == 1:
        return Setting(
            lambda **options: machine.clearance(*rows, world, **options),
            lambda **options: machine.first_contact(*rows, world, **options),
            lambda t: np.nan,
        )
    away = [start + [0.0, 0.0, 3.0 * k, 0.0] for k in range(pieces - 1, 0, -1)]
    rows = np.array([*away, *rows])
    return Setting(
        lambda **options: machine.clearance_path(rows, world, **options),
        lambda **options: machine.first_contact_path(rows, world, **options),
        lambda t: np.nan,
    )


@pytest.mark.parametrize("setting", [rods(0), rods(2), rod_of_robot(1), rod_of_robot(4)])
def test_a_descent_into_the_wrong_dip_costs_little(setting: Setting) -> None:
    assert assert_cheap(setting) > 0


def shape(rng: np.random.Generator) -> Any:
    """Draw a torus, a box or another small body."""
    kind = rng.integers(6)
    if kind == 0:
        return models.torus(rng.uniform(0.4, 0.8), rng.uniform(0.1, 0.3), 24, 12)
    if kind == 1:
        return models.box(tuple(rng.uniform(0.02, 2, 3)))
    if kind == 2:
        vertices, faces = models.torus(1.0, 0.3, 20, 10)
        return vertices * rng.uniform(0.2, 1.2, 3), faces
    return small(rng)


def any_motion(rng: np.random.Generator) -> tc.Motion:
    kind = rng.integers(5)

    def pose() -> Any:
        return tc.pose(4.0 * rng.normal(size=3), rotvec=1.2 * rng.normal(size=3))

    if kind == 2:
        count = int(rng.integers(2, 6)) + 1
        poses = [
            tc.pose(4.0 * rng.normal(size=3), rotvec=1.5 * rng.normal(size=3)) for _ in range(count)
        ]
        return tc.Motion.spline(np.linspace(0, 1, count), np.array(poses))
    if kind == 3:
        return tc.Motion.fixed(pose())
    if kind == 4:
        return tc.Motion.twist(pose(), 1.5 * rng.normal(size=3), 8 * rng.normal(size=3))
    return (tc.Motion.linear, tc.Motion.screw)[kind](pose(), pose())


@pytest.mark.parametrize("seed", [[201, 233, 576], [202, 296, 576], [202, 237, 576]])
def test_shallow_dips_are_not_proven(seed: list[int]) -> None:
    """Bodies pass several dips of their distance before the lowest one."""
    rng, crowd = np.random.default_rng(seed), tc.Scene()
    for k in range(int(rng.integers(3, 12))):
        crowd.add(str(k), tc.Mesh(*shape(rng)), any_motion(rng))
    for tolerance in (1e-3, 1e-5):
        near = crowd.clearance(tolerance=tolerance)
        proof = crowd.first_contact(separation=near.lower, tolerance=tolerance / 2)
        assert not proof and near.upper - near.lower <= tolerance
        assert work(near) <= MOST_PROOFS * work(proof)


@pytest.mark.parametrize("draw", SETTINGS)
def test_the_work_equals_a_few_proofs_at_any_tolerance(draw: Any) -> None:
    rng = np.random.default_rng([size.SEED, 5])
    counts = [assert_cheap(draw(rng)) for _ in range(size.cases(60))]
    assert np.count_nonzero(counts) >= len(counts) // 4, "too few that stay apart"


@pytest.mark.parametrize("draw", SETTINGS)
def test_bounds_hold_at_all_samples(draw: Any) -> None:
    rng = np.random.default_rng([size.SEED, 6])
    apart = 0
    for case in range(size.cases(10)):
        setting, tolerance = draw(rng), float(rng.choice(TOLERANCES))
        near = setting.clearance(tolerance=tolerance)
        apart += near.lower > 0
        assert near.upper - near.lower <= tolerance
        assert near.distance <= near.upper
        there = setting.gap(near.time)
        assert near.lower - ACCURACY <= there <= near.upper + ACCURACY, case
        assert there <= near.distance + ACCURACY, case
        times = [*np.linspace(0, 1, 200), *np.clip(near.time + np.linspace(-0.01, 0.01, 50), 0, 1)]
        assert min(setting.gap(float(t)) for t in times) >= near.lower - ACCURACY, case
    assert apart > 0, "no motion is free"
