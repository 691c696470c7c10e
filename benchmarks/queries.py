"""Cost per call of the queries other than a first contact: the tables of docs/scenes.md.

`python benchmarks/queries.py` prints the shortest time of many calls on one thread, in
milliseconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import toccata as tc
from toccata.scenes import models, robots

COUNT = 1000


def least(ask: Callable[[], Any], rounds: int = 20) -> float:
    """Return the shortest time of a call in milliseconds."""
    best = np.inf
    for _ in range(rounds):
        start = time.perf_counter()
        ask()
        best = min(best, time.perf_counter() - start)
    return 1e3 * float(best)


def tell(what: str, *milliseconds: float) -> None:
    """Print a row of a table."""
    print(f"| {what} | " + " | ".join(f"{x:.2g}" for x in milliseconds) + " |", flush=True)


def crowd(spread: float) -> tuple[tc.Scene, np.ndarray, np.ndarray]:
    """Return a scene of 1,000 balls in a cube, their start poses and their displacements."""
    rng = np.random.default_rng(0)
    ball, scene = tc.Mesh(*models.icosphere(0.25, 1)), tc.Scene()
    start = np.tile(np.eye(4), (COUNT, 1, 1))
    start[:, :3, 3] = np.indices((10, 10, 10)).reshape(3, -1).T
    linear = rng.normal(size=(COUNT, 3))
    linear *= spread / np.linalg.norm(linear, axis=1, keepdims=True)
    for i, pose in enumerate(start):
        scene.add(f"ball {i}", ball, pose)
    return scene, start, linear


def scenes() -> None:
    """Print the cost of queries of two scenes: with short and with long displacements."""
    asked = [crowd(0.1), crowd(0.5)]

    def row(what: str, ask: Callable[..., Any], rounds: int = 20) -> None:
        tell(what, *(least(lambda c=case: ask(*c), rounds) for case in asked))

    def moved(scene: tc.Scene, start: np.ndarray, linear: np.ndarray) -> None:
        scene.move_all(start, linear=linear)

    row("`move_all` with twists", moved)
    row("`move_all`, and `first_contact()`", lambda s, a, v: (moved(s, a, v), s.first_contact()))
    row("`first_contact()` of the same scene again", lambda s, a, v: s.first_contact())
    row("`contacts(threads=1)`", lambda s, a, v: s.contacts(threads=1), 3)
    row("`clearance()`", lambda s, a, v: s.clearance(), 3)
    row("`distances(limit=0.6, threads=1)`", lambda s, a, v: s.distances(0.6, threads=1), 3)
    row("`proximities(0.6)`", lambda s, a, v: s.proximities(0.6), 3)


def others() -> None:
    """Print the cost of other queries."""
    gear = tc.Mesh(*models.gear())
    past = tc.Motion.linear(tc.pose((2.6, 0.9, 0.05)), tc.pose((-2.6, -0.4, 0.05)))
    tell(
        "`tc.contact_intervals` of two gears", least(lambda: tc.contact_intervals(gear, gear, past))
    )
    cube, floor = tc.Mesh(*models.box((1, 1, 1))), tc.Mesh(*models.box((10, 10, 0.2)))
    slide = tc.Motion.linear(tc.pose((0, 0, 0.6001)), tc.pose((2, 1, 0.6001)))
    how: Any = {"separation": 1e-3, "initial": "resting"}
    tell(
        '`initial="resting"`, a cube that slides on a floor',
        least(lambda: tc.first_contact(cube, floor, slide, **how)),
    )
    robot, wires = robots.puma(), robots.wires(40)
    q = np.random.default_rng(2).uniform(-1.5, 1.5, (2, robot.dof))
    tell("`robot.distances`, all pairs", least(lambda: robot.distances(q[:1], wires, threads=1)))
    tell(
        "`robot.distances`, limit of 0.1",
        least(lambda: robot.distances(q[:1], wires, limit=0.1, threads=1)),
    )
    tell(
        "`robot.proximities` within 0.02",
        least(lambda: robot.proximities(q[0], wires, distance=0.02)),
    )
    tell("`robot.contact_intervals`", least(lambda: robot.contact_intervals(q[0], q[1], wires)))
    aside = tc.pose((1.2, 0, 0))
    tell("`robot.placed`", least(lambda: robot.placed(aside)))
    tell("`tc.combine` of two", least(lambda: tc.combine({"a": robot, "b": robot})))
    tell("`robot.padded`", least(lambda: robot.padded({robot.link_names[-1]: 0.01})))


if __name__ == "__main__":
    scenes()
    others()
