"""Pipework around a robot: self-avoiding lines on a lattice, with bends and flanges.

It stands for the pipes of Redon et al. 2004, section 6: dense, and close to the arm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._tube import tube
from .primitives import cylinder
from .surface import MeshArrays, along, shifted, union

if TYPE_CHECKING:
    from toccata._robot import Robot
    from toccata._scene import Scene

Cell = tuple[int, int, int]

_SPACING = 0.14  # Meters between lattice points; pipes are thinner, so two of them never touch.
_HALF = (8, 8, 6)  # Cells from the middle to either side.
_STEPS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
_SIDES, _BEND_STEPS = 14, 7


def pipes(
    count: int = 24, center: tuple[float, float, float] = (0.0, 0.0, 0.67), seed: int = 4
) -> Scene:
    """Return a scene with one body, "pipes", of about 1,570 triangles per pipe.

    Nothing is within 0.4 of `center`, the place for the shoulder of an arm, nor within 0.25 of the
    vertical line below it, the place for its base.
    """
    from toccata._mesh import Mesh
    from toccata._scene import Scene

    scene = Scene()
    scene.add("pipes", Mesh(*shifted(pipe_mesh(count, seed), center)))
    return scene


@dataclass(frozen=True, slots=True, eq=False)
class RobotMotion:
    """A robot that moves on a straight line from `q0` to `q1` in a world."""

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
    """Return a sweep of an arm among pipes that 2,000 evenly spaced samples accept as free.

    Halfway, its hand grazes a pipe for 0.0004 of the motion. The motion was found among three
    million random motions with free ends.
    """
    from .robots import puma

    q0 = np.array([0.927, -1.077, 1.976, -0.311, 0.035, -0.746])
    q1 = np.array([-0.871, -0.257, 1.611, -0.429, 0.129, -0.816])
    why = (
        "An arm sweeps through pipework. Halfway its hand grazes a pipe, for less than a"
        " thousandth of the way: a planner that looks at samples of the way calls it free."
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
    """Return a line of free cells with few turns, from the rim to where it is stuck."""
    here = tuple(int(rng.integers(-h, h + 1)) for h in _HALF)
    rim = int(rng.integers(3))
    here = tuple(h * int(rng.choice([-1, 1])) if i == rim else c
                 for i, (c, h) in enumerate(zip(here, _HALF, strict=True)))  # fmt: skip
    way = _STEPS[int(rng.integers(6))]
    line: list[Cell] = []
    straight, most = 0, int(rng.integers(14, 30))
    while len(line) < most and _is_free(here, taken) and here not in line:
        line.append((here[0], here[1], here[2]))
        ahead = _ahead(here, way)
        blocked = not _is_free(ahead, taken) or ahead in line
        if straight >= 2 and (blocked or rng.random() < 0.25):
            way = _turn(rng, here, way, taken.union(line))
            straight = 0
        straight += 1
        here = _ahead(here, way)
    return line


def _ahead(cell: tuple[int, ...], way: Cell) -> Cell:
    return cell[0] + way[0], cell[1] + way[1], cell[2] + way[2]


def _turn(rng: np.random.Generator, here: tuple[int, ...], way: Cell, taken: set[Cell]) -> Cell:
    """Return a free direction across the present one, or the present one if there is none."""
    ways = [w for w in _STEPS if np.dot(w, way) == 0 and _is_free(_ahead(here, w), taken)]
    return ways[int(rng.integers(len(ways)))] if ways else way


def _is_free(cell: tuple[int, ...], taken: set[Cell]) -> bool:
    inside = all(abs(c) <= h for c, h in zip(cell, _HALF, strict=True))
    x, y, z = (_SPACING * c for c in cell)
    near = np.hypot(np.hypot(x, y), z) < 0.45 or (z < 0 and np.hypot(x, y) < 0.3)
    return inside and not near and cell not in taken


def _pipe(cells: list[Cell], radius: float) -> MeshArrays:
    """Return the tube along a line of cells, with a flange at both ends."""
    points = _SPACING * np.asarray(cells, dtype=np.float64)
    ways = np.diff(points, axis=0)
    turns = np.flatnonzero(np.abs(np.diff(ways, axis=0)).max(axis=1) > 1e-9) + 1
    corners = points[[0, *turns, len(points) - 1]]
    body = tube(corners, radius, 0.06, _SIDES, _BEND_STEPS, _SPACING)
    flanges = [
        _flange(points[0] + 0.1 * ways[0], ways[0], radius),
        _flange(points[-1] - 0.1 * ways[-1], ways[-1], radius),
    ]
    return union(body, *flanges)


def _flange(place: NDArray[np.float64], way: NDArray[np.float64], radius: float) -> MeshArrays:
    """Return a disc around a pipe that runs along a coordinate axis."""
    axis = "xyz"[int(np.abs(way).argmax())]
    return shifted(along(cylinder(1.45 * radius, 0.016, _SIDES), axis), place)
