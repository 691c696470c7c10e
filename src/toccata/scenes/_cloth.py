"""A cloth that falls on a rotating ball, drapes over it and is wound up by it.

It is free of intersections by construction. Its folds are a graph over the smooth drape, along the
outer normals of the ball. Then a rotation about the axis, by an angle that depends only on depth,
lays the folds on each other without crossings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from ._steps import DeformingScene, Floats, Kind, Step, ripple, smoothstep, spun
from .primitives import icosphere
from .surface import Faces, Points, patch_faces, union

_HALF_WIDTH, _FOLDS = 2.0, 18
# Half of the distance between two folds where the cloth leaves the ball.
_FOLD = np.pi / _FOLDS


def cloth_ball(triangles: int) -> DeformingScene:
    """Return a square cloth over a ball of radius 1; the ball has at most 1/4 of the triangles."""
    level = max(1, int(log(triangles / 80, 4)))
    ball = icosphere(1.0, level)
    cells = max(4, round(sqrt((triangles - len(ball[1])) / 2)))
    side = np.linspace(-_HALF_WIDTH, _HALF_WIDTH, cells + 1)
    flat = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    ids = np.arange(len(flat)).reshape(cells + 1, cells + 1)
    sheet = np.column_stack([flat, np.zeros(len(flat))])
    _, faces = union((sheet, patch_faces(ids).astype(np.int32)), ball)
    model = _ClothBall(sheet, ball[0], faces, side[1] - side[0])
    return DeformingScene("cloth-ball", len(faces), model.steps)


@dataclass(frozen=True, slots=True)
class _ClothBall:
    sheet: Points
    ball: Points
    faces: Faces
    edge: float

    def steps(self) -> Iterator[Step]:
        edge, spin = self.edge, 0.7 * self.edge
        down = np.array([0.0, 0.0, -edge])
        lean = sqrt(max(0.0, (_FOLD / (2.5 * edge)) ** 2 - 1))

        flat = self.drape(0.05, 0.0)
        yield self.step("fall", "free", flat - 3 * down, flat - 1.5 * down, spin)
        yield self.step("touch", "few", flat, flat + down, spin)
        yield self.step("drape", "free", self.drape(0.8, 0.0), self.drape(0.8 + edge, 0.0), spin)
        hanging = self.drape(1.2, 0.5 * lean)
        yield self.step("slip", "many", hanging, hanging + down, spin)
        wound = self.drape(1.3, lean)
        proposal = spun(wound, spin * smoothstep(wound[:, 2])) + 0.7 * down
        flutter = 1.5 * edge * ripple(self.sheet, 4 * edge, seed=18)
        yield self.step("wind", "many", wound, proposal + flutter, spin)

    def step(self, label: str, kind: Kind, v0: Points, v1: Points, spin: float) -> Step:
        ball = spun(self.ball, spin)
        both = np.concatenate([v0, self.ball]), np.concatenate([v1, ball])
        return Step(label, kind, *both, self.faces)

    def drape(self, contact: float, lean: float) -> Points:
        """Return the cloth on the ball up to the polar angle `contact`; the rest hangs straight.

        `lean` is the sideways displacement of a fold divided by its height.
        """
        s, phi = np.hypot(*self.sheet[:, :2].T), np.arctan2(self.sheet[:, 1], self.sheet[:, 0])
        reach = 1.0 + 0.5 * self.edge
        angle = np.minimum(s / reach, contact)
        hang = s - reach * angle
        radius = reach * np.sin(angle) + hang * np.cos(angle)
        height = reach * np.cos(angle) - hang * np.sin(angle)
        rise = _depth(s, radius) / sqrt(1 + lean**2) * (1 + np.cos(_FOLDS * phi))
        turn = phi + lean * rise / np.maximum(radius, 1e-9)
        radius, height = radius + rise * np.sin(angle), height + rise * np.cos(angle)
        return np.stack([radius * np.cos(turn), radius * np.sin(turn), height], axis=1)


def _depth(s: Floats, radius: Floats) -> Floats:
    """Return the amplitude of folds that take up the excess length of the cloth.

    A circle of the cloth is longer than the circle below it. A wave of slope m is longer than its
    base by a factor of about sqrt(1 + m^2 / 2). Near the middle, folds would be narrower than the
    mesh, so the amplitude is zero there.
    """
    excess = s / np.maximum(radius, 1e-9)
    slope = np.sqrt(2 * np.maximum(excess**2 - 1, 0.0))
    depth: Floats = slope * radius / _FOLDS * smoothstep((s - 0.2) / 0.6)
    return depth
