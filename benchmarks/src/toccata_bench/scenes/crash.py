"""A box structure of thin-walled profiles and panels that crumples against a wall.

It is free of intersection by construction. Every part is a section drawn along a curve of folds.
The swing of the folds leaves a gap at their necks. Nested walls follow the same curve at a distance
below its bend radius, and there is room between the parts. Gaps are fractions of an edge, so a
finer mesh is folded more tightly.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from toccata.scenes._refine import refined
from toccata.scenes._steps import DeformingScene, Floats, Step, ripple, smoothstep
from toccata.scenes.primitives import box
from toccata.scenes.surface import MeshArrays, Points, shifted, union
from toccata_bench.scenes.cracks import without
from toccata_bench.scenes.meander import Curve, height, meander, tightest
from toccata_bench.scenes.profile import Section, panel, rail, rail_perimeter

_LENGTH, _RAIL = 2.0, 0.2
_WIDTH, _HEIGHT = 2.2, 1.8
# Ratio of the spacing of rows and columns: a part bends along its length only.
_FINER = 0.6


def crash(triangles: int) -> DeformingScene:
    """Return four double rails, four panels, a block and a wall: about `triangles` triangles."""
    solids = _solids(triangles)
    around = 8 * rail_perimeter(_RAIL) + 2 * (_WIDTH + _HEIGHT)
    left = triangles - sum(len(solid[1]) for solid in solids)
    edge = sqrt(2 * _LENGTH * around / (_FINER * left))
    rows = round(_LENGTH / (_FINER * edge))
    wave = _LENGTH / round(3 * (max(triangles, 10_000) / 10_000) ** 0.25)
    # The distance of nested walls is below the tightest bend radius, wave / (2 pi swing).
    depth = min(edge, 0.5 * wave / (2 * pi * 2.0))
    model = _Crash(_sections(edge, depth), solids, rows, (wave, edge, depth))
    return DeformingScene("crash", len(model.mesh()[1]), model.steps)


def _solids(triangles: int) -> tuple[MeshArrays, MeshArrays]:
    """Return the block between the rails, and the wall, whose face is at x = 0."""
    block = refined(box((0.5, 0.3, 0.5)), triangles // 25)
    wall = refined(box((0.2, 3.4, 3.0)), triangles // 50)
    return block, shifted(wall, (-0.1, 0.0, 0.0))


def _sections(edge: float, depth: float) -> list[Section]:
    centers = [(y, z) for y in (-0.6, 0.6) for z in (-0.45, 0.45)]
    rails = [rail(center, _RAIL, edge, inside) for center in centers for inside in (0.0, depth)]
    y, z = _WIDTH / 2, _HEIGHT / 2
    flats = [((-y, 1.05), (y, 1.05)), ((y, -1.05), (-y, -1.05))]
    sides = [((1.35, z), (1.35, -z)), ((-1.35, -z), (-1.35, z))]
    return rails + [panel(start, end, edge) for start, end in flats + sides]


@dataclass(frozen=True, slots=True)
class _Crash:
    sections: list[Section]
    solids: tuple[MeshArrays, MeshArrays]
    rows: int
    sizes: tuple[float, float, float]

    def steps(self) -> Iterator[Step]:
        edge = self.sizes[1]
        faces = self.mesh()[1]
        yield Step("drive", "free", self.frame(-1.0, 4.0), self.frame(-1.0, 2.0), faces)
        yield Step("impact", "few", self.frame(-1.0, 0.5), self.frame(-1.0, -1.0), faces)
        yield Step("fold", "free", self.frame(0.5, 0.5), self.frame(0.5 + edge, 0.5), faces)
        v1 = self.frame(1.2 + edge, 0.3) + edge * self.shake(5)
        yield Step("crumple", "many", self.frame(1.2, 0.5), v1, faces)

        # Some elements fail in a crash, and a solver removes them.
        lost = np.random.default_rng(6).random(len(faces)) < 0.01
        lost[-sum(len(solid[1]) for solid in self.solids) :] = False
        faces, kept = without(faces, lost)
        v1 = self.frame(1.6 + edge, -0.5) + 0.8 * edge * self.shake(7)
        yield Step("fail", "many", self.frame(1.6, 0.5)[kept], v1[kept], faces, kept)

    def mesh(self) -> MeshArrays:
        """Return all parts before they fold."""
        curve = Curve(*np.zeros((3, self.rows + 1)))
        return union(*((part.points(curve), part.faces(self.rows)) for part in self.sections),
                     *self.solids)  # fmt: skip

    def frame(self, front: float, gap: float) -> Points:
        """Return vertices when folds have reached `front`, a length along the parts.

        The parts begin `gap` edges before the wall.
        """
        edge = self.sizes[1]
        parts = []
        for k, part in enumerate(self.sections):
            curve = self.folds(front, double=part.closed, sign=(-1) ** (k // 2))
            parts.append(part.points(curve) + (gap * edge, 0.0, 0.0))
        block, wall = (solid[0] for solid in self.solids)
        rails = self.folds(front, double=True, sign=1)
        behind = np.interp(0.6, self.lengths(), rails.along) + 0.25 + gap * edge
        car = np.concatenate([*parts, block + (behind, 0.0, 0.0)])
        # The impact is not quite head-on. The rear swings aside and up, as space is sheared.
        car[:, 1:] += np.maximum(car[:, :1], 0.0) ** 2 * (0.08, 0.05)
        return np.concatenate([car, wall])

    def lengths(self) -> Floats:
        return np.linspace(0.0, _LENGTH, self.rows + 1)

    def folds(self, front: float, double: bool, sign: int) -> Curve:
        """Return the curve of folds, tight before the front and fading out over 1.5 waves."""
        wave, edge, depth = self.sizes
        s = self.lengths()
        tight = tightest((0.6 * edge + 2 * depth * double) / wave)
        swing = 0.05 + (tight - 0.05) * smoothstep((front - s) / (1.5 * wave) + 1)
        curve = meander(s, wave, sign * swing)
        middle = sign * wave * height(float(swing[0])) / 2
        return Curve(curve.along, curve.across - middle, curve.angle)

    def shake(self, seed: int) -> Points:
        """Return vibrations of the parts, independent of each other; the solids are at rest."""
        edge = self.sizes[1]
        vertices, _ = self.mesh()
        moved = np.zeros_like(vertices)
        end = 0
        for k, part in enumerate(self.sections):
            begin, end = end, end + (self.rows + 1) * len(part.base)
            rest = vertices[begin:end] + (40.0 * k, 0.0, 0.0)
            rest[:, 0] += self.lengths().repeat(len(part.base))
            moved[begin:end] = ripple(rest, 5 * edge, seed)
        return moved
