"""From bodies and a camera to a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toccata.report.camera import Camera
from toccata.report.normals import corner_normals
from toccata.report.png import Image
from toccata.report.raster import Visibility, rasterize
from toccata.report.shade import Look, Surface, shade, to_display, to_linear

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

SUPERSAMPLING = 2
_TOP, _BOTTOM = np.array([0.985, 0.988, 0.995]), np.array([0.885, 0.905, 0.935])


@dataclass(frozen=True, eq=False)
class Body:
    """A mesh to be drawn. Its normals are computed once, when they are needed."""

    vertices: Array
    faces: Indices
    color: Array
    """Linear light, (3,), or (m, 3) for each triangle."""
    seams: Indices = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))
    """(k, 2) edges that are drawn as lines: where a mesh was cut."""

    @staticmethod
    def of(
        mesh: tuple[Array, NDArray[np.integer]],
        color: Array,
        seams: NDArray[np.integer] | None = None,
    ) -> Body:
        """Prepare (vertices, faces); `color` is a display color in [0, 1], or one per face."""
        # Vertices of no triangle are not drawn, so they must not count when the camera is placed.
        used, corners = np.unique(np.asarray(mesh[1], dtype=np.int64), return_inverse=True)
        vertices = np.asarray(mesh[0], dtype=np.float64)[used]
        edges = np.empty((0, 2), dtype=np.int64) if seams is None else np.asarray(seams)
        ends = np.searchsorted(used, edges)
        return Body(vertices, corners.reshape(-1, 3), to_linear(color), ends)

    @cached_property
    def normals(self) -> Array:
        """(m, 3, 3), one for each corner of each triangle."""
        return corner_normals(self.vertices, self.faces)

    def at(self, pose: Array) -> Array:
        """Return the vertices placed by a (4, 4) pose."""
        return np.asarray(self.vertices @ pose[:3, :3].T + pose[:3, 3])


@dataclass(frozen=True, slots=True)
class Picture:
    """Display colors in [0, 1] as (h, w, 3), and what was seen at `SUPERSAMPLING` pixels each."""

    colors: Array
    view: Visibility

    def hidden(self, point: Array, slack: float) -> bool:
        """Tell whether a projected point (x, y, inverse depth) lies behind a surface."""
        height, width = self.view.triangle.shape
        column, row = int(point[0] * SUPERSAMPLING), int(point[1] * SUPERSAMPLING)
        if not (0 <= column < width and 0 <= row < height):
            return False
        return bool(self.view.inverse_depth[row, column] > point[2] * (1.0 + slack))


def render(placed: Sequence[tuple[Body, Array]], camera: Camera, look: Look) -> Picture:
    """Draw bodies at their poses."""
    fine = camera.scaled(SUPERSAMPLING)
    surface = _surface(placed, fine)
    limit = 1.0 / camera.nearest if camera.nearest > 0 else np.inf
    view = rasterize(surface.corners, fine.width, fine.height, limit)
    colors = shade(view, surface, _backdrop(fine.width, fine.height), look)
    shape = (camera.height, SUPERSAMPLING, camera.width, SUPERSAMPLING, 3)
    return Picture(to_display(colors.reshape(shape).mean(axis=(1, 3))), view)


def to_image(colors: Array) -> Image:
    """Turn display colors in [0, 1] into bytes."""
    return np.rint(np.clip(colors, 0.0, 1.0) * 255.0).astype(np.uint8)


def _surface(placed: Sequence[tuple[Body, Array]], camera: Camera) -> Surface:
    corners, normals, colors = [], [], []
    for body, pose in placed:
        corners.append(camera.project(body.at(pose))[body.faces])
        normals.append(body.normals @ (camera.axes @ pose[:3, :3]).T)
        colors.append(np.broadcast_to(body.color, (len(body.faces), 3)))
    up = camera.axes @ np.array([0.0, 0.0, 1.0])
    return Surface(np.concatenate(corners), np.concatenate(normals), np.concatenate(colors), up)


def _backdrop(width: int, height: int) -> Array:
    """A light sky that gets a little darker towards the bottom."""
    share = np.linspace(0.0, 1.0, height)[:, None, None] ** 1.5
    return np.broadcast_to(to_linear(_TOP + share * (_BOTTOM - _TOP)), (height, width, 3))
