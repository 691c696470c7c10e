"""Motion over a flat face does not depend on its triangles, parts or bodies."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from oracles.size import SEED, cases
from oracles.worlds import box, judge

import toccata as tc
from toccata.dynamics import ArticulatedBody, World

HALF = 4.0  # of a floor's width
CUBE = box(0.5, 0.5, 0.5)
BRICK = box(0.6, 0.4, 0.3)

Soup = tuple[Any, Any]


def quads(cuts_x: Any, cuts_y: Any) -> Soup:
    """Return rectangles between cuts, of two triangles each, joined at their vertices."""
    points = np.array([(x, y, 0.0) for x in cuts_x for y in cuts_y])
    i, j = np.meshgrid(np.arange(len(cuts_x) - 1), np.arange(len(cuts_y) - 1), indexing="ij")
    corner, next_row = (i * len(cuts_y) + j).ravel(), len(cuts_y)
    one = np.stack([corner, corner + next_row, corner + next_row + 1], 1)
    two = np.stack([corner, corner + next_row + 1, corner + 1], 1)
    return points, np.vstack([one, two])


def joined(soups: list[Soup]) -> Soup:
    offsets = np.cumsum([0, *(len(v) for v, _ in soups)])
    faces = [f + at for (_, f), at in zip(soups, offsets, strict=False)]
    return np.vstack([v for v, _ in soups]), np.vstack(faces)


def grid(n: int) -> list[Soup]:
    cuts = np.linspace(-HALF, HALF, n + 1)
    return [quads(cuts, cuts)]


def slivers() -> list[Soup]:
    """Return strips a thousand times as long as they are wide, and wider ones."""
    cuts = np.sort(np.r_[np.linspace(-HALF, HALF, 9), np.linspace(-1, 1, 9) + 8e-3])
    return [quads(cuts, [-HALF, HALF])]


def fan(sides: int) -> list[Soup]:
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    rim = np.c_[2 * HALF * np.cos(angle), 2 * HALF * np.sin(angle), np.zeros(sides)]
    i = np.arange(sides)
    return [(np.vstack([rim, (-0.7, 0.05, 0)]), np.c_[np.full(sides, sides), i, (i + 1) % sides])]


def random_cuts(seed: int) -> list[Soup]:
    rng = np.random.default_rng((73, seed))
    x, y = np.sort(rng.uniform(-HALF, HALF, (2, 30)))
    return [quads(np.r_[-HALF, x, HALF], np.r_[-HALF, y, HALF])]


def plates() -> list[Soup]:
    cuts = np.linspace(-HALF, HALF, 17)
    return [quads(pair, [-HALF, HALF]) for pair in pairwise(cuts)]


def staggered() -> list[Soup]:
    """Return rows of tiles, each row shifted against the next: T-junctions everywhere."""
    found = []
    rows = np.linspace(-HALF, HALF, 13)
    for k, (lo, hi) in enumerate(pairwise(rows)):
        cuts = np.unique(np.clip(np.linspace(-HALF, HALF, 12) + 0.21 * (k % 3), -HALF, HALF))
        cuts = np.unique(np.r_[-HALF, cuts])
        found += [quads(pair, [lo, hi]) for pair in pairwise(cuts)]
    return found


FLOORS: dict[str, list[Soup]] = {
    "grid of 7": grid(7),
    "grid of 60": grid(60),
    "slivers": slivers(),
    "fan": fan(48),
    "random cuts": random_cuts(SEED),
    "plates": [joined(plates())],
    "tiles": [joined(staggered())],
    "plates as bodies": plates(),
    "tiles as bodies": staggered(),
}


def on(floor: list[Soup], friction: float, **options: Any) -> World:
    world = World(**options)
    for k, (vertices, faces) in enumerate(floor):
        world.add(f"floor {k}", tc.Mesh(vertices, faces), np.eye(4), fixed=True, friction=friction)
    return world


def last(world: World) -> Any:
    return np.r_[world.velocities[-1], world.poses[-1][:3].ravel()]


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize(
    ("velocity", "spin", "step"),
    [((2, 0.3, 0), 0.0, 1 / 120), ((1.2, -0.4, 0), 1.0, 1 / 120), ((0.05, 0.02, 0), -2.0, 1 / 40)],
)
def test_a_body_slides_and_spins_without_friction(
    floor: str, velocity: Any, spin: float, step: float
) -> None:
    world = on(FLOORS[floor], 0.0, step=step)
    start = tc.pose((-1.3, 0.1, 0.2503), rotvec=(0, 0, 0.3))
    motion: Any = {"velocity": velocity, "angular_velocity": (0, 0, spin)}
    world.add("cube", CUBE, start, friction=0.0, **motion)
    log = world.start_log()
    report = world.step(120)
    assert world.velocities[-1] == pytest.approx((*velocity, 0, 0, spin), abs=1e-9)
    way = np.array(velocity) * 120 * step
    assert world.poses[-1][:2, 3] == pytest.approx(start[:2, 3] + way[:2], abs=1e-8)
    assert report.stopped == 0
    if len(FLOORS[floor]) == 1:  # plates that are bodies touch each other
        assert judge(log, most=10) == []


@pytest.mark.parametrize("floor", FLOORS)
def test_friction_does_not_depend_on_the_cut(floor: str) -> None:
    results = []
    for soup in (FLOORS[floor], grid(1)):
        world = on(soup, 0.3, sleeping=False)
        start = tc.pose((-1.3, 0.1, 0.1505), rotvec=(0, 0, 0.3))
        world.add("brick", BRICK, start, friction=0.3, velocity=(1.5, 0.2, 0))
        world.step(40)
        results.append(last(world))
    assert results[0] == pytest.approx(results[1], abs=2e-6)


def landed(floor: list[Soup], case: int) -> tuple[World, Any]:
    """Return a world in which a tumbling brick has landed, and its velocity at the start."""
    rng = np.random.default_rng((74, SEED, case))
    world = on(floor, 0.0)
    pose = tc.pose((*rng.uniform(-1, 1, 2), 0.6), rotvec=rng.normal(size=3))
    velocity = (*rng.uniform(-1, 1, 2), -1.0)
    world.add("brick", BRICK, pose, friction=0.0, velocity=velocity)
    assert world.step(100).stopped == 0
    return world, velocity


@pytest.mark.parametrize("floor", FLOORS)
def test_a_body_lands_without_friction(floor: str) -> None:
    for case in range(cases(3)):
        world, velocity = landed(FLOORS[floor], case)
        assert last(world) == pytest.approx(last(landed(grid(1), case)[0]), abs=1e-6)
        assert world.velocities[-1][:2] == pytest.approx(velocity[:2], abs=1e-3)


def turntable(sides: int) -> tc.Mesh:
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    rim = np.stack([2 * np.cos(angle), 2 * np.sin(angle)], 1)
    low, high = -0.2 * np.ones(sides), np.zeros(sides)
    vertices = np.vstack([np.c_[rim, high], np.c_[rim, low], [(0, 0, 0), (0, 0, -0.2)]])
    i, j = np.arange(sides), (np.arange(sides) + 1) % sides
    top, bottom = np.full(sides, 2 * sides), np.full(sides, 2 * sides + 1)
    caps = [np.c_[top, i, j], np.c_[bottom, sides + j, sides + i]]
    walls = [np.c_[i, sides + i, j], np.c_[j, sides + i, sides + j]]
    return tc.Mesh(vertices, np.vstack([*caps, *walls]))


@pytest.mark.parametrize("kind", ["hinge", "given motion"])
@pytest.mark.parametrize("sides", [4, 48, 300])
def test_a_turntable_without_friction_does_not_drag(kind: str, sides: int) -> None:
    world = World(step=1 / 40)
    table = turntable(sides)
    if kind == "hinge":
        joint = tc.Joint("turn", "continuous", "base", "table")
        body = ArticulatedBody(tc.Robot([tc.Link("base"), tc.Link("table", table)], [joint]))
        body.v = np.array([0.8])
        world.add_articulated("table", body, friction=0.0)
    else:
        turn = tc.Motion.twist(np.eye(4), (0, 0, 0), (0, 0, 1.6))
        world.add("table", table, motion=turn, duration=2.0, friction=0.0)
    world.add("cube", CUBE, tc.pose((1.0, 0.1, 0.31)), friction=0.0)
    world.step(30)
    cube = world.velocities[list(world.names).index("cube")]
    assert cube == pytest.approx(np.zeros(6), abs=1e-9)


def test_a_step_up_still_stops_a_body() -> None:
    """Only what does not stand out of the plane is no obstacle."""
    low, high = quads([-HALF, 0], [-HALF, HALF]), quads([0, HALF], [-HALF, HALF])
    wall = np.array([(0, -HALF, 0), (0, HALF, 0), (0, HALF, 0.01), (0, -HALF, 0.01)])
    rise = (wall, np.array([(0, 1, 2), (0, 2, 3)]))
    world = on([joined([low, rise, (high[0] + (0, 0, 0.01), high[1])])], 0.0)
    world.add("cube", CUBE, tc.pose((-1, 0, 0.2503)), friction=0.0, velocity=(1, 0, 0))
    log = world.start_log()
    world.step(120)
    assert world.poses[-1][0, 3] < 0
    assert judge(log, most=20) == []
