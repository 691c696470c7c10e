"""A bundle of rods that is twisted like a rope and pulled tight.

It is free of intersection by construction: straight rods stand side by side with a gap between
facing rows of vertices, and every slice of the bundle is rotated as a whole. A step that pulls the
bundle tight closes all gaps just after its start, as in a simulation that stops just before a
contact and then continues.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi, sin, sqrt

import numpy as np

from toccata.scenes._steps import DeformingScene, Kind, Step, ripple, spun
from toccata.scenes.surface import Faces, Points, skin, union

_SIDES = 12
# Slope of the outermost rods: displacement around the axis / height.
_LEAN = 1.0
_EDGE = 2 * sin(pi / _SIDES)
# Rings of rods: six around one, and twelve around these.
_RINGS = 2
_REACH = 2.0 * _RINGS + 1


def rods(triangles: int) -> DeformingScene:
    """Return nineteen rods of radius 1 along z with about `triangles` triangles in all."""
    centers = _hexagonal(_RINGS)
    rows = 2 * max(6, round(triangles / (4 * _SIDES * len(centers))))
    angle = 2 * pi * np.arange(_SIDES) / _SIDES
    circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(_SIDES)], axis=1)
    height = _EDGE * (np.arange(rows + 1) - rows / 2)
    poles = np.array([[0.0, 0.0, height[0] - 0.5 * _EDGE], [0.0, 0.0, height[-1] + 0.5 * _EDGE]])
    rings = [circle + (0.0, 0.0, z) for z in height]
    rod, faces = skin([poles[:1], *rings, poles[1:]])
    _, all_faces = union(*[(rod, faces)] * len(centers))
    model = _Rods(np.tile(rod, (len(centers), 1)), np.repeat(centers, len(rod), axis=0), all_faces)
    return DeformingScene("rods", len(all_faces), model.steps)


@dataclass(frozen=True, slots=True)
class _Rods:
    rods: Points
    """Vertices of the rods, each rod around the z axis."""
    centers: Points
    """Center of the rod of each vertex, in units of the distance of two rods."""
    faces: Faces

    def steps(self) -> Iterator[Step]:
        loose, close = self.bundle(0.3 * _EDGE), self.bundle(3e-5 * _EDGE)
        yield self.step("turn", "free", loose, spun(loose, _EDGE / _REACH))
        flutter = _EDGE * ripple(self.rods + 5 * self.centers, 8 * _EDGE, seed=5)
        yield self.step("shake", "few", loose, loose + 0.6 * flutter)
        tight = self.bundle(-0.5 * _EDGE)
        yield self.step("pull", "many", close, tight + 0.1 * flutter)
        wrung = spun(tight, 0.2 * _EDGE * np.sin(tight[:, 2]))
        yield self.step("wring", "many", close, wrung + 0.03 * flutter)

    def step(self, label: str, kind: Kind, v0: Points, v1: Points) -> Step:
        return Step(label, kind, v0, v1, self.faces)

    def bundle(self, gap: float) -> Points:
        """Twist rods that are `gap` apart."""
        straight = self.rods + (2 + gap) * self.centers
        return spun(straight, _LEAN * straight[:, 2] / _REACH)


def _hexagonal(rings: int) -> Points:
    """Return the points of a hexagonal lattice within some rings; neighbors are 1 apart."""
    points = [
        (i + 0.5 * j, 0.5 * sqrt(3) * j, 0.0)
        for i in range(-rings, rings + 1)
        for j in range(-rings, rings + 1)
        if abs(i + j) <= rings
    ]
    return np.array(points)
