"""Articulated bodies never touch, for any proposals of a solver and any input of users."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.size import cases
from oracles.worlds import box, in_room, judge, rectangle, scatter, soup

import toccata as tc
from toccata.dynamics import ArticulatedBody, World

Robots = dict[str, tc.Robot]


def limb(rng: np.random.Generator, kind: str, length: float) -> tc.Mesh:
    """Return a link along -z from its joint."""
    if kind == "sheets":
        mesh = rectangle(0.06, 0.9 * length)
        turn = tc.pose(rotvec=(np.pi / 2, 0, 0))[:3, :3]
        points = mesh.vertices @ turn.T
    elif kind == "soups":
        mesh = soup(rng, 5, length / 6)
        points = mesh.vertices
    else:
        mesh = box(0.05, 0.05, 0.9 * length)
        points = mesh.vertices
    return tc.Mesh(points - [0, 0, length / 2], mesh.faces)


def tree(rng: np.random.Generator, count: int, kind: str, joints: Any = ("revolute",)) -> tc.Robot:
    """Return links and joints of a random tree: each on the last link or on an earlier one."""
    length = 0.2
    links = [tc.Link("0", limb(rng, kind, length))]
    made: list[tc.Joint] = []
    for i in range(1, count):
        parent = i - 1 if rng.uniform() < 0.8 else int(rng.integers(i))
        moves = str(rng.choice(joints))
        limits = (-0.05, 0.05) if moves == "prismatic" else (-np.inf, np.inf)
        links.append(tc.Link(str(i), limb(rng, kind, length)))
        siblings = sum(joint.parent == str(parent) for joint in made)
        made.append(
            tc.Joint(
                f"j{i}", moves, str(parent), str(i), tc.pose((0.1 * siblings, 0, -length)),
                axis=rng.normal(size=3), lower=limits[0], upper=limits[1],
            )
        )  # fmt: skip
    return tc.Robot(links, made)


def add_tree(
    world: World, name: str, rng: np.random.Generator, robot: tc.Robot, **options: Any
) -> ArticulatedBody | None:
    """Add a floating robot at a free pose, with random velocities."""
    speed, spread = options.pop("speed", 1.0), options.pop("spread", 0.6)
    gravity = world._gravity
    for _ in range(200):
        body = ArticulatedBody(robot, gravity, floating=True, density=1000.0)
        q = body.q
        q[:3] = rng.uniform(-spread, spread, 3)
        q[3:7] = rng.normal(size=4)
        q[7:] = rng.uniform(-1, 1, len(q) - 7) * (0.05 if len(q) < 8 else 1)
        body.q = q
        body.v = rng.normal(size=body.freedoms) * speed
        world.add_articulated(name, body, **options)
        if world._touching() is None:
            return body
        world.remove(name)
    return None


def filled(kind: str, seed: int, speed: float = 3.0, **options: Any) -> tuple[World, Robots]:
    """Return a room with two articulated and two free bodies."""
    rng = np.random.default_rng(seed)
    world = in_room(2, restitution=0.5, gravity=(0, 0, -9.81), sleeping=False)
    robots: Robots = {}
    for name in ("p", "q"):
        body = add_tree(
            world, name, rng, tree(rng, 5, kind), speed=speed,
            restitution=rng.uniform(), friction=rng.uniform(), **options,
        )  # fmt: skip
        if body is not None:
            robots[name] = body.robot
    for i in range(2):
        scatter(
            world, f"b{i}", box(0.2, 0.25, 0.3),
            lambda: tc.pose(rng.uniform(-0.7, 0.7, 3), rotvec=rng.normal(size=3)),
            velocity=rng.normal(size=3) * speed,
        )  # fmt: skip
    assert robots
    return world, robots


def propose_at_random(world: World, seed: int) -> None:
    """Replace the proposals of the solver by random rates of all sizes."""
    rng = np.random.default_rng(seed)
    world._core.propose(rng.normal(size=(997, 6)) * 10.0 ** rng.uniform(-2, 3, (997, 6)))


def test_the_judges_detect_a_wrong_log() -> None:
    world, robots = filled("boxes", 0)
    log = world.start_log()
    world.step(30)
    assert judge(log, most=10, robots=robots) == []

    class Wrong:
        def arrays(self) -> dict[str, Any]:
            arrays = dict(log.arrays())
            arrays["q_0"] = arrays["q_0"].copy()
            arrays["q_0"][10:, 0] += 3  # through a wall
            for name in ("robots", "robot_of"):
                del arrays[name]
            return arrays | {"robots": log.arrays()["robots"]}

    found = judge(Wrong(), robots=robots)
    assert any(one.startswith("interval") for one in found)


@pytest.mark.parametrize("hostile", [False, True])
@pytest.mark.parametrize("kind", ["boxes", "sheets", "soups"])
def test_articulated_bodies_in_a_room_never_touch(kind: str, hostile: bool) -> None:
    for seed in range(cases(2)):
        world, robots = filled(kind, seed)
        if hostile:
            propose_at_random(world, seed)
        log = world.start_log()
        report = world.step(60)
        assert report.least_distance > 0
        assert judge(log, most=15, robots=robots) == [], seed


@pytest.mark.parametrize("speed", [30.0, 300.0, 1e5])
def test_articulated_bodies_at_huge_speeds_never_touch(speed: float) -> None:
    world, robots = filled("boxes", 5, speed)
    log = world.start_log()
    world.step(30)
    assert np.isfinite(world.poses).all()
    assert judge(log, most=30, robots=robots) == []


@pytest.mark.parametrize("size", [1e2, 1e6, 1e20])
def test_unbounded_forces_cause_no_contact(size: float) -> None:
    rng = np.random.default_rng(7)
    world, robots = filled("boxes", 3)
    log = world.start_log()
    for _ in range(30):
        for name in world.names[1:]:
            world.apply(name, rng.normal(size=3) * size, rng.normal(size=3) * size)
        world.step()
    assert np.isfinite(world.poses).all()
    assert judge(log, most=30, robots=robots) == []


@pytest.mark.parametrize("active", [0, 2, 8])
@pytest.mark.parametrize("hostile", [False, True])
def test_bodies_with_few_active_joints_never_touch(active: int, hostile: bool) -> None:
    world, robots = filled("boxes", 4, active=active)
    if hostile:
        propose_at_random(world, 4)
    log = world.start_log()
    world.step(60)
    assert judge(log, most=20, robots=robots) == []


@pytest.mark.parametrize("hostile", [False, True])
def test_joints_of_all_kinds_never_touch(hostile: bool) -> None:
    """One body has a fixed base and random drives, the other floats."""
    for seed in range(cases(2)):
        rng = np.random.default_rng(seed)
        world = in_room(2.5, gravity=(0, 0, -9.81), sleeping=False)
        kinds = ("revolute", "prismatic", "planar")
        robots: Robots = {}
        floating = add_tree(world, "p", rng, tree(rng, 5, "boxes", kinds), speed=2)
        if floating is not None:
            robots["p"] = floating.robot
        fixed = ArticulatedBody(tree(rng, 5, "boxes", kinds).placed(tc.pose((0, 0, 1))))
        world.add_articulated("q", fixed)
        if world._touching() is None:
            robots["q"] = fixed.robot
        else:
            world.remove("q")
        if hostile:
            propose_at_random(world, seed)
        log = world.start_log()
        for _ in range(12):
            for body in world.articulated.values():
                body.tau = rng.normal(size=body.freedoms) * 10 ** rng.uniform(-1, 2)
            world.step(5)
        assert judge(log, most=15, robots=robots) == [], seed


@pytest.mark.parametrize("hostile", [False, True])
def test_long_chains_that_curl_up_never_touch(hostile: bool) -> None:
    """Motors press links of one body against each other, all the time."""
    touched = 0
    for seed in range(cases(2)):
        rng = np.random.default_rng(seed)
        links = [tc.Link(str(i), limb(rng, "boxes", 0.2)) for i in range(10)]
        joints = [
            tc.Joint(
                f"j{i}", "revolute", str(i - 1), str(i), tc.pose((0, 0, -0.2)),
                axis=(rng.normal() * 0.3, 1, 0), lower=-np.inf, upper=np.inf,
            )
            for i in range(1, 10)
        ]  # fmt: skip
        body = ArticulatedBody(tc.Robot(links, joints), (0, 0, 0), floating=True)
        world = World((0, 0, 0), sleeping=False)
        world.add_articulated("c", body)
        body.tau = np.r_[np.zeros(6), rng.uniform(0.3, 1, 9)]
        body.damping = np.r_[np.zeros(6), np.full(9, 0.05)]
        log = world.start_log()
        world.step(60)
        if hostile:
            propose_at_random(world, seed)
        for _ in range(60):
            world.step()
            touched += len(world.contacts) > 0
        assert judge(log, most=25, robots={"c": body.robot}) == [], seed
    assert touched > 5


@pytest.mark.parametrize("active", [None, 4])
def test_heaps_of_chains_never_touch(active: int | None) -> None:
    rng = np.random.default_rng(1)
    world = in_room(1.6, gravity=(0, 0, -9.81))
    robots: Robots = {}
    for i in range(5):
        body = add_tree(world, f"c{i}", rng, tree(rng, 4, "boxes"), active=active)
        if body is not None:
            robots[f"c{i}"] = body.robot
    assert len(robots) > 2
    log = world.start_log()
    report = world.step(150)
    assert report.least_distance > 0
    assert judge(log, most=12, robots=robots) == []
