"""A thick, bumpy shell that a ball bursts from within, in two stages.

Free of intersection by construction: inner and outer surface are the same star-shaped graph over
the sphere at two scales, and pieces move apart along the directions of the points they are nearest
to, so that the plane between two neighbours stays between them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from .pieces import Pieces, split
from .primitives import icosphere
from .refine import refined
from .steps import DeformingScene, Ids, Step, ripple
from .surface import Faces, MeshArrays, Points, as_mesh, boundary

_COARSE, _FINE = 25, 85
_BALL = 0.4


def shell(triangles: int) -> DeformingScene:
    """Return a shell of radius 1 around a ball, of `triangles` triangles together (even)."""
    ball = icosphere(_BALL, max(1, int(log(triangles / 200, 4))))
    half = (triangles - len(ball[1])) // 2
    sphere = refined(icosphere(1.0, max(1, int(log(half / 20, 4)))), half)
    rays = sphere[0] / np.linalg.norm(sphere[0], axis=1, keepdims=True)
    model = _Shell((rays, sphere[1]), ball, sqrt(4 * np.pi / half * 4 / sqrt(3)))
    return DeformingScene("shell", 2 * len(sphere[1]) + len(ball[1]), model.steps)


@dataclass(frozen=True, slots=True)
class _Shell:
    rays: MeshArrays
    ball: MeshArrays
    edge: float

    def steps(self) -> Iterator[Step]:
        edge, still = self.edge, 0.0
        whole = self.crack(self.rays, 1)
        inside = 0.86 - _BALL - edge
