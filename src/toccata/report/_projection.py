"""A pinhole camera with pixels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from toccata._arrays import Floats
from toccata.view._camera import ASPECT, FIELD_OF_VIEW, camera_axes, fit, view_direction
from toccata.view._items import Camera

__all__ = ["Projection", "fit_camera", "view_direction"]

_NEAREST = 2e-3
"""Least depth of surfaces that are drawn, relative to the distance of the target."""


@dataclass(frozen=True, slots=True)
class Projection:
    """A map from space to a picture of `width` x `height` pixels.

    The rows of `axes` are the directions right, down and forward. `focal` is in pixels; the center
    of the picture lies straight ahead. Pixel (column, row) has its center at (column + 0.5,
    row + 0.5). Surfaces at a depth below `nearest` are not drawn.
    """

    eye: Floats
    axes: Floats
    focal: float
    width: int
    height: int
    nearest: float
    scale: float = 1.0
    """Size of marks in pixels, 1 in a picture of 360 rows."""

    @classmethod
    def of(cls, camera: Camera, size: tuple[int, int], scale: float | None = None) -> Projection:
        """Return the projection of a camera. A picture narrower than 4:3 shows the same width."""
        width, height = size
        towards = camera.position - camera.target
        focal = min(height, width / ASPECT) / 2 / np.tan(FIELD_OF_VIEW / 2)
        nearest = _NEAREST * float(np.linalg.norm(towards))
        marks = height / 360 if scale is None else scale
        return cls(camera.position, camera_axes(towards), focal, width, height, nearest, marks)

    def local(self, points: Floats) -> Floats:
        """Return points in camera axes, (n, 3)."""
        return np.asarray((points - self.eye) @ self.axes.T)

    def onto(self, local: Floats) -> Floats:
        """Map (..., 3) points in camera axes to x and y in pixels, and the inverse depth.

        The inverse depth is linear across the picture of a flat face, so it can be interpolated
        like x and y. It is negative for points behind the eye.
        """
        inverse = 1.0 / local[..., 2]
        x = self.width / 2 + self.focal * local[..., 0] * inverse
        y = self.height / 2 + self.focal * local[..., 1] * inverse
        return np.stack([x, y, inverse], axis=-1)

    def project(self, points: Floats) -> Floats:
        """Map (n, 3) points to x and y in pixels, and the inverse depth, (n, 3)."""
        return self.onto(self.local(points))

    def scaled(self, factor: int) -> Projection:
        """Return the same picture with `factor` times as many pixels along each side."""
        width, height = factor * self.width, factor * self.height
        return replace(self, focal=factor * self.focal, width=width, height=height)


def fit_camera(points: Floats, towards_eye: Floats, size: tuple[int, int]) -> Projection:
    """Return the closest camera that sees all `points` in a picture of `size`."""
    return Projection.of(fit(points, towards_eye, max(size[0] / size[1], ASPECT)), size)
