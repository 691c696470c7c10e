"""Overhead of calls in addition to queries: paths, separations by pair, and new robots."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import toccata as tc
from toccata.scenes.robots import chain, puma, wires
from toccata_bench.clock import best_in_turn
from toccata_bench.record import Record
from toccata_bench.verify import WrongAnswer

PIECES = 5_000
CALLS = 2_000
CHAINS = (100, 400)
ROUNDS = 7


def calls(pieces: int = PIECES, count: int = CALLS, chains: tuple[int, int] = CHAINS) -> Record:
    """Time different calls for the same queries in turn, and the construction of chains."""
    robot, world = puma(), wires(12)
    path = free_path(robot, world, pieces)
    distances = {(a, b): 1e-3 for a in robot.link_names for b in world._as_world().names}

    def one_by_one(separation: Any) -> None:
        for i in range(count):
            row = i % pieces
            robot.motion_is_free(path[row], path[row + 1], world, separation=separation)

    works: list[Callable[[], object]] = [
        partial(robot.first_contact_path, path, world),
        partial(robot.first_contact_batch, path[:-1], path[1:], world, threads=1),
        partial(one_by_one, 1e-3),
        partial(one_by_one, distances),
        *(partial(chain, links) for links in chains),
    ]
    along, batch, number, mapping, few, many = best_in_turn(works, ROUNDS)
    return {
        "path_by_batch": along / batch,
        "mapping_us": 1e6 * (mapping - number) / count,
        "mapping_pairs": len(distances),
        "links_by_links": (many / chains[1]) / (few / chains[0]),
    }


def free_path(robot: tc.Robot, world: tc.Scene, pieces: int) -> Any:
    """Return a path of small steps around a free configuration."""
    rows = robot.random_configurations(50, 1)
    middle = max(rows, key=lambda q: robot.clearance(q, q, world).lower)
    phase = np.linspace(0.0, 40.0, pieces + 1)[:, None]
    path = middle + 0.02 * np.sin(phase * np.random.default_rng(0).uniform(0.5, 2.0, robot.dof))
    if robot.first_contact_path(path, world, separation=1e-3):
        raise WrongAnswer("calls: contact on a path that is free by construction")
    return path
