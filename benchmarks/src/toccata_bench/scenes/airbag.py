"""An airbag: two sheets sewn at the rim, folded, then inflated against a steering wheel.

It is free of intersection by construction. The bag is a thin lens, folded along a curve with bends
and necks wider than the lens. A map of space presses it on the wheel. The map keeps the order of
heights, and its image lies above the wheel.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from toccata.scenes._refine import refined
from toccata.scenes._steps import DeformingScene, Floats, Kind, Step, ripple
from toccata.scenes.primitives import capsule, circle, torus
from toccata.scenes.surface import Faces, MeshArrays, Points, shifted, skin, turned, union
from toccata_bench.scenes.meander import meander

_WAVE = 1.0
_RIM, _GRIP, _HUB = 0.62, 0.055, 0.14
# Distance over which the push of the wheel fades.
_SOFT = 0.04


def airbag(triangles: int) -> DeformingScene:
    """Return a bag of radius 1 above a wheel, with `triangles` triangles in all (even)."""
    wheel = _wheel(max(12, 4 * round(sqrt(triangles) / 20)))
    rest = triangles - len(wheel[1])
    rings = max(4, int(sqrt(rest / 12)))
    bag = refined(_lens(rings), rest)
    _, faces = union(bag, wheel)
    model = _Airbag(bag[0], wheel[0], faces, 1.0 / rings)
    return DeformingScene("airbag", len(faces), model.steps)


def _lens(rings: int) -> MeshArrays:
    """Return a disc of radius 1 with two sides, at heights -1 and 1 inside and 0 at the rim."""
    pole = np.zeros((1, 3))
    disc = [circle(k / rings, 6 * k) for k in range(1, rings)]
    below = [pole, *disc]
    sheets = [
        *(ring + (0.0, 0.0, -1.0) for ring in below),
        circle(1.0, 6 * rings),
        *(ring + (0.0, 0.0, 1.0) for ring in reversed(below)),
    ]
    return skin(sheets)


def _wheel(segments: int) -> MeshArrays:
    """Return rim, hub and three spokes with gaps between them, the top of the rim at z = 0."""
    rim = torus(_RIM, _GRIP, 3 * segments, segments // 2)
    hub = capsule(0.02, _HUB, segments)
    spoke = shifted(capsule(0.2, 0.035, segments // 2, axis="x"), (0.36, 0.0, -0.08))
    spokes = (turned(spoke, "z", 2 * np.pi * k / 3) for k in range(3))
    return shifted(union(rim, shifted(hub, (0.0, 0.0, -0.2)), *spokes), (0.0, 0.0, -_GRIP))


@dataclass(frozen=True, slots=True)
class _Airbag:
    lens: Points
    wheel: Points
    faces: Faces
    edge: float

    def steps(self) -> Iterator[Step]:
        edge = self.edge
        start = self.bag(0.03, 1.75), self.bag(0.032, 1.73)
        yield self.step("unfold", "free", *start)
        v0 = self.bag(0.04, 1.75)
        yield self.step("flap", "many", v0, v0 + 0.04 * self.flutter(3))
        yield self.step("inflate", "free", self.bag(0.15, 0.8), self.bag(0.17, 0.75))
        v0 = self.bag(0.25, 0.3)
        yield self.step("touch", "few", v0, v0 - (0.0, 0.0, 1.2 * edge))
        v0 = self.pressed(self.bag(0.35, 0.2) - (0.0, 0.0, 0.3))
        down = -2.0 * edge * np.exp(-np.maximum(v0[:, 2:], 0.0) / 0.3) * (0.0, 0.0, 1.0)
        yield self.step("press", "many", v0, v0 + down + 0.01 * self.flutter(4))

    def step(self, label: str, kind: Kind, v0: Points, v1: Points) -> Step:
        start, end = (np.concatenate([bag, self.wheel]) for bag in (v0, v1))
        return Step(label, kind, start, end, self.faces)

    def flutter(self, seed: int) -> Points:
        """Return displacements of the sheets, which grow with the distance from their rim."""
        domed = self.lens.copy()
        domed[:, 2] *= 3 * np.sqrt(self.inside())
        return ripple(domed, 0.3, seed)

    def inside(self) -> Floats:
        """Return weights that fall from 1 in the middle of the bag to 0 at its rim."""
        x, y, _ = self.lens.T
        share: Floats = np.maximum(1 - x**2 - y**2, 0.0)
        return share

    def bag(self, thickness: float, swing: float) -> Points:
        """Inflate the lens, fold it, and put it half an edge above the wheel."""
        x, y, side = self.lens.T
        half = thickness * side * np.sqrt(self.inside() + 1e-3)
        s = np.linspace(0.0, 2.0, 4001)
        folds = meander(s, _WAVE, np.full(len(s), swing))
        table = (folds.along - folds.along[-1] / 2, folds.across, folds.angle)
        along, across, angle = (np.interp(x + 1.0, s, column) for column in table)
        bag = np.stack([along - half * np.sin(angle), y, across + half * np.cos(angle)], axis=1)
        bag[:, 2] += 0.5 * self.edge - (bag[:, 2] - _floor(bag)).min()
        return bag

    def pressed(self, bag: Points) -> Points:
        """Push points above the top of the wheel; points above each other keep their order."""
        floor = _floor(bag)
        above = _SOFT * np.logaddexp(0.0, (bag[:, 2] - floor) / _SOFT)
        return np.column_stack([bag[:, :2], floor + 0.5 * self.edge + above])


def _floor(points: Points) -> Floats:
    """Return heights of a smooth surface above the wheel, a ridge over the rim."""
    radius = np.hypot(points[:, 0], points[:, 1])
    floor: Floats = 0.1 * np.exp(-(((radius - _RIM) / (2 * _GRIP)) ** 2)) - 0.1
    return floor
