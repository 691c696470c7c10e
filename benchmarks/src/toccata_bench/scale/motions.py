"""Motions of the Puma among pipes, like edges of a roadmap, as a Parquet dataset."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.scale._columns import vectors
from toccata.scenes.pipes import pipes
from toccata.scenes.robots import puma

Floats = NDArray[np.float64]

TURNS = (0.1, 0.5)
"""Range in radians of the largest rotation of a joint in a motion."""
FILES = 10
_DRAWS = 100_000


@dataclass(frozen=True, slots=True)
class Motions:
    """A robot, its world, and both ends (n, dof) of its motions."""

    robot: tc.Robot
    world: tc.Scene
    start: Floats
    end: Floats

    def __len__(self) -> int:
        return len(self.start)


def draw(rows: int, seed: int = 0) -> Motions:
    """Return motions from random free configurations to configurations nearby."""
    robot, world = puma(), pipes()
    rng = np.random.default_rng(seed)
    starts: list[Floats] = []
    while sum(map(len, starts)) < rows:
        drawn = robot.random_configurations(min(_DRAWS, 2 * rows), seed + len(starts))
        starts.append(
            drawn[robot.first_contact_batch(drawn, drawn, world).status == tc.Status.FREE]
        )
    start = np.concatenate(starts)[:rows]
    change = rng.uniform(-1.0, 1.0, start.shape)
    change *= rng.uniform(*TURNS, (rows, 1)) / np.abs(change).max(axis=1, keepdims=True)
    outside = (start + change < robot.lower) | (start + change > robot.upper)
    return Motions(robot, world, start, np.where(outside, start - change, start + change))


def write(motions: Motions, folder: Path, files: int = FILES) -> Path:
    """Write motions with ids as files of equal size, and return their folder."""
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    folder.mkdir(parents=True)
    for i, rows in enumerate(np.array_split(np.arange(len(motions)), files)):
        ends = {"q0": vectors(motions.start[rows]), "q1": vectors(motions.end[rows])}
        parquet.write_table(pa.table({"id": rows, **ends}), folder / f"motions-{i:02}.parquet")
    return folder
