"""A point of a body that is held, and the poses that bring it to a pointer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape


@dataclass(frozen=True, slots=True, eq=False)
class Grip:
    """A held point, in coordinates of the body: a pointer's own would lag behind the body."""

    point: Floats

    @classmethod
    def at(cls, pose: Floats, position: ArrayLike) -> Grip:
        """Hold a body, which is at a pose, at a position in the world."""
        arm = as_shape("position", position, 3) - pose[:3, 3]
        return cls(pose[:3, :3].T @ arm)

    def position(self, pose: Floats) -> Floats:
        """Return the position of the held point of a body at a pose."""
        return np.asarray(pose[:3, :3] @ self.point + pose[:3, 3])

    def target(self, rotation: Floats, pointer: ArrayLike) -> Floats:
        """Return the pose with a rotation (3, 3) that has the held point at the pointer."""
        pose = np.eye(4)
        pose[:3, :3] = rotation
        pose[:3, 3] = as_shape("pointer", pointer, 3) - rotation @ self.point
        return pose
