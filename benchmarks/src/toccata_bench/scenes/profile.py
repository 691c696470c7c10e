"""Thin-walled parts of the crash model: sections in the y, z plane drawn along folded curves."""

from dataclasses import dataclass
from math import pi

import numpy as np

from toccata.scenes._steps import Floats
from toccata.scenes.surface import Faces, Points, patch_faces
from toccata_bench.scenes.meander import Curve


@dataclass(frozen=True, slots=True)
class Section:
    """Points (k, 2) of a section, and the directions in which folds move them.

    `depth` is the distance of the wall inside the curve of folds. A closed section joins its ends.
    """

    base: Floats
    outward: Floats
    depth: float = 0.0
    closed: bool = False

    def faces(self, rows: int) -> Faces:
        """Return triangles of the part with `rows` rows of cells."""
        columns = len(self.base)
        ids = np.arange((rows + 1) * columns).reshape(rows + 1, columns)
        if self.closed:
            ids = np.column_stack([ids, ids[:, 0]])
        return patch_faces(ids)[:, ::-1].astype(np.int32)

    def points(self, curve: Curve) -> Points:
        """Return vertices row by row: x along the part, its section moved by the folds."""
        x = curve.along + self.depth * np.sin(curve.angle)
        lift = curve.across - self.depth * np.cos(curve.angle)
        flat = self.base + lift[:, None, None] * self.outward
        along = np.broadcast_to(x[:, None, None], (*flat.shape[:2], 1))
        return np.concatenate([along, flat], axis=2).reshape(-1, 3)


def rail(center: tuple[float, float], size: float, edge: float, depth: float) -> Section:
    """Return a hollow profile, nearly square, whose folds widen and narrow it."""
    count = max(8, round(rail_perimeter(size) / edge))
    angle = 2 * pi * np.arange(count) / count
    outward = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    outward /= (outward**4).sum(axis=1, keepdims=True) ** 0.25
    return Section(np.asarray(center) + size * outward, outward, depth, closed=True)


def rail_perimeter(size: float) -> float:
    """Return the length around a rail: 7.02 times its half width."""
    return 7.02 * size


def panel(start: tuple[float, float], end: tuple[float, float], edge: float) -> Section:
    """Return a flat sheet between two points of the y, z plane; folds move it sideways."""
    along = np.subtract(end, start)
    length = float(np.hypot(*along))
    share = np.linspace(0.0, 1.0, max(4, round(length / edge)) + 1)[:, None]
    left = np.array([-along[1], along[0]]) / length
    return Section(np.asarray(start) + share * along, np.broadcast_to(left, (len(share), 2)))
