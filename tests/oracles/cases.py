"""Queries as plain data, for an oracle and for the library under test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import motion
from .body import Body
from .shapes import Shape, pose, random_rotation
from .spline import Spline

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Path:
    """A motion by name and arguments, in the order in which both sides take them."""

    kind: str
    arguments: tuple[Any, ...]

    def reference(self) -> motion.Motion:
        """Return the motion of the oracles."""
        made: motion.Motion = getattr(motion, self.kind)(*self.arguments)
        return made

    def pose(self) -> Callable[[float], Array]:
        """Return the pose of the motion at a time, also for splines."""
        if self.kind == "spline":
            return Spline(*self.arguments).pose
        return self.reference().quick_pose


@dataclass(frozen=True)
class Case:
    """Two shapes on two paths, a separation and a tolerance."""

    shape_a: Shape
    shape_b: Shape
    path_a: Path
    path_b: Path
    separation: float = 0.0
    tolerance: float = 1e-3

    def bodies(self) -> tuple[Body, Body]:
        """Return both bodies on their reference motions."""
        return (
            Body(*self.shape_a, self.path_a.reference()),
            Body(*self.shape_b, self.path_b.reference()),
        )

    def swapped(self) -> Case:
        """Return the same query with the bodies exchanged."""
        return replace(
            self,
            shape_a=self.shape_b,
            shape_b=self.shape_a,
            path_a=self.path_b,
            path_b=self.path_a,
        )


def fixed(at: Array | None = None) -> Path:
    """Return the motion of a body at rest."""
    return Path("fixed", (np.eye(4) if at is None else at,))


def linear(start: Array, end: Array, pivot: Sequence[float] = (0, 0, 0)) -> Path:
    """Return a motion with its pivot on a straight line."""
    return Path("linear", (start, end, pivot))


def screw(start: Array, end: Array) -> Path:
    """Return a motion about one screw axis."""
    return Path("screw", (start, end))


def twist(
    start: Array, velocity: Sequence[float] | Array, angular: Sequence[float] | Array
) -> Path:
    """Return a motion at constant velocities, with any number of turns."""
    return Path("twist", (start, velocity, angular))


def spline(times: Sequence[float], poses: Sequence[Array], kind: str) -> Path:
    """Return a spline through poses, "smooth" or "linear"; oracles only know its poses."""
    return Path("spline", (times, poses, kind))


def random_path(rng: np.random.Generator, start: Array, end: Array) -> Path:
    """Draw one of the three kinds of motion from start to end; a twist turns up to twice."""
    kind = int(rng.integers(3))
    if kind == 0:
        return linear(start, end, tuple(rng.normal(size=3) * 0.2))
    if kind == 1:
        return screw(start, end)
    turns = rng.normal(size=3)
    turns *= rng.uniform(0, 4 * np.pi) / np.linalg.norm(turns)
    return twist(start, end[:3, 3] - start[:3, 3], turns)


def passing_by(
    rng: np.random.Generator, shape_a: Shape, shape_b: Shape, aim: float = 1.3, **query: float
) -> Case:
    """Draw a query in which a, apart at the start, flies past b and touches it half the time.

    The centers pass at up to `aim` times the sum of the radii; thin shapes need a better aim.
    """
    reach = _reach(shape_a) + _reach(shape_b)
    turn = random_rotation(rng)
    miss = rng.uniform(0, aim * reach)
    near = rng.normal(size=3) * 0.1 * reach
    start = pose(near + turn @ [-1.2 * reach, miss, 0], random_rotation(rng))
    end = pose(near + turn @ [1.2 * reach, miss, 0], random_rotation(rng))
    rest = pose(near, random_rotation(rng))
    drift = pose(near + rng.normal(size=3) * 0.1 * reach, random_rotation(rng))
    path_b = fixed(rest) if rng.integers(2) else random_path(rng, rest, drift)
    return Case(shape_a, shape_b, random_path(rng, start, end), path_b, **query)


def _reach(shape: Shape) -> float:
    return float(np.linalg.norm(shape[0], axis=1).max())
