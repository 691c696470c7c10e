"""Thousands of separate fragments, as after an explosion.

A frame is free of intersection by construction: each fragment stays within its own ball, and the
balls do not meet. A rotating fragment moves along chords of its ball.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from toccata.scenes._steps import DeformingScene, Kind, Step
from toccata.scenes.primitives import icosphere
from toccata.scenes.surface import Faces, Points

_LEAST, _MOST = 0.25, 0.45
"""Radii of the balls. Their centers are at least 1 apart."""
_DENTS = 0.2


def fragments(triangles: int) -> DeformingScene:
    """Return fragments of 20 triangles, about `triangles` in total."""
    return _scene("fragments", triangles, 0)


def shatter(triangles: int) -> DeformingScene:
    """Return fragments of 80 triangles, as many for each as in the paper's bunny and dragon."""
    return _scene("shatter", triangles, 1)


def _scene(name: str, triangles: int, level: int) -> DeformingScene:
    shape = icosphere(1.0, level)
    count = max(1, round(triangles / len(shape[1])))
    return DeformingScene(name, count * len(shape[1]), _Fragments(shape, count).steps)


@dataclass(frozen=True, slots=True)
class _Fragments:
    shape: tuple[Points, Faces]
    count: int

    def steps(self) -> Iterator[Step]:
        random = np.random.default_rng(7)
        size = int(np.ceil(np.cbrt(self.count)))
        grid = np.stack(np.meshgrid(*[np.arange(size) - size / 2] * 3), axis=-1).reshape(-1, 3)
        centers = grid[np.linalg.norm(grid, axis=1).argsort(kind="stable")[: self.count]]
        points = self.bodies(random)
        v0 = self.placed(points, centers)
        turned = self.turned(points, random)
        faces = self.shape[1] + len(self.shape[0]) * np.arange(self.count).reshape(-1, 1, 1)
        faces = faces.reshape(-1, 3).astype(np.int32)
        yield Step("fly", "free", v0, self.placed(turned, 1.05 * centers), faces)
        ends: tuple[tuple[str, Kind, float], ...] = (("meet", "few", 0.3), ("collide", "many", 0.7))
        for label, kind, reach in ends:
            shifts = random.uniform(-reach, reach, centers.shape)
            yield Step(label, kind, v0, self.placed(turned, centers + shifts), faces)

    def bodies(self, random: np.random.Generator) -> Points:
        """Return the vertices of all fragments around the origin, (count, n, 3)."""
        radii = random.uniform(_LEAST, _MOST, (self.count, 1))
        dents = random.uniform(1 - _DENTS, 1, (self.count, len(self.shape[0])))
        bodies: Points = (radii * dents)[:, :, None] * self.shape[0]
        return bodies

    def turned(self, points: Points, random: np.random.Generator) -> Points:
        """Return the fragments turned by up to half a radian, each around its own axis."""
        axes = random.standard_normal((self.count, 3))
        axes /= np.linalg.norm(axes, axis=1, keepdims=True)
        angles = random.uniform(0, 0.5, (self.count, 1, 1))
        along = np.einsum("ijk,ik->ij", points, axes)[:, :, None] * axes[:, None]
        across = points - along
        sides = np.cross(axes[:, None], across)
        turned: Points = along + np.cos(angles) * across + np.sin(angles) * sides
        return turned

    def placed(self, points: Points, centers: Points) -> Points:
        placed: Points = (points + centers[:, None]).reshape(-1, 3)
        return placed
