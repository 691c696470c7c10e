"""Deforming models as sequences of steps, and their common functions.

A step starts from a frame without intersections, as in a simulation. It ends at the frame that the
simulation proposes before collision detection. The next step starts from a corrected frame.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._sequence import Frame

from .surface import Faces, Points

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Kind = Literal["free", "few", "many"]
"""Number of contacts of a step at the paper's size: none, below a tenth of the triangles, more."""


@dataclass(frozen=True, slots=True)
class Step:
    """Linear motion of all vertices from `v0` to `v1`.

    If the mesh differs from the mesh of the previous step, `origin` has for each vertex
    its index in the previous mesh, or -1 for a new vertex.
    """

    label: str
    kind: Kind
    v0: Points
    v1: Points
    faces: Faces
    origin: Ids | None = None


@dataclass(frozen=True, slots=True)
class DeformingScene:
    """A named sequence of steps, made on request. `triangles` is the size of its first mesh."""

    name: str
    triangles: int
    generate: Callable[[], Iterator[Step]] = field(repr=False)

    def steps(self) -> Iterator[Step]:
        """Iterate over the steps; each call starts from the beginning and gives the same bits."""
        return self.generate()

    def frames(self) -> Iterator[Frame]:
        """Iterate over the corrected frames, for `sequence_contacts`.

        They are the starts of all steps, with the origins of vertices after a cut, and the end of
        the last step.
        """
        for step in self.steps():
            yield Frame(step.v0, step.faces, step.origin)
        yield Frame(step.v1, step.faces)


def ripple(rest: Points, length: float, seed: int, waves: int = 6) -> Points:
    """Return random smooth displacements with a root mean square length of 1.

    They are uncorrelated beyond a distance of about `length` in the `rest` positions. Therefore
    layers of material that come close later move independently.
    """
    random = np.random.default_rng(seed)
    total = np.zeros_like(rest)
    for _ in range(waves):
        direction = random.standard_normal(3)
        phases = random.uniform(0.0, 2 * np.pi, 3)
        cycle = rest @ (direction / length)
        total += np.sin(cycle[:, None] + phases)
    total *= np.sqrt(2 / (3 * waves))
    return total


def smoothstep(x: ArrayLike) -> Floats:
    """Return a smooth step: 0 for x <= 0, 1 for x >= 1, cubic between them."""
    share = np.clip(np.asarray(x, dtype=np.float64), 0.0, 1.0)
    rise: Floats = share * share * (3 - 2 * share)
    return rise


def spun(points: Points, angle: ArrayLike) -> Points:
    """Rotate points about the z axis, each by its own angle or all by the same angle."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = points.T
    return np.stack([c * x - s * y, s * x + c * y, z], axis=1)
