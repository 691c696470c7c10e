"""Long chains with ten active joints, whose cost must not grow with their length."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toccata.scenes.robots import chain
from toccata_bench.adaptive import cost, replay
from toccata_bench.adaptive.replay import Motions
from toccata_bench.record import Record

LENGTHS = (100, 1000)
ACTIVE = 10
PLACES = ("base", "middle", "random")
_STEPS, _ANGLE, _BEND = 60, 0.01, 1.5


def active_joints(place: str, joints: int, seed: int = 0) -> NDArray[np.int_]:
    """Return the active joints: the first ones, those in the middle, or random ones."""
    if place == "random":
        return np.sort(np.random.default_rng(seed).choice(joints, ACTIVE, replace=False))
    first = 0 if place == "base" else (joints - ACTIVE) // 2
    return np.arange(first, first + ACTIVE)


def chain_motions(count: int, place: str, steps: int = _STEPS) -> Motions:
    """Return consecutive free motions of a slightly bent chain."""
    robot = chain(count)
    rng = np.random.default_rng(count)
    rest = np.where(np.arange(robot.dof) % 2, 2 * _BEND / robot.dof, 0.0)  # a quarter of a circle
    moving = active_joints(place, robot.dof)
    rows = np.tile(rest, (steps + 1, 1))
    rows[:, moving] += _ANGLE * rng.uniform(-1, 1, (steps + 1, ACTIVE))
    counted = np.arange(steps) >= min(5, steps - 1)  # not those that build structures
    return Motions(robot, None, rows[:-1], rows[1:], counted)


def measure_chains(steps: int = _STEPS) -> Record:
    """Return the cost of queries and steps, by length and place of the active joints."""
    found: Record = {}
    for count in LENGTHS:
        for place in PLACES:
            motions = chain_motions(count, place, steps)
            queries = replay.measure(motions, f"chain of {count}, {place}")
            steps_of = cost.few_active(count, active_joints(place, count - 1))
            found[f"{count}, {place}"] = queries | steps_of
    return found
