"""A pinhole camera, and the placement that fits a set of points into a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FIELD_OF_VIEW = np.radians(26.0)  # vertical; a long lens keeps shapes undistorted
CLOSE_UP_DEPTH = 6.0  # before the point looked at, in breadths of the picture
_CLOSE_UP_DISTANCE = 1e4  # of the eye, in breadths of the picture


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the eye is and how space lands on a picture of `width` x `height` pixels.

    The rows of `axes` are the directions right, down and forward. `focal` is in pixels; the
    point (`center_x`, `center_y`) of the picture lies straight ahead. Pixel (column, row) covers
    the unit square that starts there, so its center is at (column + 0.5, row + 0.5). Surfaces at
    a depth below `nearest` are not drawn.
    """

    eye: Array
    axes: Array
    focal: float
    center_x: float
    center_y: float
    width: int
    height: int
    nearest: float = 0.0

    def project(self, points: Array) -> Array:
        """Map (n, 3) points to (n, 3): x and y in pixels, and the inverse of the depth.

        The inverse depth is linear across the picture of a flat face, so it can be interpolated
        like x and y. It is negative for points behind the eye.
        """
        local = (points - self.eye) @ self.axes.T
        inverse = 1.0 / local[:, 2]
        x = self.center_x + self.focal * local[:, 0] * inverse
        y = self.center_y + self.focal * local[:, 1] * inverse
        return np.stack([x, y, inverse], axis=1)

    def scaled(self, factor: float) -> Camera:
        """Return the same view with `factor` times as many pixels along each side."""
        return replace(
            self,
            focal=self.focal * factor,
            center_x=self.center_x * factor,
            center_y=self.center_y * factor,
            width=round(self.width * factor),
            height=round(self.height * factor),
        )


def view_direction(azimuth: float, elevation: float) -> Array:
    """Return the unit vector from the scene to the eye, for angles in degrees; z is up."""
    turn, lift = np.radians(azimuth), np.radians(elevation)
    return np.array([np.cos(lift) * np.cos(turn), np.cos(lift) * np.sin(turn), np.sin(lift)])


def fit_camera(
    points: Array, towards_eye: Array, size: tuple[int, int], margin: float = 0.055
) -> Camera:
    """Place a camera that sees all `points`, with `margin` (a share of each side) left free."""
    width, height = size
    axes = _axes(towards_eye)
    tan_y = np.tan(FIELD_OF_VIEW / 2)
    inner = 1.0 - 2.0 * margin
    eye = _closest_eye(points @ axes.T, tan_y * width / height * inner, tan_y * inner)
    return Camera(eye @ axes, axes, height / 2 / tan_y, width / 2, height / 2, width, height)


def look_closely(point: Array, towards_eye: Array, breadth: float, size: int) -> Camera:
    """Place a camera with `point` in the middle of a square picture that spans `breadth` there.

    What lies more than `CLOSE_UP_DEPTH` breadths before the point is not drawn. The eye itself is
    far away: an eye near a large triangle would have part of it behind.
    """
    distance = _CLOSE_UP_DISTANCE * breadth
    eye = point + distance * towards_eye
    focal = size * _CLOSE_UP_DISTANCE
    nearest = distance - CLOSE_UP_DEPTH * breadth
    return Camera(eye, _axes(towards_eye), focal, size / 2, size / 2, size, size, nearest)


def _axes(towards_eye: Array) -> Array:
    forward = -towards_eye / np.linalg.norm(towards_eye)
    up = np.array([0.0, 0.0, 1.0]) if abs(forward[2]) < 0.99 else np.array([0.0, 1.0, 0.0])
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(forward, right), forward])


def _closest_eye(local: Array, tan_x: float, tan_y: float) -> Array:
    """Return the eye, in camera axes, that sees all points and is farthest forward.

    A point is inside the right side plane when x - tan z <= eye_x - tan eye_z, and likewise for
    the other three. Adding opposite sides leaves one upper bound on eye_z per pair of planes.
    """
    x, y, z = local.T
    right, left = np.max(x - tan_x * z), np.max(-x - tan_x * z)
    below, above = np.max(y - tan_y * z), np.max(-y - tan_y * z)
    depth = min(-(right + left) / (2 * tan_x), -(below + above) / (2 * tan_y))
    # A single point fits at any distance; step back by the scale of the coordinates.
    nearest = float(z.min())
    depth = min(depth, nearest - 1e-3 * max(1.0, abs(nearest)))
    return np.array([(right - left) / 2, (below - above) / 2, depth])
