"""A sheet that is crumpled to a ball and squeezed.

It is free of intersection by construction: waves shear space repeatedly in random directions, then
space is mapped into a ball. All these maps are one to one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from toccata.scenes._steps import DeformingScene, Kind, Step, ripple
from toccata.scenes.surface import Faces, Points, patch_faces

_SHEARS = 9


def crumpled_ball(triangles: int) -> DeformingScene:
    """Return a square sheet in a ball of radius 1 with about `triangles` triangles."""
    cells = max(22, round(sqrt(triangles / 2)))
    side = np.linspace(-1.0, 1.0, cells + 1)
    flat = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    ids = np.arange(len(flat)).reshape(cells + 1, cells + 1)
    sheet = np.column_stack([flat, np.zeros(len(flat))])
    model = _Sheet(sheet, patch_faces(ids).astype(np.int32), side[1] - side[0])
    return DeformingScene("crumpled-ball", len(model.faces), model.steps)


@dataclass(frozen=True, slots=True)
class _Sheet:
    sheet: Points
    faces: Faces
    edge: float

    def steps(self) -> Iterator[Step]:
        edge = self.edge
        loose, tight = self.crumpled(0.5), self.crumpled(1.0)
        yield self.step("sway", "free", loose, self.crumpled(0.5 + 0.3 * edge))
        waves = ripple(self.sheet, 6 * edge, seed=3)
        yield self.step("shake", "few", tight, tight + 0.4 * edge * waves)
        yield self.step("squeeze", "few", tight, tight * 0.97 + edge * waves)
        yield self.step("crush", "many", tight, tight * (1 - 2 * edge) + 2 * edge * waves)

    def step(self, label: str, kind: Kind, v0: Points, v1: Points) -> Step:
        return Step(label, kind, v0, v1, self.faces)

    def crumpled(self, amount: float) -> Points:
        """Shear the sheet by waves, and map it into the ball."""
        random = np.random.default_rng(11)
        points = self.sheet
        for _ in range(_SHEARS):
            across = random.standard_normal(3)
            across /= np.linalg.norm(across)
            along = np.cross(across, random.standard_normal(3))
            along /= np.linalg.norm(along)
            wave = np.sin(random.uniform(2.0, 3.5) * (points @ across) + random.uniform(0.0, 6.0))
            points = points + amount * 0.4 * wave[:, None] * along
        squares = np.einsum("ij,ij->i", points, points)
        drawn: Points = points / np.sqrt(1 + squares)[:, None]
        return drawn
