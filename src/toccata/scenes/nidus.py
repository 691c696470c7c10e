"""A nidus: a bundle of vessels, tangled, squeezed and cut.

Free of intersection by construction: straight tubes with gaps are carried by swirls of space, which
turn every sphere around a centre rigidly and so are one to one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .pieces import Pieces, split
from .primitives import capsule
from .refine import refined
from .steps import DeformingScene, Floats, Ids, Step, ripple
from .surface import MeshArrays, Points, shifted, union

_LENGTH, _RADIUS, _SPACING = 3.0, 0.10, 0.28
# Centre, axis, full angle and reach of each swirl.
_SWIRLS = (
    ((-0.7, 0.1, 0.0), (0.2, 0.9, 0.4), 1.9, 0.60),
    ((0.6, -0.1, 0.1), (-0.3, 0.5, 0.8), -1.7, 0.60),
    ((0.0, 0.2, -0.2), (0.9, 0.3, 0.3), 2.0, 0.65),
    ((0.1, -0.3, 0.3), (0.4, -0.8, 0.5), 1.3, 0.55),
)


def nidus(triangles: int) -> DeformingScene:
    """Return nineteen closed tubes of `triangles` triangles together (even, from 7296 on).

    Every second one will be cut along a ring; the others are refined to get the exact number.
    """
    places = _hexagon()
    segments = 6
    while len(places) * len(_tube(segments + 1)[1]) <= triangles:
        segments += 1
    tubes = [shifted(_tube(segments), (0.0, *place)) for place in places]
    cut, whole = union(*tubes[::2]), union(*tubes[1::2])
    rest = union(cut, refined(whole, triangles - len(cut[1])))
    model = _Nidus(rest, places, 2 * np.pi * _RADIUS / segments)
    return DeformingScene("nidus", len(rest[1]), model.steps)


def _tube(segments: int) -> MeshArrays:
    return capsule(_LENGTH, _RADIUS, segments, axis="x")


def _hexagon() -> Points:
    """Nineteen places (y, z) of a triangular grid: one, six around it, twelve around these."""
    i, j = np.mgrid[-2:3, -2:3].reshape(2, -1)
    kept = np.abs(i + j) <= 2
    places: Points = _SPACING * np.stack([i + j / 2, j * np.sqrt(0.75)], axis=1)[kept]
    return places


@dataclass(frozen=True, slots=True)
class _Nidus:
    rest: MeshArrays
    places: Points
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
        """Vessels move each on their own, and each as a whole over several edges."""
        apart = points * (1.0, 0.0, 0.0) + 40.0 * self.tube(points)[:, None] * (0.0, 1.0, 0.7)
        return distance * ripple(apart, 0.5, seed)

    def tube(self, points: Points) -> Ids:
        """Which tube a point at rest belongs to: that of the nearest axis."""
        apart = points[:, None, 1:] - self.places
        nearest: Ids = np.einsum("ijk,ijk->ij", apart, apart).argmin(axis=1)
        return nearest

    def cut(self) -> Pieces:
        """Cut every second tube at its own place; the ends stay open."""
        points, faces = self.rest
        corners = points[faces]
        tube = self.tube(corners.mean(axis=1))
        beyond = (tube % 2 == 0) & (corners[:, :, 0].min(axis=1) > self.knife(tube))
        return split(self.rest, 2 * tube + beyond)

    def knife(self, tube: Ids) -> Floats:
        places: Floats = np.random.default_rng(9).uniform(-0.8, 0.8, len(self.places))[tube]
        return places

    def opened(self, cut: Pieces, edges: float) -> Points:
        """Draw both ends of a cut back along their tube, by less the farther from the cut.

        The slope of the shift stays below one, so that no part of a tube overtakes another.
        """
        points = cut.mesh[0].copy()
        tube, beyond = np.divmod(cut.piece, 2)
        shift = edges * self.edge * np.exp(-np.abs(points[:, 0] - self.knife(tube)) / 0.5)
        points[:, 0] += np.where(tube % 2 == 0, np.where(beyond, shift, -shift), 0.0)
        return points


def swirled(points: Points, share: float) -> Points:
    """Carry points by the swirls, each at this share of its angle."""
    for center, axis, angle, reach in _SWIRLS:
        points = _swirl(points, np.asarray(center), axis, (share * angle, reach))
    return points


def _swirl(points: Points, center: Points, axis: ArrayLike, how: tuple[float, float]) -> Points:
    """Turn each point about an axis through `center`, by an angle that falls with its distance."""
    angle, reach = how
    arm = points - center
    direction = np.asarray(axis) / np.linalg.norm(axis)
    turn = angle * np.exp(-np.einsum("ij,ij->i", arm, arm) / reach**2)[:, None]
    along = (arm @ direction)[:, None] * direction
    across = arm - along
    sideways = np.cross(direction, arm)
    turned: Points = center + along + np.cos(turn) * across + np.sin(turn) * sideways
    return turned
