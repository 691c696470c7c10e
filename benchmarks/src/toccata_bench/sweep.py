"""The linear motion in NumPy, independent of the core.

The body origin moves along a straight line, and the body turns about an axis through its origin at
a constant rate. Loops on coal are references, so they must not use the code under test.
"""

from math import atan2, cos, hypot, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rotation_vector(rotation: Array) -> Array:
    """Return axis times angle of a (3, 3) rotation; the angle is in [0, pi]."""
    r = rotation
    twice = np.array([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
    length = float(np.linalg.norm(twice))
    angle = atan2(length, float(np.trace(r)) - 1.0)
    if length > 1e-8:
        return twice * (angle / length)
    if angle < 1.0:
        return 0.5 * twice
    # A half turn has no skew part; (R + 1) / 2 is the projection on its axis.
    projection = 0.5 * (r + np.eye(3))
    column: Array = projection[:, int(np.argmax(np.diag(projection)))]
    return column * (pi / float(np.linalg.norm(column)))


def cross_matrix(axis: Array) -> Array:
    """Return the matrix K with K @ x == cross(axis, x)."""
    x, y, z = axis
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


class Sweep:
    """A motion from one pose to another over t in [0, 1]."""

    def __init__(self, start: Array, end: Array) -> None:
        self.origin: Array = start[:3, 3].copy()
        self.velocity: Array = end[:3, 3] - start[:3, 3]
        rotation = start[:3, :3].copy()
        turn = rotation_vector(end[:3, :3] @ rotation.T)
        self.angle = float(np.linalg.norm(turn))
        self.axis: Array = turn / self.angle if self.angle > 0.0 else np.array([1.0, 0.0, 0.0])
        cross = cross_matrix(self.axis)
        self._still, self._first = rotation, cross @ rotation
        self._second = cross @ self._first

    def at(self, t: float) -> tuple[Array, Array]:
        """Return rotation and translation at time t (Rodrigues' formula)."""
        turned = self.angle * t
        rotation = self._still + sin(turned) * self._first + (1.0 - cos(turned)) * self._second
        return rotation, self.origin + t * self.velocity

    def speed(self, radius: float) -> float:
        """Return a bound of the speed of every point within `radius` of the body origin.

        Turning adds at most angle * radius across the axis; along the axis a point has the speed of
        the origin. The bound never exceeds |v| + angle * radius.
        """
        along = float(self.velocity @ self.axis)
        across = sqrt(max(0.0, float(self.velocity @ self.velocity) - along * along))
        return hypot(along, across + self.angle * radius)
