"""A nidus: a bundle of vessels that are tangled, squeezed and cut.

It is free of intersections by construction. Straight tubes with gaps between them are mapped by
swirls of space. A swirl rotates each sphere around its center rigidly, so the map is one-to-one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._pieces import Pieces, split
from ._refine import refined
from ._steps import DeformingScene, Floats, Ids, Step, ripple
from .primitives import capsule
from .surface import MeshArrays, Points, shifted, union

_LENGTH, _RADIUS, _SPACING = 3.0, 0.10, 0.28
# Center, axis, full angle and reach of each swirl.
_SWIRLS = (
    ((-0.7, 0.1, 0.0), (0.2, 0.9, 0.4), 1.9, 0.60),
    ((0.6, -0.1, 0.1), (-0.3, 0.5, 0.8), -1.7, 0.60),
    ((0.0, 0.2, -0.2), (0.9, 0.3, 0.3), 2.0, 0.65),
    ((0.1, -0.3, 0.3), (0.4, -0.8, 0.5), 1.3, 0.55),
)


def nidus(triangles: int) -> DeformingScene:
    """Return nineteen closed tubes with `triangles` triangles in total (even, at least 7,296).

    Every second tube will be cut along a ring. The other tubes are refined to the exact total.
    """
    centers = _hexagon()
    segments = 6
    while len(centers) * len(_tube(segments + 1)[1]) <= triangles:
        segments += 1
    tubes = [shifted(_tube(segments), (0.0, *center)) for center in centers]
    cut, whole = union(*tubes[::2]), union(*tubes[1::2])
    rest = union(cut, refined(whole, triangles - len(cut[1])))
    model = _Nidus(rest, centers, 2 * np.pi * _RADIUS / segments)
    return DeformingScene("nidus", len(rest[1]), model.steps)


def _tube(segments: int) -> MeshArrays:
    return capsule(_LENGTH, _RADIUS, segments, axis="x")


def _hexagon() -> Points:
    """Return nineteen points of a triangular grid, (y, z): one, six around it, and twelve."""
    i, j = np.mgrid[-2:3, -2:3].reshape(2, -1)
    kept = np.abs(i + j) <= 2
    points: Points = _SPACING * np.stack([i + j / 2, j * np.sqrt(0.75)], axis=1)[kept]
    return points


@dataclass(frozen=True, slots=True)
class _Nidus:
    rest: MeshArrays
    centers: Points
    edge: float

    def steps(self) -> Iterator[Step]:
        points, faces = self.rest
        yield Step("tangle", "free", swirled(points, 0.6), swirled(points, 0.63), faces)
        squeezed = swirled(points, 0.8)
        yield Step("squeeze", "few", squeezed, squeezed + self.push(points, 0.035, 5), faces)
        tangled = swirled(points, 1.0)
        yield Step("press", "many", tangled, tangled + self.push(points, 0.08, 6), faces)

        cut = self.cut()
        opened, faces = self.opened(cut, 0.2), cut.mesh[1]
        proposal = swirled(self.opened(cut, 1.0), 1.0) + self.push(opened, 0.06, 7)
        yield Step("cut", "many", swirled(opened, 1.0), proposal, faces, cut.origin)
        opened = self.opened(cut, 3.0)
        yield Step("retract", "free", swirled(opened, 0.95), swirled(opened, 0.93), faces)

    def push(self, points: Points, distance: float, seed: int) -> Points:
        """Return displacements that are smooth within a vessel and independent between vessels."""
        apart = points * (1.0, 0.0, 0.0) + 40.0 * self.tube(points)[:, None] * (0.0, 1.0, 0.7)
        return distance * ripple(apart, 0.5, seed)

    def tube(self, points: Points) -> Ids:
        """Return the tube of each point at rest: the tube with the nearest axis."""
        apart = points[:, None, 1:] - self.centers
        nearest: Ids = np.einsum("ijk,ijk->ij", apart, apart).argmin(axis=1)
        return nearest

    def cut(self) -> Pieces:
        """Cut every second tube at its own position; the ends stay open."""
        points, faces = self.rest
        corners = points[faces]
        tube = self.tube(corners.mean(axis=1))
        beyond = (tube % 2 == 0) & (corners[:, :, 0].min(axis=1) > self.knife(tube))
        return split(self.rest, 2 * tube + beyond)

    def knife(self, tube: Ids) -> Floats:
        positions: Floats = np.random.default_rng(9).uniform(-0.8, 0.8, len(self.centers))[tube]
        return positions

    def opened(self, cut: Pieces, edges: float) -> Points:
        """Pull both ends of each cut back along the tube; the shift decays away from the cut.

        The slope of the shift stays below one, so that the order of points along a tube stays.
        """
        points = cut.mesh[0].copy()
        tube, beyond = np.divmod(cut.piece, 2)
        shift = edges * self.edge * np.exp(-np.abs(points[:, 0] - self.knife(tube)) / 0.5)
        points[:, 0] += np.where(tube % 2 == 0, np.where(beyond, shift, -shift), 0.0)
        return points


def swirled(points: Points, share: float) -> Points:
    """Map points by all swirls, with a share of their full angles."""
    for center, axis, angle, reach in _SWIRLS:
        points = _swirl(points, np.asarray(center), axis, (share * angle, reach))
    return points


def _swirl(points: Points, center: Points, axis: ArrayLike, how: tuple[float, float]) -> Points:
    """Rotate each point about an axis through `center`; the angle falls with its distance."""
    angle, reach = how
    arm = points - center
    direction = np.asarray(axis) / np.linalg.norm(axis)
    turn = angle * np.exp(-np.einsum("ij,ij->i", arm, arm) / reach**2)[:, None]
    along = (arm @ direction)[:, None] * direction
    across = arm - along
    sideways = np.cross(direction, arm)
    turned: Points = center + along + np.cos(turn) * across + np.sin(turn) * sideways
    return turned
