"""Pipework around a robot: self-avoiding lines on a lattice, with bends and flanges.

It corresponds to the dense pipes close to the arm in Redon et al. 2004, section 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._mesh import Mesh
from toccata._robot import Robot
from toccata._scene import Scene

from ._tube import tube
from .primitives import cylinder
from .robots import puma
from .surface import MeshArrays, along, shifted, union

Cell = tuple[int, int, int]

_SPACING = 0.14  # Distance of lattice points in meters; pipes are thinner, so they never touch.
_HALF = (8, 8, 6)  # Number of cells from the middle to either side.
_STEPS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
_SIDES, _BEND_STEPS = 14, 7


def pipes(
    count: int = 24, center: tuple[float, float, float] = (0.0, 0.0, 0.67), seed: int = 4
) -> Scene:
    """Return a scene with one body, "pipes", of about 1,570 triangles per pipe.

    All pipes are farther than 0.4 from `center`, where the shoulder of an arm fits, and farther
    than 0.25 from the vertical line below it, where its base fits.
    """
    scene = Scene()
    scene.add("pipes", Mesh(*shifted(pipe_mesh(count, seed), center)))
    return scene


@dataclass(frozen=True, slots=True, eq=False)
class RobotMotion:
    """A motion of a robot in a world, straight from `q0` to `q1`."""

    robot: Robot
    world: Scene
    q0: NDArray[np.float64]
    q1: NDArray[np.float64]
    why: str = ""

    def at(self, times: ArrayLike) -> NDArray[np.float64]:
        """Return the configurations at times."""
        return np.asarray(self.robot.interpolate(self.q0, self.q1, times))

    def sampled(self, count: int) -> NDArray[np.float64]:
        """Return `count` configurations at evenly spaced times, both ends included."""
        return self.at(np.linspace(0.0, 1.0, count))


def grazing_motion() -> RobotMotion:
    """Return a motion of an arm among pipes that seems free at 2,000 evenly spaced samples.

    Halfway, the hand grazes a pipe for 0.0004 of the motion. The motion was selected from three
    million random motions that start and end free.
    """
    q0 = np.array([0.927, -1.077, 1.976, -0.311, 0.035, -0.746])
    q1 = np.array([-0.871, -0.257, 1.611, -0.429, 0.129, -0.816])
    why = (
        "An arm sweeps through pipework. Halfway, its hand grazes a pipe for less than a"
        " thousandth of the motion. A planner that checks samples would call the motion free."
    )
    return RobotMotion(puma(), pipes(), q0, q1, why)


def pipe_mesh(count: int, seed: int) -> MeshArrays:
    """Return all pipes as one mesh; they do not touch each other."""
    rng = np.random.default_rng(seed)
    taken: set[Cell] = set()
    parts: list[MeshArrays] = []
    while len(parts) < count:
        cells = _route(rng, taken)
        if len(cells) < 8:
            continue
        taken.update(cells)
        parts.append(_pipe(cells, rng.choice([0.022, 0.03, 0.038])))
    return union(*parts)


def _route(rng: np.random.Generator, taken: set[Cell]) -> list[Cell]:
    """Return a line of free cells with few turns, which starts at the rim of the lattice."""
    here = tuple(int(rng.integers(-h, h + 1)) for h in _HALF)
    rim = int(rng.integers(3))
    here = tuple(h * int(rng.choice([-1, 1])) if i == rim else c
                 for i, (c, h) in enumerate(zip(here, _HALF, strict=True)))  # fmt: skip
    direction = _STEPS[int(rng.integers(6))]
    line: list[Cell] = []
    straight, most = 0, int(rng.integers(14, 30))
    while len(line) < most and _is_free(here, taken) and here not in line:
        line.append((here[0], here[1], here[2]))
        ahead = _ahead(here, direction)
        blocked = not _is_free(ahead, taken) or ahead in line
        if straight >= 2 and (blocked or rng.random() < 0.25):
            direction = _turn(rng, here, direction, taken.union(line))
            straight = 0
        straight += 1
        here = _ahead(here, direction)
    return line


def _ahead(cell: tuple[int, ...], direction: Cell) -> Cell:
    return cell[0] + direction[0], cell[1] + direction[1], cell[2] + direction[2]


def _turn(
    rng: np.random.Generator, here: tuple[int, ...], direction: Cell, taken: set[Cell]
) -> Cell:
    """Return a free direction across the current one, or the current direction if none is free."""
    across = [step for step in _STEPS if not np.dot(step, direction)]
    free = [step for step in across if _is_free(_ahead(here, step), taken)]
    return free[int(rng.integers(len(free)))] if free else direction


def _is_free(cell: tuple[int, ...], taken: set[Cell]) -> bool:
    inside = all(abs(c) <= h for c, h in zip(cell, _HALF, strict=True))
    x, y, z = (_SPACING * c for c in cell)
    near = np.hypot(np.hypot(x, y), z) < 0.45 or (z < 0 and np.hypot(x, y) < 0.3)
    return inside and not near and cell not in taken


def _pipe(cells: list[Cell], radius: float) -> MeshArrays:
    """Return the tube along a line of cells, with a flange at both ends."""
    points = _SPACING * np.asarray(cells, dtype=np.float64)
    steps = np.diff(points, axis=0)
    turns = np.flatnonzero(np.abs(np.diff(steps, axis=0)).max(axis=1) > 1e-9) + 1
    corners = points[[0, *turns, len(points) - 1]]
    body = tube(corners, radius, 0.06, _SIDES, _BEND_STEPS, _SPACING)
    flanges = [
        _flange(points[0] + 0.1 * steps[0], steps[0], radius),
        _flange(points[-1] - 0.1 * steps[-1], steps[-1], radius),
    ]
    return union(body, *flanges)


def _flange(
    center: NDArray[np.float64], direction: NDArray[np.float64], radius: float
) -> MeshArrays:
    """Return a disc around a pipe that runs along a coordinate axis."""
    axis = "xyz"[int(np.abs(direction).argmax())]
    return shifted(along(cylinder(1.45 * radius, 0.016, _SIDES), axis), center)
