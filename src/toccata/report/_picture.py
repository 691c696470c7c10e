"""Pictures of meshes from a camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata.report._normals import corner_normals
from toccata.report._png import Image
from toccata.report._projection import Projection
from toccata.report._raster import Visibility, rasterize
from toccata.report._shade import Surface, shade, to_display, to_linear

Indices = NDArray[np.int64]

SUPERSAMPLING = 2
BACKDROP = np.array([0.985, 0.988, 0.995]), np.array([0.885, 0.905, 0.935])
"""Display colors at the top and at the bottom."""
_IN_FRONT = 1.0 + 1e-5
"""Factor by which a transparent surface has to be closer than a surface that it covers."""


@dataclass(frozen=True, eq=False)
class Shape:
    """A mesh prepared for drawing."""

    vertices: Floats
    faces: Indices
    color: Floats
    """Linear light, (3,), or (m, 3) for each triangle."""

    @staticmethod
    def of(mesh: tuple[Floats, NDArray[np.integer]], color: Floats) -> Shape:
        """Prepare (vertices, faces). `color` is a display color in [0, 1], or one per face."""
        # Vertices without triangles are not drawn, so they must not influence the camera.
        used, corners = np.unique(np.asarray(mesh[1], dtype=np.int64), return_inverse=True)
        vertices = np.asarray(mesh[0], dtype=np.float64)[used]
        return Shape(vertices, corners.reshape(-1, 3), to_linear(np.asarray(color)))

    def colored(self, color: Floats) -> Shape:
        """Return the shape in another display color, without computing the normals again."""
        shape = replace(self, color=to_linear(color))
        shape.__dict__["normals"] = self.normals
        return shape

    @cached_property
    def normals(self) -> Floats:
        """Normals at the corners of the triangles, (m, 3, 3)."""
        return corner_normals(self.vertices, self.faces)

    def at(self, pose: Floats) -> Floats:
        """Return the vertices at a (4, 4) pose."""
        return np.asarray(self.vertices @ pose[:3, :3].T + pose[:3, 3])


Placed = Sequence[tuple[Shape, Floats]]
"""Shapes with their (4, 4) poses."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn picture."""

    colors: Floats
    """Display colors in [0, 1], (h, w, 3)."""
    view: Visibility
    """The visible surfaces at higher resolution."""

    def hidden(self, point: Floats, slack: float) -> bool:
        """Return whether a projected point (x, y, inverse depth) lies behind a surface."""
        height, width = self.view.triangle.shape
        column, row = int(point[0] * SUPERSAMPLING), int(point[1] * SUPERSAMPLING)
        if not (0 <= column < width and 0 <= row < height):
            return False
        return bool(self.view.inverse_depth[row, column] > point[2] * (1.0 + slack))


def render(
    placed: Placed,
    projection: Projection,
    reach: float = 0.0,
    veils: Sequence[tuple[Placed, float]] = (),
) -> Picture:
    """Draw shapes at their poses, and then `veils`: transparent shapes with their opacity.

    Hollows up to `reach` deep, in units of the scene, are dark.
    """
    fine = projection.scaled(SUPERSAMPLING)
    surface = _surface(placed, fine)
    view = rasterize(surface.corners, fine.width, fine.height)
    colors = shade(view, surface, _backdrop(fine.width, fine.height), reach)
    for shapes, opacity in veils:
        veil = _surface(shapes, fine)
        seen = rasterize(veil.corners, fine.width, fine.height)
        lit = shade(seen, veil, np.zeros_like(colors))
        before = seen.inverse_depth > _IN_FRONT * view.inverse_depth
        colors[before] += opacity * (lit[before] - colors[before])
    shape = (projection.height, SUPERSAMPLING, projection.width, SUPERSAMPLING, 3)
    return Picture(to_display(colors.reshape(shape).mean(axis=(1, 3))), view)


def to_image(colors: Floats) -> Image:
    """Convert display colors in [0, 1] to bytes."""
    return np.rint(np.clip(colors, 0.0, 1.0) * 255.0).astype(np.uint8)


def _surface(placed: Placed, camera: Projection) -> Surface:
    corners, normals, colors = [np.empty((0, 3, 3))], [np.empty((0, 3, 3))], [np.empty((0, 3))]
    for shape, pose in placed:
        local = camera.local(shape.at(pose))[shape.faces]
        turned = shape.normals @ (camera.axes @ pose[:3, :3]).T
        both, owner = _clipped(np.concatenate([local, turned], axis=2), camera.nearest)
        corners.append(camera.onto(both[..., :3]))
        normals.append(both[..., 3:])
        colors.append(np.broadcast_to(shape.color, (len(shape.faces), 3))[owner])
    up = camera.axes @ np.array([0.0, 0.0, 1.0])
    return Surface(np.concatenate(corners), np.concatenate(normals), np.concatenate(colors), up)


def _clipped(corners: Floats, nearest: float) -> tuple[Floats, Indices]:
    """Cut triangles with corners (m, 3, 6) at a depth. Return the parts beyond, and their origins.

    For example, a large triangle of a floor may reach behind the eye.
    """
    beyond = corners[..., 2] >= nearest
    count = beyond.sum(axis=1)
    whole = np.flatnonzero(count == 3)
    parts, owners = [corners[whole]], [whole]
    for number, alone in ((1, True), (2, False)):
        chosen = np.flatnonzero(count == number)
        if len(chosen):
            first = np.argmax(beyond[chosen] == alone, axis=1)
            order = (first[:, None] + np.arange(3)) % 3
            a, b, c = np.take_along_axis(corners[chosen], order[..., None], 1).transpose(1, 0, 2)
            ab, ac = _at_depth(a, b, nearest), _at_depth(a, c, nearest)
            cut = [(a, ab, ac)] if alone else [(ab, b, c), (ab, c, ac)]
            parts += [np.stack(part, axis=1) for part in cut]
            owners += [chosen] * len(cut)
    return np.concatenate(parts), np.concatenate(owners)


def _at_depth(a: Floats, b: Floats, depth: float) -> Floats:
    share = (depth - a[:, 2:3]) / (b[:, 2:3] - a[:, 2:3])
    return np.asarray(a + share * (b - a))


def _backdrop(width: int, height: int) -> Floats:
    """Return a light sky that gets slightly darker toward the bottom."""
    top, bottom = BACKDROP
    share = np.linspace(0.0, 1.0, height)[:, None, None] ** 1.5
    return np.broadcast_to(to_linear(top + share * (bottom - top)), (height, width, 3)).copy()
