"""A triangle mesh on a reference motion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .motion import Motion
from .vectors import Real, Vec, vec


@dataclass(frozen=True)
class Body:
    """Vertices (n, 3), faces (m, 3) and where they go."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]
    motion: Motion

    @cached_property
    def points(self) -> list[Vec]:
        """The vertices, exactly."""
        return [vec(vertex) for vertex in self.vertices]

    def place(self, t: Real) -> list[Vec]:
        """Return the vertices at time t."""
        return self.motion.place(self.points, t)

    @cached_property
    def speed(self) -> float:
        """A speed that no point of the body exceeds."""
        return self.motion.speed_bound(self.vertices)
