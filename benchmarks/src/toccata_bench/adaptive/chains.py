"""Long chains with ten active joints; the cost must not grow with the length of the chain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toccata.scenes.robots import chain
from toccata_bench.adaptive import cost, replay
from toccata_bench.adaptive.replay import Motions
from toccata_bench.record import Record

LENGTHS = (100, 1000)
ACTIVE = 10
LOCATIONS = ("base", "middle", "random")
_STEPS, _ANGLE, _BEND = 60, 0.01, 1.5


def active_joints(location: str, joints: int, seed: int = 0) -> NDArray[np.int_]:
    """Return the active joints: the first ones, the middle ones, or random ones."""
    if location == "random":
        return np.sort(np.random.default_rng(seed).choice(joints, ACTIVE, replace=False))
    first = 0 if location == "base" else (joints - ACTIVE) // 2
    return np.arange(first, first + ACTIVE)


def chain_motions(count: int, location: str, steps: int = _STEPS) -> Motions:
    """Return consecutive free motions of a slightly bent chain."""
    robot = chain(count)
    rng = np.random.default_rng(count)
    rest = np.where(np.arange(robot.dof) % 2, 2 * _BEND / robot.dof, 0.0)  # a quarter of a circle
    moving = active_joints(location, robot.dof)
    rows = np.tile(rest, (steps + 1, 1))
    rows[:, moving] += _ANGLE * rng.uniform(-1, 1, (steps + 1, ACTIVE))
    counted = np.arange(steps) >= min(5, steps - 1)  # the first motions build data structures
    return Motions(robot, None, rows[:-1], rows[1:], counted)


def measure_chains(steps: int = _STEPS) -> Record:
    """Return the cost of queries and steps, by length and by the location of active joints."""
    found: Record = {}
    for count in LENGTHS:
        for location in LOCATIONS:
            motions = chain_motions(count, location, steps)
            queries = replay.measure(motions, f"chain of {count}, {location}")
            steps_of = cost.few_active(count, active_joints(location, count - 1))
            found[f"{count}, {location}"] = queries | steps_of
    return found
