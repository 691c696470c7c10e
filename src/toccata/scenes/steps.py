"""A deforming model as a sequence of steps, and the few things that all such models share.

A step starts from a frame without intersections, as a simulation keeps them, and ends at what the
simulation proposes before it looks for contacts. The next step starts from a corrected frame.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .surface import Faces, Points

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Kind = Literal["free", "few", "many"]
"""Contacts of a step in the paper's size: none; fewer than a tenth of the triangles; more."""


@dataclass(frozen=True, slots=True)
class Step:
    """Vertices go straight from `v0` to `v1`.

    When the mesh is not that of the step before, `origin` tells for each vertex which one of that
    mesh it was (-1: none).
    """

    label: str
    kind: Kind
    v0: Points
    v1: Points
    faces: Faces
    origin: Ids | None = None


@dataclass(frozen=True, slots=True)
class DeformingScene:
    """A named sequence; `triangles` counts those of its first step. Steps are made when asked."""

    name: str
    triangles: int
    generate: Callable[[], Iterator[Step]] = field(repr=False)

    def steps(self) -> Iterator[Step]:
        """Iterate over the steps; each call starts anew and gives the same bits."""
        return self.generate()


def ripple(places: Points, length: float, seed: int, waves: int = 6) -> Points:
    """Random smooth displacements of root mean square length 1, which fade over about `length`.

    `places` are where the material was at rest: layers that came close later move on their own.
    """
    random = np.random.default_rng(seed)
    total = np.zeros_like(places)
    for _ in range(waves):
        direction = random.standard_normal(3)
        phases = random.uniform(0.0, 2 * np.pi, 3)
        cycle = places @ (direction / length)
        total += np.sin(cycle[:, None] + phases)
    total *= np.sqrt(2 / (3 * waves))
    return total


def smoothstep(x: ArrayLike) -> Floats:
    """Rise from 0 at 0 to 1 at 1 with level ends; constant outside."""
    share = np.clip(np.asarray(x, dtype=np.float64), 0.0, 1.0)
    rise: Floats = share * share * (3 - 2 * share)
    return rise


def spun(points: Points, angle: ArrayLike) -> Points:
    """Turn points about the z axis, each by its own angle or all by one."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = points.T
    return np.stack([c * x - s * y, s * x + c * y, z], axis=1)
